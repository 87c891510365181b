// Three-way merge of two revisions. Pure, total and deterministic: a conflict is a value, and the result is a valid
// tree whatever the sides hold. Only what both sides changed is looked at, so the cost is that of the changes.
//
// Rules: what one side changed is taken; what both changed alike is taken once; what both changed otherwise is merged by
// fields (merge-records.ts), lists (merge-lists.ts), blocks and lines (merge-documents.ts), and what then remains is a
// conflict at which the result carries `ours`.
import type { SplitBlocks } from './block-diff.ts'
import { Draft } from './draft.ts'
import {
  type Conflict,
  isSide,
  type Resolution,
  Settlement,
  type Side,
  type UnusedResolution,
} from './merge-conflicts.ts'
import { type Overrides, PageMerge, type PageTriple } from './merge-pages.ts'
import { partPaths, type Relink } from './merge-paths.ts'
import { type Fields, mergeFields, mergeValue, sayTheSame, type Triple } from './merge-records.ts'
import { type DocumentSide, Documents } from './merge-texts.ts'
import { findTrouble, ROUNDS_MAX, settleTrouble } from './merge-tree.ts'
import { overlay } from './overlay.ts'
import {
  type AnyRecord,
  type Edits,
  equalRecords,
  type Hash,
  type Key,
  splitKey,
  TREE_KEY,
  type TreeRecord,
} from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import { checkEdits } from './tree-check-edits.ts'
import { applyEdits, diffEntries, type EntryChange, readEntries, rememberNodes } from './trie.ts'

export type {
  Conflict,
  Resolution,
  Take,
  UnusedResolution,
} from './merge-conflicts.ts'

export type Merge = {
  readonly root: Hash
  /** Nodes and documents that are new: put them before anybody learns of `root`. */
  readonly objects: readonly StoredObject[]
  /** What nobody settled; at each the result carries ours. */
  readonly conflicts: readonly Conflict[]
  readonly unused: readonly UnusedResolution[]
}

export type MergeOptions = {
  readonly blocks: SplitBlocks
  readonly relink?: Relink
  readonly resolutions?: readonly Resolution[]
}

/**
 * Merges `theirs` into `ours`; both came from `base`. Reads records and documents that both sides changed; writes
 * nothing. Settling a conflict may uncover another, which is then among the conflicts.
 */
export async function merge(
  store: ObjectReads,
  base: Hash,
  ours: Hash,
  theirs: Hash,
  { blocks, relink = text => text, resolutions = [] }: MergeOptions,
): Promise<Merge> {
  const settlement = new Settlement(resolutions)
  if (ours === theirs || theirs === base) return done(ours, [], settlement)
  if (ours === base) return done(theirs, [], settlement)
  const reads = rememberNodes(store)
  const both = triplesOf(await diffEntries(reads, base, ours), await diffEntries(reads, base, theirs))
  const { triples, documents: relinked } = await partPaths(reads, both, relink)
  const tree = await readTree(reads, base, triples)
  const texts = overlay(reads, relinked)
  const documents = await Documents.read(texts, documentTriples(triples), blocks, settlement)
  const edits = new Map<Key, AnyRecord | null>()
  for (const [key, triple] of triples) {
    const [kind] = splitKey(key)
    if (kind !== 'page' && kind !== 'tree') edits.set(key, mergeRecord(key, triple, settlement, documents))
  }
  const whole = await mergeTree(
    reads,
    { base, ours, theirs },
    { triples, tree, edits },
    settlement,
    documents,
  )
  if (typeof whole === 'string') return done(whole, [], settlement)
  const { root, objects } = await applyEdits(reads, ours, whole)
  return done(root, [...objects, ...relinked, ...documents.objects], settlement)
}

const done = (root: Hash, objects: readonly StoredObject[], settlement: Settlement): Merge => ({
  root,
  objects,
  conflicts: settlement.conflicts,
  unused: settlement.unused,
})

type Triples = ReadonlyMap<Key, Triple>

/** Every key on which a side differs from the base, in its three versions. */
function triplesOf(a: readonly EntryChange[], b: readonly EntryChange[]): Triples {
  const triples = new Map<Key, Triple>()
  for (const { key, before, after } of a) triples.set(key, { base: before, ours: after, theirs: before })
  for (const { key, before, after } of b) {
    const known = triples.get(key)
    triples.set(key, { base: before, ours: known === undefined ? before : known.ours, theirs: after })
  }
  return triples
}

/** The root pages in their three versions, also where neither side changed them: a page may come back to the root. */
async function readTree(store: ObjectReads, base: Hash, triples: Triples): Promise<Triple<TreeRecord>> {
  const changed = triples.get(TREE_KEY) as Triple<TreeRecord> | undefined
  if (changed !== undefined) return changed
  const record = (await readEntries(store, base, [TREE_KEY])).get(TREE_KEY) ?? null
  return { base: record, ours: record, theirs: record }
}

function* documentTriples(triples: Triples) {
  for (const [key, { base, ours, theirs }] of triples) {
    if (isGitText(key)) {
      const asDocument = (record: AnyRecord | null): DocumentSide => ({ document: record as Hash | null })
      yield { base: asDocument(base), ours: asDocument(ours), theirs: asDocument(theirs) }
    } else if (hasDocument(key) && ours !== null && theirs !== null) {
      yield { base: base as DocumentSide | null, ours: ours as DocumentSide, theirs: theirs as DocumentSide }
    }
  }
}

const isGitText = (key: Key): boolean => key.startsWith('git/')
const hasDocument = (key: Key): boolean => key.startsWith('page/') || key.startsWith('reusable/')

/** A file, a reusable content, a variable or a text of the repository. */
function mergeRecord(
  key: Key,
  triple: Triple,
  settlement: Settlement,
  documents: Documents,
): AnyRecord | null {
  const { base, ours, theirs } = triple
  if (equalRecords(ours, theirs) || equalRecords(theirs, base)) return ours
  if (equalRecords(ours, base)) return theirs
  if (key.startsWith('variable/')) {
    const values = { base: base ?? undefined, ours: ours ?? undefined, theirs: theirs ?? undefined }
    return (mergeValue(key, 'value', values, settlement) as AnyRecord | undefined) ?? null
  }
  if (isGitText(key)) return documents.mergeLines(key, triple as Triple<Hash>)
  if (ours === null || theirs === null) return mergeExistence(key, triple, settlement)
  const fields = mergeFields(key, triple as Triple<Fields>, settlement)
  if (!hasDocument(key)) return fields as unknown as AnyRecord
  const { document, oid } = documents.merge(
    key,
    triple as Triple<DocumentSide> & { ours: DocumentSide; theirs: DocumentSide },
  )
  return { ...fields, document, ...(oid === undefined ? {} : { oid }) } as unknown as AnyRecord
}

function mergeExistence(key: Key, triple: Triple, settlement: Settlement): AnyRecord | null {
  if (sayTheSame(triple.ours ?? triple.theirs, triple.base)) return null
  const conflict: Conflict = { kind: 'deleted', key, field: 'existence', ...triple }
  const take = settlement.take(conflict)
  if (take === undefined) return triple.ours
  if (isSide(take)) return triple[take]
  settlement.refuse(conflict)
  return triple.ours
}

type Sides = { readonly base: Hash; readonly ours: Hash; readonly theirs: Hash }

/**
 * The edits that make the merge of ours. In the rare tree that cannot be mended page by page it is one side as a whole:
 * its root.
 */
async function mergeTree(
  reads: ObjectReads,
  sides: Sides,
  { triples, tree, edits }: { triples: Triples; tree: Triple<TreeRecord>; edits: Edits },
  settlement: Settlement,
  documents: Documents,
): Promise<Edits | Hash> {
  const pages = new Map<string, PageTriple>()
  for (const [key, triple] of triples) {
    const [kind, id] = splitKey(key)
    if (kind === 'page') pages.set(id, triple as PageTriple)
  }
  if (pages.size === 0 && !triples.has(TREE_KEY)) return edits
  const merging = new PageMerge(pages, tree, settlement, documents)
  const overrides: Overrides = { parents: new Map(), slugs: new Map(), shapes: new Map(), gone: new Set() }
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const all = new Map([...edits, ...merging.build(overrides)])
    const problems = await checkEdits(reads, sides.ours, all)
    if (problems.length === 0) return all
    const trouble = findTrouble(problems)
    const isOpen = trouble?.kind === 'slug' ? settlement.isTreeSettledButForSlugs : settlement.isTreeSettled
    if (!isOpen) settlement.hush()
    const draft = new Draft(reads, sides.ours, all)
    if (trouble === undefined || !(await settleTrouble(trouble, draft, merging, overrides, settlement))) break
  }
  const conflict: Conflict = { kind: 'tree', key: TREE_KEY, base: null, ours: null, theirs: null }
  const take = settlement.take(conflict) ?? 'ours'
  if (isSide(take)) return sides[take satisfies Side]
  settlement.refuse(conflict)
  return sides.ours
}
