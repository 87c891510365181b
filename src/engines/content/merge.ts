// Three-way merge of two revisions. Pure, total and deterministic: a conflict is a value, and the result is always a
// valid tree. It looks only at the changes of both sides, so the cost depends on them alone.
//
// Rules: a change of one side is taken; equal changes of both are taken once; different changes are merged by field
// (merge-records.ts), list (merge-lists.ts), block and line (merge-documents.ts). Where that fails there is a conflict,
// and the result has `ours`.
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
import { type Overrides, PageMerge } from './merge-pages.ts'
import { type Relink, separatePaths, type Triples } from './merge-paths.ts'
import {
  findRename,
  isSameToDelete,
  isTwoSided,
  mergeFields,
  mergeFile,
  mergeValue,
  type Triple,
  type TwoSided,
} from './merge-records.ts'
import { followRenames } from './merge-renames.ts'
import { type DocumentSide, Documents, type DocumentTriple } from './merge-texts.ts'
import { findProblemGroup, ROUNDS_MAX, settleProblems } from './merge-tree.ts'
import {
  type AnyRecord,
  type Edits,
  type EntryChange,
  equalRecords,
  type Hash,
  isChangeOf,
  type Key,
  type Keys,
  type Kind,
  type Records,
  type ReusableRecord,
  splitKey,
  TREE_KEY,
  type TreeRecord,
} from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import { checkEdits } from './tree-check-edits.ts'
import { applyEdits, diffEntries, readEntries, rememberNodes } from './trie.ts'
import { overlay } from './trie-nodes.ts'
import { mapVersions } from './versions.ts'

export type {
  Conflict,
  Resolution,
  Take,
  UnusedResolution,
} from './merge-conflicts.ts'

export type Merge = {
  readonly root: Hash
  /** New nodes and documents: store them before publishing `root`. */
  readonly objects: readonly StoredObject[]
  /** Conflicts without a resolution; at each the result has ours. */
  readonly conflicts: readonly Conflict[]
  readonly unused: readonly UnusedResolution[]
}

export type MergeOptions = {
  readonly blocks: SplitBlocks
  readonly relink?: Relink
  /** The text of SUMMARY.md between its entries, which exports write from the tree. */
  readonly textBetween?: (summary: string) => string
  readonly resolutions?: readonly Resolution[]
}

/**
 * Merges `theirs` into `ours`; `base` is their common ancestor. Reads the records and documents that both sides changed
 * and writes nothing. Resolving a conflict may uncover another, which is then reported.
 */
export async function merge(
  store: ObjectReads,
  base: Hash,
  ours: Hash,
  theirs: Hash,
  { blocks, relink = text => text, textBetween = text => text, resolutions = [] }: MergeOptions,
): Promise<Merge> {
  const settlement = new Settlement(resolutions)
  if (ours === theirs || theirs === base) return done(ours, [], settlement)
  if (ours === base) return done(theirs, [], settlement)
  const reads = rememberNodes(store)
  const both = triplesOf(await diffEntries(reads, base, ours), await diffEntries(reads, base, theirs))
  const separated = await separatePaths(reads, both, relink)
  const known = overlay(reads, separated.documents)
  const { triples, documents: followed } = await followRenames(known, separated.triples, relink, settlement)
  const relinked = [...separated.documents, ...followed]
  const tree = await readTree(reads, base, triples)
  const texts = overlay(reads, relinked)
  const documents = await Documents.read(texts, documentTriples(triples), blocks, settlement)
  const others = mergeOthers(triples, settlement, documents, textBetween)
  const whole = await mergeTree(
    reads,
    { base, ours, theirs },
    { triples, tree, others },
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

function triplesOf(ours: readonly EntryChange[], theirs: readonly EntryChange[]): Triples {
  const of = <N extends Kind>(kind: N) =>
    tripled<N>(ours.filter(isChangeOf(kind)), theirs.filter(isChangeOf(kind)))
  return {
    ...{ tree: of('tree'), page: of('page'), file: of('file') },
    ...{ reusable: of('reusable'), variable: of('variable'), git: of('git') },
  }
}

function tripled<N extends Kind>(
  ours: readonly EntryChange<N>[],
  theirs: readonly EntryChange<N>[],
): Map<Keys[N], Triple<Records[N]>> {
  const triples = new Map<Keys[N], Triple<Records[N]>>()
  for (const { key, before, after } of ours) triples.set(key, { base: before, ours: after, theirs: before })
  for (const { key, before, after } of theirs) {
    const known = triples.get(key)
    triples.set(key, { base: before, ours: known === undefined ? before : known.ours, theirs: after })
  }
  return triples
}

/** The root pages, even if neither side changed them: a page may return to the root. */
async function readTree(store: ObjectReads, base: Hash, { tree }: Triples): Promise<Triple<TreeRecord>> {
  const changed = tree.get(TREE_KEY)
  if (changed !== undefined) return changed
  const record = (await readEntries(store, base, [TREE_KEY])).get(TREE_KEY) ?? null
  return { base: record, ours: record, theirs: record }
}

function* documentTriples({ git, page, reusable }: Triples): Generator<DocumentTriple> {
  for (const texts of git.values()) yield mapVersions(texts, document => ({ document }))
  const records: Triple<DocumentSide>[] = [...page.values(), ...reusable.values()]
  yield* records.filter(isTwoSided)
}

/** The merged files, reusable contents, variables and texts of the repository. */
function mergeOthers(
  { git, file, reusable, variable }: Triples,
  settlement: Settlement,
  documents: Documents,
  textBetween: (summary: string) => string,
): Map<Key, AnyRecord | null> {
  return new Map<Key, AnyRecord | null>([
    ...mergeEach(git, (key, triple) =>
      key === 'git/summary'
        ? documents.mergeSummary(key, triple, textBetween)
        : documents.mergeLines(key, triple),
    ),
    ...mergeEach(file, (key, triple) =>
      isTwoSided(triple) ? mergeFile(key, triple, settlement) : mergeExistence(key, triple, settlement),
    ),
    ...mergeEach(reusable, (key, triple) =>
      isTwoSided(triple)
        ? mergeReusable(key, triple, settlement, documents)
        : mergeExistence(key, triple, settlement),
    ),
    ...mergeEach(variable, (key, triple) => {
      const values = mapVersions(triple, value => value ?? undefined)
      return mergeValue(key, 'value', values, settlement) ?? null
    }),
  ])
}

/** Merges records by `merge` where both sides changed them differently. */
const mergeEach = <K extends Key, T>(
  triples: ReadonlyMap<K, Triple<T>>,
  merge: (key: K, triple: Triple<T>) => T | null,
): [K, T | null][] =>
  [...triples].map(([key, triple]) => {
    const { base, ours, theirs } = triple
    if (equalRecords(ours, theirs) || equalRecords(theirs, base)) return [key, ours]
    return [key, equalRecords(ours, base) ? theirs : merge(key, triple)]
  })

function mergeReusable(
  key: Key,
  triple: TwoSided<ReusableRecord>,
  settlement: Settlement,
  documents: Documents,
): ReusableRecord | null {
  const fields = mergeFields(key, triple, settlement)
  const { document, oid } = documents.merge(key, triple, findRename(key, triple))
  return document === null ? null : { ...fields, document, ...(oid === undefined ? {} : { oid }) }
}

function mergeExistence<T extends AnyRecord>(key: Key, triple: Triple<T>, settlement: Settlement): T | null {
  if (isSameToDelete(triple.ours ?? triple.theirs, triple.base)) return null
  const conflict: Conflict = { kind: 'deleted', key, field: 'existence', ...triple }
  const take = settlement.take(conflict)
  if (take === undefined) return triple.ours
  if (isSide(take)) return triple[take]
  settlement.refuse(conflict)
  return triple.ours
}

type Sides = { readonly base: Hash; readonly ours: Hash; readonly theirs: Hash }

/**
 * The edits that turn ours into the merge. A tree that cannot be repaired page by page, which is rare, becomes that of
 * one side: then the result is the root of that side.
 */
async function mergeTree(
  reads: ObjectReads,
  sides: Sides,
  { triples, tree, others }: { triples: Triples; tree: Triple<TreeRecord>; others: Edits },
  settlement: Settlement,
  documents: Documents,
): Promise<Edits | Hash> {
  if (triples.page.size === 0 && triples.tree.size === 0) return others
  const pages = new Map([...triples.page].map(([key, triple]) => [splitKey(key)[1], triple]))
  const merging = new PageMerge(pages, tree, settlement, documents)
  const overrides: Overrides = { parents: new Map(), slugs: new Map(), shapes: new Map(), gone: new Set() }
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const all = new Map([...others, ...merging.build(overrides)])
    const problems = await checkEdits(reads, sides.ours, all)
    if (problems.length === 0) return all
    const group = findProblemGroup(problems)
    const isOpen = group?.kind === 'slug' ? settlement.isTreeSettledButForSlugs : settlement.isTreeSettled
    if (!isOpen) settlement.hush()
    const draft = new Draft(reads, sides.ours, all)
    if (group === undefined || !(await settleProblems(group, draft, merging, overrides, settlement))) break
  }
  const conflict: Conflict = { kind: 'tree', key: TREE_KEY, base: null, ours: null, theirs: null }
  const take = settlement.take(conflict) ?? 'ours'
  if (isSide(take)) return sides[take satisfies Side]
  settlement.refuse(conflict)
  return sides.ours
}
