// Which role somebody has on a space or a collection. The rule, from the resource upwards:
//   1. admins of the organization are admins of everything in it;
//   2. a role granted to the person on the resource decides, else the best role granted there to one of their teams;
//   3. else the default level of the resource, for members; guests have what was granted, and nothing by default;
//   4. where the level is inherited, the same question to the parent collection, and at the root the role in the
//      organization, which guests have none of.
// It has three forms: the function `decide`; the SQL expression `effectiveRank`, for queries over everything that one
// person may see and over everybody on one resource; and visibility-snapshot.ts, in memory, for lists and counts of
// spaces. A property holds all of them to `decide`.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { MEMBER_ROLES, type MemberRole, type RoleOn } from './policy.ts'
import type { Memberships, Principal } from './principal.ts'

export function roleInOrganization(
  principal: Principal,
  organizationId: string,
): RoleOn<'organization'> | null {
  if (principal.kind !== 'user') return null
  const role = principal.memberships.get(organizationId)
  return role === undefined ? null : (role ?? 'guest')
}

/** What roles are granted on. Ids are unique across both kinds. */
export type Resource = { readonly kind: 'space' | 'collection'; readonly id: string }

/** `none` is a role too: no access. */
export type GrantedRole = MemberRole | 'none'

/** The level and one person's grants at one resource on the way up. */
export type Step = {
  readonly kind: 'space' | 'collection'
  readonly id: string
  readonly title: string
  readonly level: GrantedRole | 'inherit'
  readonly own: GrantedRole | null
  readonly teams: readonly { readonly id: string; readonly title: string; readonly role: GrantedRole }[]
}

/** A role with its reason. `at`: the resource on the way up that decided; null for the organization. */
export type EffectiveRole = {
  readonly role: MemberRole | null
  readonly because:
    | 'organization-admin'
    | 'user'
    | 'team'
    | 'default-level'
    | 'organization-role'
    | 'stranger'
  readonly at: Step | null
}

const NOBODY: EffectiveRole = { role: null, because: 'stranger', at: null }

export const rankOf = (role: GrantedRole | null): number =>
  role === null || role === 'none' ? 0 : MEMBER_ROLES.indexOf(role) + 1
export const roleOfRank = (rank: number): MemberRole | null => MEMBER_ROLES[rank - 1] ?? null

/** The rule. `way`: from the resource itself to the root. */
export function decide(inOrganization: RoleOn<'organization'> | null, way: readonly Step[]): EffectiveRole {
  if (inOrganization === null) return NOBODY
  if (inOrganization === 'admin') return { role: 'admin', because: 'organization-admin', at: null }
  for (const step of way) {
    if (step.own !== null) return { role: toRole(step.own), because: 'user', at: step }
    if (step.teams.length > 0) {
      const best = Math.max(...step.teams.map(team => rankOf(team.role)))
      return { role: roleOfRank(best), because: 'team', at: step }
    }
    if (step.level !== 'inherit') {
      const role = inOrganization === 'guest' ? null : toRole(step.level)
      return { role, because: 'default-level', at: step }
    }
  }
  return { role: inOrganization === 'guest' ? null : inOrganization, because: 'organization-role', at: null }
}

const toRole = (given: GrantedRole): MemberRole | null => (given === 'none' ? null : given)

/**
 * From a resource up to the root: `way (kind, id, title, level, level_rank, parent_id, depth)`. The planner cannot
 * know how short the way is: the limit keeps it from reading all collections at each step.
 */
const wayUp = ({ kind, id }: Resource): RawBuilder<unknown> => sql`
  with recursive way as (
    select ${kind}::text as kind, id, title, default_level as level, level_rank, parent_id, 0 as depth
    from ${sql.table(kind === 'space' ? 'spaces' : 'collections')} where id = ${id}
    union all
    select 'collection', up.id, up.title, up.default_level, up.level_rank, up.parent_id, way.depth + 1
    from way cross join lateral (select * from collections where collections.id = way.parent_id limit 1) as up)`

/** The steps for one person from a resource up to the root; empty if it does not exist. One query. */
export async function findAncestry(db: Db, userId: string, thing: Resource): Promise<Step[]> {
  const { rows } = await sql<Step>`
    ${wayUp(thing)}
    select kind, id, title, level,
      (select role from grants where user_id = ${userId} and (space_id = way.id or collection_id = way.id)) as own,
      coalesce((select json_agg(json_build_object('id', teams.id, 'title', teams.title, 'role', grants.role) order by teams.id)
        from team_members cross join lateral (select role from grants
          where grants.team_id = team_members.team_id and (grants.space_id = way.id or grants.collection_id = way.id)
          limit 1) as grants
        join teams on teams.id = team_members.team_id
        where team_members.user_id = ${userId}), '[]') as teams
    from way order by depth`.execute(db)
  return rows
}

/** A person with their roles in organizations. */
export type Person = { readonly userId: string; readonly memberships: Memberships }

/** One query; none for strangers and admins of the organization. */
export async function findRoleOfPerson(
  db: Db,
  { userId, memberships }: Person,
  organizationId: string,
  thing: Resource,
): Promise<EffectiveRole> {
  const role = memberships.get(organizationId)
  if (role === undefined || role === 'admin') return decide(role ?? null, [])
  return decide(role ?? 'guest', await findAncestry(db, userId, thing))
}

/** The same for a caller: only people have a role. */
export const findEffectiveRole = (
  db: Db,
  principal: Principal,
  organizationId: string,
  thing: Resource,
): Promise<EffectiveRole> => findRoleOfPerson(db, personOf(principal), organizationId, thing)

export const personOf = (principal: Principal): Person =>
  principal.kind === 'user'
    ? { userId: principal.user.id, memberships: principal.memberships }
    : { userId: '', memberships: new Map() }

const ADMIN_RANK = rankOf('admin')

/**
 * What a rank follows from. Each may be null: `inOrganization` for a non-member, `granted` without a grant, `level`
 * if inherited, and `inherited`, the rank on the parent, at the root.
 */
type RankOperands = {
  readonly inOrganization: RawBuilder<unknown>
  readonly granted: RawBuilder<unknown>
  readonly level: RawBuilder<unknown>
  readonly inherited?: RawBuilder<unknown>
}

/** The rule of `decide` over ranks, 0 for no role. */
function effectiveRank({
  inOrganization,
  granted,
  level,
  inherited = sql`null`,
}: RankOperands): RawBuilder<number> {
  return sql<number>`case
    when ${inOrganization} is null then 0
    when ${inOrganization} = ${sql.lit(ADMIN_RANK)} then ${inOrganization}
    else coalesce(${granted}, case when ${level} is not null and ${inOrganization} = 0 then 0 else ${level} end,
      ${inherited}, ${inOrganization}) end`
}

/**
 * A query builder with one person's roles in their organizations, or in `only` one of them:
 *   `memberships (organization_id, rank)`; `given (id, rank)`: the grants of them and their teams;
 *   `folders (id, rank)`: their rank on each collection, decided once, from the root down, where they are no admin.
 * `rankIn` looks up an id in the last two.
 */
export function withEffectiveRoles(db: Db, { userId, memberships }: Person, only?: string) {
  const mine = [...memberships].filter(([id]) => only === undefined || id === only)
  const ids = mine.map(([id]) => id)
  const ranks = mine.map(([, role]) => rankOf(role))
  return db
    .withRecursive(
      'memberships',
      () =>
        sql<{ organization_id: string; rank: number }>`(
        select * from unnest(${ids}::text[], ${ranks}::smallint[]) as mine (organization_id, rank))`,
    )
    .withRecursive(
      'given',
      () =>
        sql<{ id: string; rank: number }>`(
        select id, coalesce(max(rank) filter (where is_own), max(rank)) as rank from (
          select coalesce(space_id, collection_id) as id, rank, true as is_own from grants
          where user_id = ${userId} and organization_id = any(${ids}::text[])
          union all
          select coalesce(space_id, collection_id), rank, false from grants
          where organization_id = any(${ids}::text[])
            and team_id = any(array(select team_id from team_members where user_id = ${userId}))) as every
        group by id)`,
    )
    .withRecursive(
      'folders',
      () =>
        sql<{ id: string; rank: number; mine: number }>`(
        select one.id, ${effectiveRank({ inOrganization: sql`memberships.rank`, granted: sql`given.rank`, level: sql`one.level_rank` })} as rank,
          memberships.rank as mine
        from collections as one join memberships on memberships.organization_id = one.organization_id
        cross join lateral ${rankIn('given', sql`one.id`)} as given
        where one.parent_id is null and memberships.rank < ${ADMIN_RANK}
        union all
        select one.id, ${effectiveRank({ inOrganization: sql`folders.mine`, granted: sql`given.rank`, level: sql`one.level_rank`, inherited: sql`folders.rank` })}, folders.mine
        from folders join collections as one on one.parent_id = folders.id
        cross join lateral ${rankIn('given', sql`one.id`)} as given)`,
    )
}

/**
 * The rank that a set of `withEffectiveRoles` has for an id, for a lateral join. The set is turned into one value, in
 * which each id is looked up: PostgreSQL has no statistics on a computed set, and a join may read it again for every
 * row.
 */
export const rankIn = (set: 'given' | 'folders', id: RawBuilder<unknown>) =>
  sql<{ rank: number | null }>`(
    select ((select jsonb_object_agg(id, rank) from ${sql.table(set)}) ->> ${id})::smallint as rank)`

/** Spaces, including deleted ones, each with what decides the person's rank on it: `RANK_ON_SPACE`. */
export const allSpacesWithEffectiveRole = (db: Db, person: Person, only?: string) =>
  withEffectiveRoles(db, person, only)
    .selectFrom('spaces')
    .leftJoin('memberships', 'memberships.organization_id', 'spaces.organization_id')
    .leftJoinLateral(rankIn('given', sql`spaces.id`).as('given'), join => join.onTrue())
    .leftJoinLateral(rankIn('folders', sql`spaces.parent_id`).as('folders'), join => join.onTrue())

/** The same without deleted spaces. */
export const spacesWithEffectiveRole = (db: Db, person: Person, only?: string) =>
  allSpacesWithEffectiveRole(db, person, only).where('spaces.deleted_at', 'is', null)

/**
 * Whether a space may be seen, through a role on it or because it is open. Same result as `allows('space', 'view',
 * …)` of `roleOnSpace`.
 */
export const maySeeSpace = (
  visibility: RawBuilder<unknown>,
  operands: Required<RankOperands>,
): RawBuilder<boolean> => sql<boolean>`(${visibility} in ('public', 'unlisted') or ${effectiveRank(operands)} > 0
  or (${visibility} = 'in-collection' and coalesce(${operands.inherited}, 0) > 0))`

const OF_SPACE: Required<RankOperands> = {
  inOrganization: sql`memberships.rank`,
  granted: sql`given.rank`,
  level: sql`spaces.level_rank`,
  inherited: sql`folders.rank`,
}

/** For `spacesWithEffectiveRole`: the person's role on the space as a rank, 0 for none. */
export const RANK_ON_SPACE: RawBuilder<number> = effectiveRank(OF_SPACE)

/** For `spacesWithEffectiveRole`: whether the person may see the space. */
export const MAY_SEE_SPACE: RawBuilder<boolean> = maySeeSpace(sql`spaces.visibility`, OF_SPACE)

/**
 * The members of the organization with their rank on one resource: rows of `members`, and `rank`, 0 for no role, as
 * for disabled members. The grants on the way are read once, not for each person.
 */
export const membersWithEffectiveRole = (db: Db, organizationId: string, thing: Resource) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin(nearestGiven(thing).as('given'), 'given.user_id', 'members.user_id')
    .leftJoin(nearestLevel(thing).as('stop'), join => join.onTrue())
    .where('members.organization_id', '=', organizationId)
    .select(RANK_ON_RESOURCE.as('rank'))

const RANK_ON_RESOURCE: RawBuilder<number> = effectiveRank({
  inOrganization: sql`case when members.disabled then null else members.rank end`,
  granted: sql`case when stop.depth is null or given.depth <= stop.depth then given.rank end`,
  level: sql`stop.level_rank`,
})

/** For each person with a grant on the way: the first step that has one, and the rank there. */
const nearestGiven = (thing: Resource) => sql<{ user_id: string; depth: number; rank: number }>`(
  ${wayUp(thing)},
  entries as (
    select way.depth, one.user_id, one.team_id, one.rank from way cross join lateral (
      select user_id, team_id, rank from grants where grants.space_id = way.id
      union all select user_id, team_id, rank from grants where grants.collection_id = way.id) as one),
  said as (
    select user_id, depth, true as is_own, rank from entries where user_id is not null
    union all
    select team_members.user_id, depth, false, entries.rank
    from entries join team_members on team_members.team_id = entries.team_id)
  select distinct on (user_id) user_id, depth, rank from said order by user_id, depth, is_own desc, rank desc)`

/** The first step with an explicit level; no row if all are inherited. */
const nearestLevel = (thing: Resource) => sql<{ depth: number; level_rank: number }>`(
  ${wayUp(thing)}
  select depth, level_rank from way where level_rank is not null order by depth limit 1)`
