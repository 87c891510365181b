// The difference between two revisions: pages, files, reusable contents and variables. It is computed from the entries
// that differ, so the cost depends on the changes alone.
import { longestAscending } from '../../base/longest-ascending.ts'
import {
  type AnyRecord,
  type EntryChange,
  equalRecords,
  type FileRecord,
  type Hash,
  isChangeOf,
  type Key,
  type PageRecord,
  pageKey,
  type ReusableRecord,
  splitKey,
  type VariableRecord,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import { diffEntries, readEntries } from './trie.ts'

/** A field that differs; undefined means that it is absent. */
export type AttributeChange = { readonly name: string; readonly before: unknown; readonly after: unknown }

/** A record that was created (`before` null), deleted (`after` null) or changed; `attributes` only if changed. */
export type RecordChange<T> = {
  readonly id: string
  readonly before: T | null
  readonly after: T | null
  readonly attributes: readonly AttributeChange[]
}

/**
 * A page that was created, deleted or changed. `attributes` are its own fields, `document` included, without `parent`
 * and `children`: a new or lost child does not change a page, and `move` describes a move.
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

/** The old and new place of a page: its parent (null is the root) and its position in the list, from 0. */
export type PageMove = { readonly before: PageSlot; readonly after: PageSlot }
export type PageSlot = { readonly parent: string | null; readonly index: number }

export type Diff = {
  /** The entries that differ: applying them to `before` gives `after`. */
  readonly entries: readonly EntryChange[]
  readonly pages: readonly PageChange[]
  readonly files: readonly RecordChange<FileRecord>[]
  readonly reusables: readonly RecordChange<ReusableRecord>[]
  /** `id` is the name. */
  readonly variables: readonly RecordChange<VariableRecord>[]
}

/** The changes that turn the revision `before` into `after`. Every list ascends by id. */
export async function diff(store: ObjectReads, before: Hash, after: Hash): Promise<Diff> {
  const entries = await diffEntries(store, before, after)
  const seats = new Seats(entries)
  const pages = entries.filter(isChangeOf('page')).map(toRecordChange)
  return {
    entries,
    pages: [...pages, ...(await readShifted(store, after, seats, pages))]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(change => toPageChange(change, seats) ?? []),
    files: entries.filter(isChangeOf('file')).map(toRecordChange),
    reusables: entries.filter(isChangeOf('reusable')).map(toRecordChange),
    variables: entries.filter(isChangeOf('variable')).map(toRecordChange),
  }
}

/** Pages that differ only in their place among their siblings: their records are equal on both sides. */
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

/** The edits that turn `before` into `after`. */
export const editsOf = (entries: readonly EntryChange[]): Map<EntryChange['key'], AnyRecord | null> =>
  new Map(entries.map(({ key, after }) => [key, after]))

type ChangeBetween<T> = { readonly key: Key; readonly before: T | null; readonly after: T | null }

const toRecordChange = <T extends AnyRecord>({ key, before, after }: ChangeBetween<T>): RecordChange<T> => ({
  id: splitKey(key)[1],
  before,
  after,
  attributes: attributesOf(before, after),
})

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

/** Positions in the lists of children that differ. */
class Seats {
  readonly #before = new Map<string | null, Positions>()
  readonly #after = new Map<string | null, Positions>()
  /** Pages that were reordered among the siblings that stayed. */
  readonly shifted: ReadonlySet<string>

  constructor(entries: readonly EntryChange[]) {
    const shifted: string[] = []
    for (const { key, before, after } of entries.filter(isChangeOf('tree', 'page'))) {
      const [kind, id] = splitKey(key)
      const parent = kind === 'tree' ? null : id
      const listAfter = after?.children ?? []
      const positions = positionsIn(before?.children ?? [])
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

/** The ids in both lists that are not part of the longest run in unchanged order. */
function shiftedIn(before: Positions, after: readonly string[]): string[] {
  const both = after.flatMap(id => {
    const position = before.get(id)
    return position === undefined ? [] : [{ id, position }]
  })
  const kept = new Set(longestAscending(both, ({ position }) => position))
  return both.filter(one => !kept.has(one)).map(({ id }) => id)
}
