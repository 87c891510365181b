// SQL over spaces.
import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Principal, UserPrincipal } from '../../access/principal.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Spaces } from '../../platform/db/tables.ts'

/** A space with the hash of its head's content and with its repository. */
export type SpaceRow = Selectable<Spaces> & {
  readonly root_hash: Buffer
  readonly git: {
    provider: string | null
    url: string | null
    repo_name: string | null
    updated_at: string
  } | null
  readonly counts: {
    /** Open comments on the space itself. */
    readonly comments: number
    readonly change_requests: number
    readonly open: number
    readonly draft: number
  }
}

/**
 * Every column the room needs, in one query: the head's root, the repository and the counts come with it. The row is
 * read again after every write, so a count visits an index, and of that only what is open: change requests are never
 * deleted, so the highest number says how many there are.
 */
const selectSpaces = (db: Db | Trx) =>
  db
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .leftJoin('git_links', 'git_links.space_id', 'spaces.id')
    .selectAll('spaces')
    .select('revisions.root_hash')
    .select(
      sql<SpaceRow['git']>`case when git_links.space_id is null then null else json_build_object(
        'provider', git_links.provider, 'url', git_links.url, 'repo_name', git_links.repo_name,
        'updated_at', git_links.updated_at) end`.as('git'),
    )
    .select(
      sql<SpaceRow['counts']>`(select json_build_object(
          'open', count(*) filter (where status = 'open'), 'draft', count(*) filter (where status = 'draft'),
          'change_requests', coalesce((select max(number) from change_requests as every
            where every.space_id = spaces.id), 0),
          'comments', (select count(*) from comments where comments.space_id = spaces.id
            and comments.change_request_id is null and comments.resolved_at is null))
        from change_requests where change_requests.space_id = spaces.id
          and change_requests.status in ('open', 'draft'))`.as('counts'),
    )

export const findSpace = (db: Db | Trx, id: string): Promise<SpaceRow | undefined> =>
  selectSpaces(db).where('spaces.id', '=', id).executeTakeFirst()

/**
 * The row of a space, deleted or not, locked until the transaction ends: writers of one space take turns. Its key is
 * not locked, so that rows which only refer to the space never wait for one of these.
 */
export const lockAnySpace = (trx: Trx, id: string): Promise<Selectable<Spaces> | undefined> =>
  trx.selectFrom('spaces').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The same of a space that is not deleted. */
export async function lockSpace(trx: Trx, id: string): Promise<Selectable<Spaces> | undefined> {
  const space = await lockAnySpace(trx, id)
  return space?.deleted_at === null ? space : undefined
}

/**
 * The spaces of an organization that a member may see, by position. The condition says in SQL what
 * `roleOnSpace` says of one row, so that a page of results is always full and the count true.
 */
export function listSpaces(db: Db, organizationId: string, principal: UserPrincipal, query: PageQuery) {
  const role = principal.memberships.get(organizationId) ?? null
  const spaces = selectSpaces(db)
    .where('spaces.organization_id', '=', organizationId)
    .where('spaces.deleted_at', 'is', null)
  return page(visibleTo(spaces, role), {
    question: { list: 'spaces', organization: organizationId, role },
    by: [
      ['position', 'asc'],
      ['id', 'asc'],
    ],
    ...query,
  })
}

const visibleTo = <Q extends SelectQueryBuilder<never, never, unknown>>(spaces: Q, role: string | null): Q =>
  spaces.where(isVisibleTo(role) as never) as Q

function isVisibleTo(role: string | null) {
  if (role === 'admin') return sql<boolean>`true`
  const isOpen = sql<boolean>`spaces.visibility in ('public', 'unlisted')`
  return role === null ? isOpen : sql<boolean>`(spaces.default_level <> 'none' or ${isOpen})`
}

/** How many spaces of an organization a member with this role in it may see; null is a guest's. One query for all roles. */
export async function countVisibleSpaces(
  db: Db,
  organizationId: string,
): Promise<(role: string | null) => number> {
  const countOf = (role: string | null) =>
    sql<number>`(count(*) filter (where ${isVisibleTo(role)}))::integer`
  const counts = await db
    .selectFrom('spaces')
    .select([countOf('admin').as('admin'), countOf('read').as('member'), countOf(null).as('guest')])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return role => (role === 'admin' ? counts.admin : role === null ? counts.guest : counts.member)
}

/**
 * Narrows to the spaces that a member with this role in the organization belongs to: where `access` is allowed. In SQL,
 * so that a page of what hangs on spaces is full and its count true.
 */
export function accessibleTo<Q extends SelectQueryBuilder<never, never, unknown>>(
  query: Q,
  role: string | null,
): Q {
  if (role === 'admin') return query
  const accessible = role === null ? sql<boolean>`false` : sql<boolean>`spaces.default_level <> 'none'`
  return query.where(accessible as never) as Q
}

/** Spaces in any organization that somebody may find: public ones, and those of their organizations they may see. */
export function visibleSpaces(db: Db, principal: Principal) {
  const memberships = principal.kind === 'user' ? [...principal.memberships] : []
  const admins = memberships.filter(([, role]) => role === 'admin').map(([id]) => id)
  const others = memberships.filter(([, role]) => role !== 'admin' && role !== null).map(([id]) => id)
  return selectSpaces(db)
    .where('spaces.deleted_at', 'is', null)
    .where(
      sql<boolean>`(spaces.visibility = 'public' or spaces.organization_id = any(${admins}::text[])
      or (spaces.organization_id = any(${others}::text[]) and spaces.default_level <> 'none'))`,
    )
}

export const insertSpace = (trx: Trx, row: Insertable<Spaces>) =>
  trx.insertInto('spaces').values(row).execute()

export const insertProjection = (trx: Trx, id: string) =>
  trx.insertInto('projections').values({ id }).execute()

export const updateSpace = (trx: Trx, id: string, change: Updateable<Spaces>) =>
  trx.updateTable('spaces').set(change).where('id', '=', id).execute()

/** How many spaces point at one set of live rows. */
export async function countSharers(trx: Trx, projectionId: string): Promise<number> {
  const row = await trx
    .selectFrom('spaces')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('projection_id', '=', projectionId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * Removes spaces that were deleted before `before`, in batches, so that one purge is never one long transaction. One
 * that somebody is writing at this moment, perhaps to restore it, is left for the next purge.
 */
export async function removeDeletedSpaces(
  trx: Trx,
  before: Date,
  batch: number,
): Promise<{ id: string; organization_id: string }[]> {
  const gone = await trx
    .selectFrom('spaces')
    .select(['id', 'organization_id'])
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute()
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id)
    await trx.deleteFrom('spaces').where('id', 'in', ids).execute()
  }
  return gone
}

/** Sets of live rows that no space points at any more. */
export const removeUnusedProjections = (trx: Trx) =>
  trx
    .deleteFrom('projections')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('spaces').select('spaces.id').whereRef('spaces.projection_id', '=', 'projections.id'),
        ),
      ),
    )
    .execute()
