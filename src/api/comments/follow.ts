// Comments follow their targets. When the head of a space or of a change request moves, the anchors of its comments
// move with it in the same transaction, so that no comment is ever shown beside the wrong paragraph.
import { type NotNull, sql } from 'kysely'
import { assert } from '../../base/assert.ts'
import { monotonicMs } from '../../base/clock.ts'
import type { Anchor, FollowedChange } from '../../compute/anchors.ts'
import type { Compute } from '../../compute/compute.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import { type Hash, pageKey, splitKey } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { diffEntriesAt } from '../../engines/content/trie-diff-keys.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { transactionReads } from '../content/objects.ts'
// Declares the events.

import { type DiscussionId, isOf } from './rows.ts'

export function listenAsComments(events: Events, compute: Compute): void {
  events.within(
    'space.published',
    (trx, { spaceId, payload }) => {
      assert(spaceId, 'a published space has an id')
      return follow(trx, compute, { spaceId, changeRequestId: null }, payload)
    },
    space => sql`has_commented_pages(${sql.ref(`${space}.id`)}, null)`,
  )
  events.within(
    'change_request.edited',
    (trx, { spaceId, payload }) => {
      assert(spaceId, 'an edited change request has a space')
      return follow(trx, compute, { spaceId, changeRequestId: payload.changeRequest }, payload)
    },
    changeRequest =>
      sql`has_commented_pages(${sql.ref(`${changeRequest}.space_id`)}, ${sql.ref(`${changeRequest}.id`)})`,
  )
}

type Move = { readonly previous: string; readonly revision: string }

/**
 * Compares the pages with comments, and reads the documents of those that changed, one page at a time.
 */
async function follow(
  trx: Trx,
  compute: Compute,
  discussion: DiscussionId,
  { previous, revision }: Move,
): Promise<void> {
  const pages = await listCommentedPages(trx, discussion)
  if (pages.length === 0) return
  const reads = transactionReads(trx)
  const compare = comparer(compute, discussion.spaceId, COMPARING_MS_MAX)
  const rootOf = await findRoots(trx, [previous, revision])
  const changes = await diffEntriesAt(reads, rootOf(previous), rootOf(revision), pages.map(pageKey))
  for (const { key, before, after } of changes) {
    // undefined without a page, null for a page without a document
    const [documentBefore, documentAfter] = [before?.document, after?.document]
    if (documentBefore === documentAfter) continue
    await followPage(trx, compare, reads, discussion, splitKey(key)[1], documentBefore, documentAfter)
  }
}

async function followPage(
  trx: Trx,
  compare: Compare,
  reads: ObjectReads,
  discussion: DiscussionId,
  pageId: string,
  before: Hash | null | undefined,
  after: Hash | null | undefined,
): Promise<void> {
  const rows = await listAnchors(trx, discussion, pageId)
  const anchors = rows.map(toAnchor)
  const hasBlocks = anchors.some(({ node }) => node !== null)
  const texts = hasBlocks ? await readTexts(reads, [before, after]) : new Map<Hash, string>()
  const textOf = (hash: Hash | null | undefined): string | null =>
    hash === undefined ? null : hash === null ? '' : (texts.get(hash) ?? '')
  const following = { before: textOf(before), after: textOf(after), anchors }
  const followed = await compare(following)
  const changed = rows.flatMap((row, index) => {
    const anchor = followed[index]
    return anchor === undefined || isSame(anchor, toAnchor(row)) ? [] : [{ id: row.id, anchor }]
  })
  await updateAnchors(trx, changed)
}

// The transaction holds the only session of an embedded database during this time.
const COMPARING_MS_MAX = 3_000

type Compare = (change: FollowedChange) => Promise<readonly Anchor[]>

/** Compares pages until the time is up; anchors on later pages become outdated. */
export function comparer(compute: Pick<Compute, 'run'>, spaceId: string, msMax: number): Compare {
  const end = monotonicMs() + msMax
  return async following => {
    if (monotonicMs() >= end) return following.anchors.map(lost)
    const outcome = await compute.run('followedAnchors', spaceId, following)
    return outcome.kind === 'done' ? outcome.value : following.anchors.map(lost)
  }
}

async function readTexts(
  reads: ObjectReads,
  documents: readonly (Hash | null | undefined)[],
): Promise<Map<Hash, string>> {
  const hashes = documents.filter(hash => typeof hash === 'string')
  const bodies = await reads.getMany(hashes)
  for (const hash of hashes) assert(bodies.has(hash), `document ${hash} of a revision is there`)
  return new Map([...bodies].map(([hash, body]) => [hash, decodeDocument(body)]))
}

type AnchorRow = Awaited<ReturnType<typeof listAnchors>>[number]

const toAnchor = (row: AnchorRow): Anchor => ({
  node: row.node,
  cell:
    row.table_record === null || row.table_definition === null
      ? null
      : { record: row.table_record, definition: row.table_definition },
  isOutdated: row.outdated,
})

/** On a page that was too large to compare. */
const lost = (anchor: Anchor): Anchor => ({ ...anchor, isOutdated: true })

const isSame = (a: Anchor, b: Anchor): boolean =>
  a.node === b.node &&
  a.isOutdated === b.isOutdated &&
  a.cell?.record === b.cell?.record &&
  a.cell?.definition === b.cell?.definition

async function listCommentedPages(trx: Trx, discussion: DiscussionId): Promise<string[]> {
  const rows = await trx
    .selectFrom('comments')
    .select('page_id')
    .distinct()
    .where(isOf(discussion))
    .where('page_id', 'is not', null)
    .$narrowType<{ page_id: NotNull }>()
    .execute()
  return rows.map(row => row.page_id)
}

const listAnchors = (trx: Trx, discussion: DiscussionId, pageId: string) =>
  trx
    .selectFrom('comments')
    .select(['id', 'node', 'table_record', 'table_definition', 'outdated'])
    .where(isOf(discussion))
    .where('page_id', '=', pageId)
    .execute()

async function findRoots(trx: Trx, revisions: readonly string[]): Promise<(id: string) => Hash> {
  const rows = await trx
    .selectFrom('revisions')
    .select(['id', 'root_hash'])
    .where('id', 'in', [...revisions])
    .execute()
  const roots = new Map(rows.map(row => [row.id, row.root_hash.toString('hex')]))
  return id => {
    const root = roots.get(id)
    assert(root !== undefined, `revision ${id} of an event exists`)
    return root
  }
}

/** One statement for any number of comments. */
async function updateAnchors(
  trx: Trx,
  changed: readonly { readonly id: string; readonly anchor: Anchor }[],
): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map(({ id }) => id)
  const nodes = changed.map(({ anchor }) => anchor.node)
  const records = changed.map(({ anchor }) => anchor.cell?.record ?? null)
  const definitions = changed.map(({ anchor }) => anchor.cell?.definition ?? null)
  const outdated = changed.map(({ anchor }) => anchor.isOutdated)
  await sql`update comments set node = moved.node, outdated = moved.outdated,
      table_record = moved.record, table_definition = moved.definition
    from unnest(${ids}::text[], ${nodes}::text[], ${records}::text[], ${definitions}::text[], ${outdated}::boolean[])
      as moved (id, node, record, definition, outdated)
    where comments.id = moved.id`.execute(trx)
}
