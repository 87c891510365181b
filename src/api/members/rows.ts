// SQL over memberships.
import { type NotNull, sql } from 'kysely'
import type { MemberRole } from '../../access/policy.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, page } from '../../platform/db/page.ts'
import type { ListMembers } from './schema.ts'
import { HAS_FACTOR } from './second-factor.ts'
import type { MemberRow } from './wire.ts'

/** The members of an organization with their users. */
export const selectMembers = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.display_name', 'users.email', 'users.photo_url'])
    .select(['members.role', 'members.disabled', 'members.sso', 'members.joined_at', 'members.last_seen_at'])
    .where('members.organization_id', '=', organizationId)

export const findMember = (
  db: Db | Trx,
  organizationId: string,
  userId: string,
): Promise<MemberRow | undefined> =>
  selectMembers(db, organizationId).where('members.user_id', '=', userId).executeTakeFirst()

/** The names of those of these users who belong to the organization, by id. */
export async function findNames(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.display_name'])
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.id, row.display_name]))
}

/** By time of joining, or by last activity: then only members with any, who are not disabled. */
export function listMembers(
  db: Db,
  organizationId: string,
  { page: token, limit, order = 'desc', sort = 'joinedAt', role, search, secondFactor }: ListMembers,
): Promise<Page<MemberRow>> {
  let members = selectMembers(db, organizationId)
  if (role === 'guest') members = members.where('members.role', 'is', null)
  else if (role !== undefined) members = members.where('members.role', '=', role)
  if (search !== undefined) members = members.where(isFound(search))
  if (secondFactor === true) members = members.where(HAS_FACTOR)
  if (secondFactor === false)
    members = members.where(sql<boolean>`not ${HAS_FACTOR}`).where('members.sso', '=', false)
  const filters = { role: role ?? null, search: search ?? null, secondFactor: secondFactor ?? null }
  const question = { list: 'members', organization: organizationId, ...filters }
  if (sort === 'joinedAt') {
    const by = [['joined_at', order] as const, ['id', order] as const]
    return page(members, { question, by, page: token, limit })
  }
  const seen = members
    .where('members.last_seen_at', 'is not', null)
    .where('members.disabled', '=', false)
    .$narrowType<{ last_seen_at: NotNull }>()
  const by = [['last_seen_at', order] as const, ['id', order] as const]
  return page(seen, { question, by, page: token, limit })
}

/** Whether the name or the email address contains the text, literally. */
export const isFound = (
  search: string,
) => sql<boolean>`(strpos(lower(users.display_name), lower(${search})) > 0
  or strpos(lower(users.email), lower(${search})) > 0)`

/** Those of these people who belong to the organization; they stay in it until the transaction ends. */
export async function lockMembers(
  trx: Trx,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .orderBy('user_id')
    .forKeyShare()
    .execute()
  return new Set(rows.map(row => row.user_id))
}

/**
 * A member and every active admin, locked in a fixed order until the transaction ends: changes that could leave an
 * organization without an admin take turns and cannot deadlock.
 */
export const lockMemberAndAdmins = (trx: Trx, organizationId: string, userId: string) =>
  trx
    .selectFrom('members')
    .select(['user_id', 'role', 'disabled', 'sso'])
    .where('organization_id', '=', organizationId)
    .where(({ or, and, eb }) =>
      or([eb('user_id', '=', userId), and([eb('role', '=', 'admin'), eb('disabled', '=', false)])]),
    )
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute()

/** Makes a person a member; an existing member keeps their role. */
export const insertMember = (
  trx: Trx,
  member: { organization_id: string; user_id: string; role: MemberRole | null },
) =>
  trx
    .insertInto('members')
    .values(member)
    .onConflict(conflict => conflict.columns(['organization_id', 'user_id']).doNothing())
    .execute()

export const updateMember = (
  trx: Trx,
  organizationId: string,
  userId: string,
  change: { role?: MemberRole | null; disabled?: boolean; sso?: boolean },
) =>
  trx
    .updateTable('members')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()

export const removeMember = (trx: Trx, organizationId: string, userId: string) =>
  trx
    .deleteFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()

/**
 * When people were last seen in the organizations that their sessions open, in one statement: the time of the last use,
 * where they were not seen within `seconds` before it.
 */
export async function updateSeenInSessions(
  db: Db,
  uses: ReadonlyMap<string, Date>,
  seconds: number,
): Promise<void> {
  if (uses.size === 0) return
  const ids = [...uses.keys()]
  const times = [...uses.values()].map(date => date.toISOString())
  await sql`update members set last_seen_at = seen.at
    from (
      select member.organization_id, member.user_id, max(uses.at) as at
      from unnest(${ids}::text[], ${times}::timestamptz[]) as uses (id, at)
      join sessions on sessions.id = uses.id
      join members as member on member.user_id = sessions.user_id
      where case when sessions.organization_id is null
        then not (member.sso and sessions.method = 'password')
        else sessions.organization_id = member.organization_id end
      group by member.organization_id, member.user_id) as seen
    where members.organization_id = seen.organization_id and members.user_id = seen.user_id and not members.disabled
      and (members.last_seen_at is null or members.last_seen_at < seen.at - make_interval(secs => ${seconds}))`.execute(
    db,
  )
}

/** Writes nothing, not even a row version, for somebody who was seen since `before`. */
export const updateLastSeen = (db: Db, organizationId: string, userId: string, at: Date, before: Date) =>
  db
    .updateTable('members')
    .set({ last_seen_at: at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', before)]))
    .execute()
