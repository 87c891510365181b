// What differs between two revisions, told by pages, files, reusable contents and variables. Read from the entries on
// which the two maps differ, so the cost is that of the changes.
import {
  type AnyRecord,
  equalRecords,
  type FileRecord,
  type Hash,
  type PageRecord,
  pageKey,
  type ReusableRecord,
  splitKey,
  type TreeRecord,
  type VariableRecord,
} from './records.ts'
import { longestAscending } from './sequences.ts'
import type { ObjectReads } from './store.ts'
import { diffEntries, type EntryChange, readEntries } from './trie.ts'

/** A field that differs; undefined stands for a field that is not there. */
export type AttributeChange = { readonly name: string; readonly before: unknown; readonly after: unknown }

/** A record that came (`before` null), went (`after` null) or changed; `attributes` only of one that changed. */
export type RecordChange<T> = {
  readonly id: string
  readonly before: T | null
  readonly after: T | null
  readonly attributes: readonly AttributeChange[]
}

/**
 * A page that came, went or changed. `attributes` are its own fields (`document` among them) without `parent` and
 * `children`: taking in or losing a child is no change of a page, being moved is told by `move`.
 */
export type PageChange = RecordChange<PageRecord> & {
  readonly kind: 'created' | 'deleted' | 'changed'
  /** From one parent to another, or to another position among siblings that stayed; null otherwise. */
  readonly move: PageMove | null
  /** Its title or its slug differs. */
  readonly isRenamed: boolean
  /** Its document differs. */
  readonly isEdited: boolean
}

/** Where a page stood and stands: the parent (null is the root) and the position in its list, from 0. */
export type PageMove = { readonly before: PageSeat; readonly after: PageSeat }
export type PageSeat = { readonly parent: string | null; readonly index: number }

export type Diff = {
  /** The keys on which the maps differ: applied to the one they give the other. */
  readonly entries: readonly EntryChange[]
  readonly pages: readonly PageChange[]
  readonly files: readonly RecordChange<FileRecord>[]
  readonly reusables: readonly RecordChange<ReusableRecord>[]
  /** `id` is the name. */
  readonly variables: readonly RecordChange<VariableRecord>[]
}

/** What has to happen to the revision `before` to become `after`. Every list ascends by id. */
export async function diff(store: ObjectReads, before: Hash, after: Hash): Promise<Diff> {
  const entries = await diffEntries(store, before, after)
  const seats = new Seats(entries)
  const pages = recordChanges<PageRecord>(entries, 'page')
  return {
    entries,
    pages: [...pages, ...(await readShifted(store, after, seats, pages))]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(change => toPageChange(change, seats) ?? []),
    files: recordChanges<FileRecord>(entries, 'file'),
    reusables: recordChanges<ReusableRecord>(entries, 'reusable'),
    variables: recordChanges<VariableRecord>(entries, 'variable'),
  }
}

/** Pages of which nothing differs but their place among their siblings: their records are equal on both sides. */
async function readShifted(
  store: ObjectReads,
  root: Hash,
  seats: Seats,
  changed: readonly RecordChange<PageRecord>[],
): Promise<RecordChange<PageRecord>[]> {
  const known = new Set(changed.map(({ id }) => id))
  const unknown = [...seats.shifted].filter(id => !known.has(id))
  const records = await readEntries(store, root, unknown.map(pageKey))
  return [...records].map(([key, page]) => ({
    id: splitKey(key)[1],
    before: page,
    after: page,
    attributes: [],
  }))
}

/** The edits that make `after` of `before`; swapped sides undo them. */
export const editsOf = (entries: readonly EntryChange[]): Map<EntryChange['key'], AnyRecord | null> =>
  new Map(entries.map(({ key, after }) => [key, after]))

function recordChanges<T extends AnyRecord>(
  entries: readonly EntryChange[],
  kind: string,
): RecordChange<T>[] {
  const changes: RecordChange<T>[] = []
  for (const entry of entries) {
    const [kindOfEntry, id] = splitKey(entry.key)
    if (kindOfEntry !== kind) continue
    const before = entry.before as T | null
    const after = entry.after as T | null
    changes.push({ id, before, after, attributes: attributesOf(before, after) })
  }
  return changes
}

function attributesOf(before: AnyRecord | null, after: AnyRecord | null): AttributeChange[] {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return []
  const fieldsBefore = new Map<string, unknown>(Object.entries(before))
  const fieldsAfter = new Map<string, unknown>(Object.entries(after))
  const names = new Set([...fieldsBefore.keys(), ...fieldsAfter.keys()])
  return [...names]
    .map(name => ({ name, before: fieldsBefore.get(name), after: fieldsAfter.get(name) }))
    .filter(change => !equalRecords(change.before, change.after))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toPageChange(change: RecordChange<PageRecord>, seats: Seats): PageChange | undefined {
  const { id, before, after } = change
  const attributes = change.attributes.filter(({ name }) => name !== 'parent' && name !== 'children')
  const move = before !== null && after !== null ? seats.moveOf(id, before, after) : null
  if (before !== null && after !== null && attributes.length === 0 && move === null) return undefined
  const has = (...names: string[]): boolean => attributes.some(({ name }) => names.includes(name))
  return {
    kind: before === null ? 'created' : after === null ? 'deleted' : 'changed',
    id,
    before,
    after,
    attributes,
    move,
    isRenamed: has('title', 'slug'),
    isEdited: has('document'),
  }
}

type Positions = ReadonlyMap<string, number>

/** Positions in the lists that differ. A parent whose list is equal on both sides has moved nobody. */
class Seats {
  readonly #before = new Map<string | null, Positions>()
  readonly #after = new Map<string | null, Positions>()
  /** Pages that changed their place among siblings that stayed. */
  readonly shifted: ReadonlySet<string>

  constructor(entries: readonly EntryChange[]) {
    const shifted: string[] = []
    for (const { key, before, after } of entries) {
      const [kind, id] = splitKey(key)
      if (kind !== 'tree' && kind !== 'page') continue
      const parent = kind === 'tree' ? null : id
      const listAfter = (after as TreeRecord | null)?.children ?? []
      const positions = positionsIn((before as TreeRecord | null)?.children ?? [])
      this.#before.set(parent, positions)
      this.#after.set(parent, positionsIn(listAfter))
      shifted.push(...shiftedIn(positions, listAfter))
    }
    this.shifted = new Set(shifted)
  }

  moveOf(id: string, before: PageRecord, after: PageRecord): PageMove | null {
    if (before.parent === after.parent && !this.shifted.has(id)) return null
    return {
      before: { parent: before.parent, index: this.#before.get(before.parent)?.get(id) ?? -1 },
      after: { parent: after.parent, index: this.#after.get(after.parent)?.get(id) ?? -1 },
    }
  }
}

const positionsIn = (list: readonly string[]): Positions => new Map(list.map((id, i) => [id, i]))

/** Those in both lists that are not in the longest run which kept its order. */
function shiftedIn(before: Positions, after: readonly string[]): string[] {
  const both = after.filter(id => before.has(id))
  const kept = new Set(longestAscending(both.map(id => before.get(id) as number)))
  return both.filter((_, i) => !kept.has(i))
}
