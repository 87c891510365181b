// Changes to pages as they were read. A change with a `base` is applied to its page as it was in that revision, in a
// content that is otherwise the head; the result is then merged with the head. So what others changed in the page since
// is kept or conflicts, and everything else of the request meets the content as it is.
import { conflict, type Failure, invalid } from '../../base/errors.ts'
import { contentOf } from '../../engines/content/content.ts'
import type { Conflict } from '../../engines/content/merge.ts'
import {
  type Entry,
  equalRecords,
  type Hash,
  isPageKey,
  type PageKey,
  type PageRecord,
  pageKey,
} from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { applyEdits, readEntries } from '../../engines/content/trie.ts'
import { overlay } from '../../engines/content/trie-nodes.ts'
import type { Context } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { mergeContents, refuseTooLarge } from '../conflicts/merging.ts'
import type { MessageSide } from '../conflicts/messages.ts'
import { toConflicts } from '../conflicts/wire.ts'
import type { NewContent } from '../heads/write.ts'
import { findRevisions, type RevisionRow } from '../spaces/revisions.ts'
import type { Applied } from './batch/batch.ts'
import { type Change, refuse } from './request/schema.ts'

type Version = { readonly revisionId: string; readonly root: Hash }

/** A page and the revision that it was read in. */
export type PageBase = { readonly index: number; readonly key: PageKey } & Version

/**
 * The bases that changes name, one for each page. `isOwn`: whether a revision is in the history of the content.
 * Throws `invalid` (base_unknown) for any other, whether or not it exists elsewhere.
 */
export async function findBases(
  db: Db,
  spaceId: string,
  head: Version,
  changes: readonly Change[],
  isOwn: (revision: RevisionRow) => boolean,
): Promise<PageBase[]> {
  const named = new Map<PageKey, { readonly index: number; readonly revisionId: string }>()
  for (const [index, change] of changes.entries()) {
    if (change.operation !== 'update_page' || change.base === undefined) continue
    const key = pageKey(change.page)
    const { revisionId = change.base } = named.get(key) ?? {}
    if (revisionId !== change.base)
      throw refuse(
        index,
        'base',
        'an earlier change to this page has another base. Send one for the page, or two requests.',
      )
    if (!named.has(key)) named.set(key, { index, revisionId })
  }
  const others = new Set([...named.values()].map(({ revisionId }) => revisionId))
  others.delete(head.revisionId)
  const rows = others.size === 0 ? [] : await findRevisions(db, spaceId, [...others])
  const roots = new Map([
    [head.revisionId, head.root] as const,
    ...rows.filter(isOwn).map(row => [row.id, row.root_hash.toString('hex')] as const),
  ])
  return [...named].map(([key, { index, revisionId }]) => {
    const root = roots.get(revisionId)
    if (root === undefined)
      throw invalid(
        'base_unknown',
        `body.changes.${index}.base: this is not a revision in the history of this content. Send the Octavo-Revision of the answer that you read the page in.`,
      )
    return { index, key, revisionId, root }
  })
}

/** The content that changes are applied to instead of the head. */
export type Start = NewContent & {
  readonly head: Hash
  /** The pages that are as they were read. */
  readonly pages: readonly PageKey[]
}

type Rewinding = {
  readonly start: Start | undefined
  /** Pages that were deleted, or became of another type. */
  readonly conflicts: readonly Conflict[]
  /** The pages as they were read. */
  readonly read: readonly Entry[]
  /** The contents that they were read in. */
  readonly rootsRead: readonly Hash[]
}

/**
 * The head with those of the pages as they were read that others have changed since; undefined if there are none. A
 * page keeps its place, its slug and its file: what a request says of these is said of the tree as it is.
 */
export async function rewind(
  objects: ObjectReads,
  head: Version,
  bases: readonly PageBase[],
): Promise<Rewinding> {
  const older = bases.filter(({ revisionId }) => revisionId !== head.revisionId)
  if (older.length === 0) return { rootsRead: [], start: undefined, conflicts: [], read: [] }
  const current = await readEntries(
    objects,
    head.root,
    older.map(({ key }) => key),
  )
  const pages = new Map<PageKey, PageRecord>()
  const conflicts: Conflict[] = []
  const all: Entry[] = []
  for (const { index, key, root } of older) {
    const now = current.get(key)
    const read = (await readEntries(objects, root, [key])).get(key)
    if (read !== undefined) all.push([key, read])
    // A page that is in neither is refused like one without a base.
    if (read === undefined && now === undefined) continue
    if (read === undefined)
      throw refuse(index, 'base', 'this revision does not have the page yet. Send a later one.')
    if (now === undefined)
      conflicts.push({ kind: 'deleted', key, field: 'existence', base: read, ours: null, theirs: read })
    else if (now.type !== read.type)
      conflicts.push({
        kind: 'field',
        key,
        field: 'type',
        base: read.type,
        ours: now.type,
        theirs: read.type,
      })
    else if (!equalRecords(besidesPlace(now), besidesPlace(read))) pages.set(key, placedAs(read, now))
  }
  const known = { rootsRead: [...new Set(older.map(({ root }) => root))], conflicts, read: all }
  if (pages.size === 0) return { ...known, start: undefined }
  const rewound = await applyEdits(objects, head.root, pages)
  return { ...known, start: { ...rewound, head: head.root, pages: [...pages.keys()] } }
}

function besidesPlace(page: PageRecord): object {
  const { slug: _s, file: _f, parent: _p, children: _c, createdAt: _m, updatedAt: _u, ...own } = page
  return own
}

function placedAs(
  { file: _, ...read }: PageRecord,
  { slug, file, parent, children }: PageRecord,
): PageRecord {
  return { ...read, slug, parent, children, ...(file === undefined ? {} : { file }) }
}

/**
 * Merges what changes made of `start` with the head. Throws `conflict` (edit_conflicts) where both changed the same,
 * (page_too_large) for a text that has become too long.
 */
export async function mergeWithHead(
  context: Context,
  spaceId: string,
  side: MessageSide,
  head: Version,
  start: Start,
  { applied, content }: { readonly applied: Applied; readonly content: NewContent },
): Promise<NewContent> {
  const reads = overlay(context.objects, [...start.objects, ...content.objects])
  const merged = await mergeContents(context, spaceId, reads, {
    base: start.root,
    ours: head.root,
    theirs: content.root,
    resolutions: [],
  })
  if (merged.conflicts.length > 0) throw await conflicting(context, spaceId, side, head, merged.conflicts, [])
  refuseTooLarge(merged)
  return withoutRest(overlay(reads, merged.objects), head.root, merged, applied)
}

/**
 * The merged content with those new documents that it has as the changes made them. Pages to which the changes have
 * added nothing keep the time of their last edit.
 */
async function withoutRest(
  reads: ObjectReads,
  head: Hash,
  { root, objects }: NewContent,
  { documents, edits }: Applied,
): Promise<NewContent> {
  const names = new Set<unknown>()
  for (const record of (await readEntries(reads, root, edits.keys())).values())
    if (typeof record === 'object' && 'document' in record) names.add(record.document)
  const pages = [...edits.keys()].filter(isPageKey)
  const before = await readEntries(reads, head, pages)
  const same = new Map<PageKey, PageRecord>()
  for (const [key, after] of await readEntries(reads, root, pages)) {
    const was = before.get(key)
    if (was !== undefined && equalRecords({ ...after, updatedAt: was.updatedAt }, was)) same.set(key, was)
  }
  const undated = await applyEdits(reads, root, same)
  const named = documents.filter(({ hash }) => names.has(hash))
  return { root: undated.root, objects: [...objects, ...undated.objects, ...named] }
}

/** `read`: what conflicts are about and the head may not have any more. */
export async function conflicting(
  { contents, urls, signingKey }: Pick<Context, 'contents' | 'urls' | 'signingKey'>,
  spaceId: string,
  side: MessageSide,
  head: Version,
  conflicts: readonly Conflict[],
  read: readonly Entry[],
): Promise<Failure> {
  const view = {
    ...{ urls, signingKey, spaceId },
    sides: { ours: side, theirs: 'edit' },
    contents: [await contents.get(head.root), contentOf(read)],
  } as const
  return conflict(
    'edit_conflicts',
    `Since the revision that you read, others have changed the same as you. Nothing was written; conflicts has both versions. Combine them, then send the changes again with base: "${head.revisionId}".`,
  ).withDetails({ revision: head.revisionId, ...toConflicts(view, conflicts) })
}
