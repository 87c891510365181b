// SQL over invitations.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { MemberRole } from '../../access/policy.ts'
import {
  decide,
  findAncestry,
  type Person,
  RANK_ON_SPACE,
  type Resource,
  rankIn,
  rankOf,
  withEffectiveRoles,
} from '../../access/roles.ts'
import { now } from '../../base/clock.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { LinkInvites } from '../../platform/db/tables.ts'
import type { CollectionRow } from '../collections/rows.ts'

export type InviteRow = Omit<Selectable<LinkInvites>, 'role'> & { readonly role: MemberRole | null }

/** The target of an invitation; null for the organization itself. */
export const resourceOf = ({ space_id, collection_id }: InviteRow): Resource | null => {
  if (space_id !== null) return { kind: 'space', id: space_id }
  return collection_id === null ? null : { kind: 'collection', id: collection_id }
}

/** Without those whose target was deleted or transferred. */
const invitesOf = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('link_invites')
    .where('link_invites.organization_id', '=', organizationId)
    .where(sql<boolean>`(link_invites.space_id is null or exists (select from spaces
      where spaces.id = link_invites.space_id and spaces.deleted_at is null
        and spaces.organization_id = link_invites.organization_id))`)
    .where(sql<boolean>`(link_invites.collection_id is null or exists (select from collections
      where collections.id = link_invites.collection_id
        and collections.organization_id = link_invites.organization_id))`)

const selectInvites = (db: Db | Trx, organizationId: string) =>
  invitesOf(db, organizationId).selectAll('link_invites').$narrowType<InviteRow>()

export const findInvite = (
  db: Db | Trx,
  organizationId: string,
  id: string,
): Promise<InviteRow | undefined> =>
  selectInvites(db, organizationId).where('link_invites.id', '=', id).executeTakeFirst()

/** The row, locked until the transaction ends. */
export const lockInvite = (trx: Trx, organizationId: string, id: string): Promise<InviteRow | undefined> =>
  selectInvites(trx, organizationId)
    .where('link_invites.id', '=', id)
    .forUpdate('link_invites')
    .executeTakeFirst()

/**
 * The invitations that somebody administrates, newest first: admins of the organization all, others those to spaces
 * and collections where they are admins.
 */
export const listInvites = (db: Db, organizationId: string, person: Person, query: PageQuery) =>
  page(
    withEffectiveRoles(db, person, organizationId)
      .selectFrom('link_invites')
      .innerJoin('memberships', 'memberships.organization_id', 'link_invites.organization_id')
      .leftJoin('spaces', 'spaces.id', 'link_invites.space_id')
      .leftJoin('collections', 'collections.id', 'link_invites.collection_id')
      .leftJoinLateral(rankIn('given', sql`spaces.id`).as('given'), join => join.onTrue())
      .leftJoinLateral(
        rankIn('folders', sql`coalesce(link_invites.collection_id, spaces.parent_id)`).as('folders'),
        join => join.onTrue(),
      )
      .selectAll('link_invites')
      .where('link_invites.organization_id', '=', organizationId)
      .where(sql<boolean>`(memberships.rank = ${ADMIN_RANK} or case
        when link_invites.space_id is not null then ${RANK_ON_SPACE} = ${ADMIN_RANK}
        when link_invites.collection_id is not null then folders.rank = ${ADMIN_RANK}
        else false end)`)
      .where(sql<boolean>`(link_invites.space_id is null
        or (spaces.deleted_at is null and spaces.organization_id = link_invites.organization_id))`)
      .where(sql<boolean>`(link_invites.collection_id is null
        or collections.organization_id = link_invites.organization_id)`)
      .$narrowType<InviteRow>(),
    {
      question: { list: 'link-invites', organization: organizationId, person: person.userId },
      by: [
        ['created_at', 'desc'],
        ['id', 'desc'],
      ],
      ...query,
    },
  )

const ADMIN_RANK = rankOf('admin')

/** The targets of invitations. */
export async function findCollections(db: Db, ids: readonly string[]): Promise<CollectionRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('collections').selectAll().where('id', 'in', ids).execute()
}

/** Those that have not expired, and let somebody in. */
export const countInvites = (trx: Trx, organizationId: string): Promise<number> =>
  countRows(
    invitesOf(trx, organizationId)
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]))
      .where(({ eb, or, ref }) => or([eb('uses_max', 'is', null), eb('uses', '<', ref('uses_max'))])),
  )

export const insertInvite = (trx: Trx, row: Insertable<LinkInvites>) =>
  trx.insertInto('link_invites').values(row).execute()

export const updateInvite = (
  trx: Trx,
  id: string,
  change: { role?: MemberRole | null; expires_at?: Date | null; uses?: number; uses_max?: number | null },
) => trx.updateTable('link_invites').set(change).where('id', '=', id).execute()

export const removeInvite = (trx: Trx, id: string) =>
  trx.deleteFrom('link_invites').where('id', '=', id).returning('id').executeTakeFirst()

/** Membership in an organization and role on a resource of it, as the transaction sees them. */
export type Rights = {
  /** Undefined: no member. */
  readonly member:
    | { readonly role: MemberRole | null; readonly disabled: boolean; readonly sso: boolean }
    | undefined
  /** On the resource; without one, in the organization. */
  readonly role: MemberRole | null
  /** Whether their access to the resource was explicitly denied. */
  readonly isKeptOut: boolean
}

export async function findRights(
  trx: Trx,
  organizationId: string,
  userId: string,
  resource: Resource | null,
): Promise<Rights> {
  const member = await trx
    .selectFrom('members')
    .select(['role', 'disabled', 'sso'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const inOrganization = member === undefined || member.disabled ? null : (member.role ?? 'guest')
  const way = resource === null ? [] : await findAncestry(trx, userId, resource)
  return {
    member,
    role: decide(inOrganization, way).role,
    isKeptOut: way[0]?.own === 'none' && inOrganization !== 'admin',
  }
}

/** Whether an identity provider of the organization is set up completely. */
export async function hasActiveProvider(trx: Trx, organizationId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('saml_providers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('entity_id', '!=', '')
    .where('certificate', '!=', '')
    .where('sso_url', '!=', '')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Those of these people who belong to another organization. */
export async function findMembersElsewhere(
  trx: Trx,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('members')
    .select('user_id')
    .distinct()
    .where('organization_id', '!=', organizationId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .execute()
  return new Set(rows.map(row => row.user_id))
}
