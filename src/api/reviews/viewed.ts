// Which pages of a change request its reader has viewed. Each is kept with a hash of the page as it was, so that a page
// that changes afterwards is no longer viewed.

import { assertDefined } from '../../base/assert.ts'
import { canonicalJson, type Json, sha256 } from '../../base/canonical.ts'
import { invalid } from '../../base/errors.ts'
import { type Hash, type PageRecord, pageKey } from '../../engines/content/records.ts'
import { readEntries } from '../../engines/content/trie.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { mergeBaseOf } from '../change-requests/state.ts'
import { findCachedRevision } from '../content/place.ts'
import type { MarkViewed, ViewedPages } from './schema.ts'

/** For one person in one change request; the oldest are forgotten. */
const VIEWED_MAX = 2_000

type Reads = Pick<Services, 'db' | 'rowCache' | 'objects'>

export async function readViewed(services: Reads, at: ChangeRequestAt, userId: string): Promise<ViewedPages> {
  const { changeRequest } = at
  const rows = await listViewed(services.db, changeRequest.id, userId)
  const root = changeRequest.root_hash.toString('hex')
  const hashes = await hashesAt(
    services,
    root,
    rows.map(({ page_id }) => page_id),
  )
  const pages = rows.map(({ page_id, hash }) => ({
    page: page_id,
    hash,
    current: hashes.get(page_id) === hash,
  }))
  return { revision: changeRequest.revision_id, pages }
}

/**
 * Marks pages as viewed, as they are in the revision that was read, or no longer. Throws `invalid` for a revision that
 * is not one of the space, and for a page that neither it nor the base of the change request has.
 */
export async function markViewed(
  context: ActionContext,
  at: ChangeRequestAt,
  { revision, pages }: MarkViewed,
): Promise<ViewedPages> {
  const { changeRequest } = at
  const userId = context.principal.user.id
  const ids = pages.map(({ page }) => page)
  const root = await rootOf(context, at, revision ?? changeRequest.revision_id)
  const base = await rootOf(context, at, mergeBaseOf(changeRequest))
  const [hashes, before] = [await hashesAt(context, root, ids), await hashesAt(context, base, ids)]
  for (const [index, id] of ids.entries())
    if (hashes.get(id) === ABSENT && before.get(id) === ABSENT)
      throw invalid(
        'page_unknown',
        `body.pages[${index}].page: there is no such page in the change request. Take the id of one that it changes.`,
      )
  const isViewed = new Map(pages.map(({ page, viewed }) => [page, viewed]))
  await context.transaction(async trx => {
    await removeViewed(trx, changeRequest.id, userId, [...isViewed.keys()])
    const rows = [...isViewed].flatMap(([page_id, viewed]) =>
      viewed ? [{ page_id, hash: assertDefined(hashes.get(page_id), 'every page has a hash') }] : [],
    )
    await insertViewed(trx, changeRequest.id, userId, rows)
  })
  return readViewed(context, at, userId)
}

async function rootOf(services: Reads, { space }: ChangeRequestAt, revisionId: string): Promise<Hash> {
  const row = await findCachedRevision(services, space.id, revisionId)
  if (row === undefined)
    throw invalid('revision_unknown', 'body.revision: the space has no such revision. Send the one you read.')
  return row.root_hash.toString('hex')
}

const ABSENT = sha256('null')

async function hashesAt(
  { objects }: Pick<Services, 'objects'>,
  root: Hash,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const entries = await readEntries(objects, root, ids.map(pageKey))
  return new Map(ids.map(id => [id, hashOf(entries.get(pageKey(id)))]))
}

/** Of what a reader of the page sees: not of its children, nor of how it is kept in a repository. */
function hashOf(record: PageRecord | undefined): string {
  if (record === undefined) return ABSENT
  const { children: _, file: _file, oid: _oid, isExecutable: _mode, createdAt: _made, ...rest } = record
  const { updatedAt: _changed, ...seen } = rest
  return sha256(canonicalJson(seen as unknown as Json))
}

const listViewed = (db: Db, changeRequestId: string, userId: string) =>
  db
    .selectFrom('viewed_pages')
    .select(['page_id', 'hash'])
    .where('change_request_id', '=', changeRequestId)
    .where('user_id', '=', userId)
    .orderBy('viewed_at', 'desc')
    .orderBy('page_id')
    .limit(VIEWED_MAX)
    .execute()

const removeViewed = (trx: Trx, changeRequestId: string, userId: string, pages: readonly string[]) =>
  trx
    .deleteFrom('viewed_pages')
    .where('change_request_id', '=', changeRequestId)
    .where('user_id', '=', userId)
    .where('page_id', 'in', [...pages])
    .execute()

async function insertViewed(
  trx: Trx,
  changeRequestId: string,
  userId: string,
  rows: readonly { readonly page_id: string; readonly hash: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('viewed_pages')
    .values(rows.map(row => ({ ...row, change_request_id: changeRequestId, user_id: userId })))
    .onConflict(at =>
      at
        .columns(['change_request_id', 'user_id', 'page_id'])
        .doUpdateSet(set => ({ hash: set.ref('excluded.hash') })),
    )
    .execute()
  await trx
    .deleteFrom('viewed_pages')
    .where('change_request_id', '=', changeRequestId)
    .where('user_id', '=', userId)
    .where('page_id', 'not in', of =>
      of
        .selectFrom('viewed_pages')
        .select('page_id')
        .where('change_request_id', '=', changeRequestId)
        .where('user_id', '=', userId)
        .orderBy('viewed_at', 'desc')
        .orderBy('page_id')
        .limit(VIEWED_MAX),
    )
    .execute()
}
