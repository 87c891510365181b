// SQL over grants to users and teams.
import { sql } from 'kysely'
import {
  type GrantedRole,
  MAY_SEE_SPACE,
  membersWithEffectiveRole,
  RANK_ON_SPACE,
  type Resource,
  type Person as RoleSubject,
  rankOf,
  spacesWithEffectiveRole,
} from '../../access/roles.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { Person } from '../accounts/wire.ts'
import type { SeenSpace } from '../spaces/rows.ts'
import { selectTeams, type TeamRow } from '../teams/rows.ts'
import type { ListAggregate, ListPermissions, ListSpacesOfMember } from './schema.ts'

/** Who is granted a role. */
export type Grantee = { readonly kind: 'user' | 'team'; readonly id: string }

export type UserGrantRow = Person & { readonly given: GrantedRole }
export type TeamGrantRow = TeamRow & {
  readonly given: GrantedRole
  /** The caller's role in the team. */
  readonly own: 'owner' | 'member' | null
}

const PERSON = ['users.id', 'users.display_name', 'users.email', 'users.photo_url'] as const

const resourceColumn = ({ kind }: Resource) => `${kind}_id` as const
const granteeColumn = (kind: Grantee['kind']) => `${kind}_id` as const

/** Grants of no access are listed only on request. */
const isGiven = (role: ListPermissions['role']) =>
  role === undefined ? sql<boolean>`grants.role <> 'none'` : sql<boolean>`grants.role = ${role}`

const paging = <Column extends string>(
  list: string,
  { id }: Resource,
  column: Column,
  { role = null, ...query }: PageQuery & { readonly role?: GrantedRole | null },
) => ({
  question: { list, thing: id, role },
  by: [
    [column, 'asc'],
    ['id', 'asc'],
  ] as const,
  ...query,
})

/** By name. */
export const listUserGrants = (
  db: Db,
  resource: Resource,
  query: ListPermissions,
): Promise<Page<UserGrantRow>> =>
  page(
    db
      .selectFrom('grants')
      .innerJoin('users', 'users.id', 'grants.user_id')
      .select([...PERSON, 'grants.role as given'])
      .where(`grants.${resourceColumn(resource)}`, '=', resource.id)
      .where(isGiven(query.role)),
    paging('user permissions', resource, 'display_name', query),
  )

/** By title. `viewerId`: the caller. */
export const listTeamGrants = (
  db: Db,
  resource: Resource,
  viewerId: string,
  query: ListPermissions,
): Promise<Page<TeamGrantRow>> =>
  page(
    selectTeams(db)
      .innerJoin('grants', 'grants.team_id', 'teams.id')
      .select('grants.role as given')
      .select(
        sql<TeamGrantRow['own']>`(select role from team_members
          where team_members.team_id = teams.id and team_members.user_id = ${viewerId})`.as('own'),
      )
      .where(`grants.${resourceColumn(resource)}`, '=', resource.id)
      .where(isGiven(query.role)),
    paging('team permissions', resource, 'title', query),
  )

/** Everybody who has a role on the resource, wherever it comes from, by name. */
export const listPeopleOn = (
  db: Db,
  organizationId: string,
  resource: Resource,
  query: ListAggregate,
): Promise<Page<Person & { readonly rank: number }>> =>
  page(
    db
      .selectFrom(membersWithEffectiveRole(db, organizationId, resource).select(PERSON).as('people'))
      .selectAll()
      .where(query.role === undefined ? sql<boolean>`rank > 0` : sql<boolean>`rank = ${rankOf(query.role)}`),
    paging('people with access', resource, 'display_name', query),
  )

/**
 * Locks the resource: other grants on it, its deletion and its transfer wait. False if it does not exist any more.
 */
export async function lockResource(
  trx: Trx,
  organizationId: string,
  { kind, id }: Resource,
): Promise<boolean> {
  const { rows } = await (kind === 'space'
    ? sql`select id from spaces
        where id = ${id} and organization_id = ${organizationId} and deleted_at is null for no key update`
    : sql`select id from collections
        where id = ${id} and organization_id = ${organizationId} for no key update`
  ).execute(trx)
  return rows.length > 0
}

/** Those of the ids that are members of the organization, which they cannot leave before the transaction ends. */
export async function lockMembers(
  trx: Trx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select user_id as id from members
    where organization_id = ${organizationId} and user_id = any(${[...ids]}::text[])
    order by user_id for key share`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Those of the ids that are teams of the organization, which stay until the transaction ends. `viewerId`: of somebody
 * who may not list teams, and sees only those that they are in or that have a grant on the resource.
 */
export async function lockTeams(
  trx: Trx,
  organizationId: string,
  resource: Resource,
  ids: readonly string[],
  viewerId: string | null,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const isSeen =
    viewerId === null
      ? sql`true`
      : sql`(exists (select from team_members
            where team_members.team_id = teams.id and team_members.user_id = ${viewerId})
          or exists (select from grants
            where grants.team_id = teams.id and ${sql.ref(`grants.${resourceColumn(resource)}`)} = ${resource.id}))`
  const { rows } = await sql<{ id: string }>`select id from teams
    where organization_id = ${organizationId} and id = any(${[...ids]}::text[]) and ${isSeen}
    order by id for key share`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** The grants of these on the resource, by grantee. */
export async function findGivenRoles(
  trx: Trx,
  resource: Resource,
  kind: Grantee['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, GrantedRole>> {
  if (ids.length === 0) return new Map()
  const column = granteeColumn(kind)
  const rows = await trx
    .selectFrom('grants')
    .select([`${column} as id`, 'role'])
    .where(resourceColumn(resource), '=', resource.id)
    .where(sql<boolean>`${sql.ref(column)} = any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.flatMap(({ id, role }) => (id === null ? [] : [[id, role]])))
}

/** Grants the role to each, replacing earlier grants. */
export async function insertGrants(
  trx: Trx,
  organizationId: string,
  resource: Resource,
  kind: Grantee['kind'],
  ids: readonly string[],
  role: GrantedRole,
): Promise<void> {
  if (ids.length === 0) return
  const at = resourceColumn(resource)
  const to = granteeColumn(kind)
  await trx
    .insertInto('grants')
    .values(
      ids.map(id => ({ id: newId(), organization_id: organizationId, [at]: resource.id, [to]: id, role })),
    )
    .onConflict(conflict =>
      conflict
        .columns([at, to])
        .where(at, 'is not', null)
        .where(to, 'is not', null)
        .doUpdateSet({ role: ref => ref.ref('excluded.role') }),
    )
    .execute()
}

/** Returns the role, undefined if there was no grant. */
export async function removeGrant(
  trx: Trx,
  resource: Resource,
  { kind, id }: Grantee,
): Promise<GrantedRole | undefined> {
  const row = await trx
    .deleteFrom('grants')
    .where(resourceColumn(resource), '=', resource.id)
    .where(granteeColumn(kind), '=', id)
    .returning('role')
    .executeTakeFirst()
  return row?.role
}

/** The role of a member in an organization. */
export const findMemberRole = (db: Db, organizationId: string, userId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.role', 'members.disabled', 'users.display_name'])
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()

/** A space with the rank of the caller on it, and that of the member. */
export type MemberSpace = SeenSpace & { readonly permission: number }

/** The spaces that a member has a role on and that the caller may see, by position. */
export function listSpacesOfMember(
  db: Db,
  organizationId: string,
  viewer: RoleSubject,
  member: RoleSubject,
  { order = 'desc', ...query }: ListSpacesOfMember,
): Promise<Page<MemberSpace>> {
  const theirs = spacesWithEffectiveRole(db, member, organizationId)
    .select(['spaces.id', RANK_ON_SPACE.as('rank')])
    .where('spaces.organization_id', '=', organizationId)
    .as('theirs')
  // Computed once and looked up by id: PostgreSQL would join the two sets, without statistics, row by row.
  const permission = sql<number>`((select jsonb_object_agg(id, rank) from ${theirs}) ->> spaces.id)::smallint`
  return page(
    spacesWithEffectiveRole(db, viewer, organizationId)
      .select(['spaces.id', 'spaces.position', RANK_ON_SPACE.as('rank'), permission.as('permission')])
      .where('spaces.organization_id', '=', organizationId)
      .where(permission, '>', 0)
      .where(MAY_SEE_SPACE),
    {
      question: {
        list: 'spaces of a member',
        organization: organizationId,
        viewer: viewer.userId,
        member: member.userId,
        order,
      },
      by: [
        ['position', order],
        ['id', order],
      ],
      ...query,
    },
  )
}
