// What people watch: they are told of what happens there without taking part.
import { sql } from 'kysely'
import { conflict, orMissing } from '../../base/errors.ts'
import { pageKey } from '../../engines/content/records.ts'
import { readEntries } from '../../engines/content/trie.ts'
import type { ActionContext } from '../../http/context.ts'
import type { ContentAt } from '../content/place.ts'
import type { Watched } from './schema.ts'

/** A space; or a page or a change request in it. */
export type Thing = {
  readonly spaceId: string
  readonly pageId?: string
  readonly changeRequestId?: string
}

/** Of one person. */
const WATCHES_MAX = 1_000

/** Idempotent. Throws `conflict` beyond WATCHES_MAX. */
export async function watch(
  { principal, transaction }: ActionContext,
  { spaceId, pageId, changeRequestId }: Thing,
): Promise<void> {
  const userId = principal.user.id
  await transaction(async trx => {
    await trx
      .insertInto('watches')
      .values({
        user_id: userId,
        space_id: spaceId,
        page_id: pageId ?? null,
        change_request_id: changeRequestId ?? null,
      })
      .onConflict(at => at.constraint('watches_thing').doNothing())
      .execute()
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from watches where user_id = ${userId}`.execute(trx)
    if ((rows[0]?.count ?? 0) > WATCHES_MAX)
      throw conflict(
        'watches_too_many',
        `You watch ${WATCHES_MAX} spaces, pages and change requests, which is the most. Stop watching others first.`,
      ).withValues({ max: WATCHES_MAX })
  })
}

/** A page of the content that is looked at. Throws `missing` for any other. */
export async function watchPage(
  context: ActionContext,
  { space, root }: ContentAt,
  pageId: string,
): Promise<void> {
  const key = pageKey(pageId)
  const entries = await readEntries(context.objects, root, [key])
  orMissing(entries.get(key), 'page')
  await watch(context, { spaceId: space.id, pageId })
}

/** Idempotent: succeeds if it was not watched. */
export async function unwatch(
  { principal, transaction }: ActionContext,
  { spaceId, pageId, changeRequestId }: Thing,
): Promise<void> {
  await transaction(trx =>
    trx
      .deleteFrom('watches')
      .where('user_id', '=', principal.user.id)
      .where('space_id', '=', spaceId)
      .where('page_id', pageId === undefined ? 'is' : '=', pageId ?? null)
      .where('change_request_id', changeRequestId === undefined ? 'is' : '=', changeRequestId ?? null)
      .execute(),
  )
}

/** What the caller watches in a space. */
export async function readWatched(
  { db, principal }: Pick<ActionContext, 'db' | 'principal'>,
  spaceId: string,
): Promise<Watched> {
  const rows = await db
    .selectFrom('watches')
    .select(['page_id', 'change_request_id'])
    .where('user_id', '=', principal.user.id)
    .where('space_id', '=', spaceId)
    .orderBy('watched_at')
    .execute()
  return {
    object: 'watched',
    space: rows.some(row => row.page_id === null && row.change_request_id === null),
    pages: rows.flatMap(({ page_id }) => page_id ?? []),
    changeRequests: rows.flatMap(({ change_request_id }) => change_request_id ?? []),
  }
}
