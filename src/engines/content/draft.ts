// A revision in the making: a root and edits to it. It reads only the records that are loaded.
import { assert } from '../../base/assert.ts'
import {
  type AnyRecord,
  type Edits,
  type Hash,
  type Key,
  type PageRecord,
  pageKey,
  type RecordOf,
  TREE_KEY,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import type { TreeView } from './tree.ts'
import { readEntries, rememberNodes } from './trie.ts'

/**
 * Records are loaded in batches and then read synchronously. Reading a key that was neither loaded nor edited throws:
 * it is a bug of the caller.
 */
export class Draft implements TreeView {
  readonly root: Hash
  /** The store with a cache of what the draft has read. Pass it to `commit` to avoid reading again. */
  readonly store: ObjectReads
  readonly #before = new Map<Key, AnyRecord | null>()
  readonly #edits: Map<Key, AnyRecord | null>

  constructor(store: ObjectReads, root: Hash, edits: Edits = new Map()) {
    this.store = rememberNodes(store)
    this.root = root
    this.#edits = new Map(edits)
  }

  /** The edits so far, as `commit` takes them. */
  get edits(): Edits {
    return this.#edits
  }

  /** Takes one round trip per level of the trie, or none if every key is loaded. */
  async load(keys: Iterable<Key>): Promise<void> {
    const unknown = [...new Set(keys)].filter(key => !this.#before.has(key))
    if (unknown.length === 0) return
    const found = await readEntries(this.store, this.root, unknown)
    for (const key of unknown) this.#before.set(key, found.get(key) ?? null)
  }

  loadPages(ids: Iterable<string | null>): Promise<void> {
    return this.load([...ids].map(listKey))
  }

  /** The record under a key before the edits. */
  before<K extends Key>(key: K): RecordOf<K> | null {
    const record = this.#before.get(key)
    assert(record !== undefined, `${key} was loaded`)
    // Each record was stored under its key, so it is of that key's type.
    return record as RecordOf<K> | null
  }

  /** The record under a key after the edits. */
  get<K extends Key>(key: K): RecordOf<K> | null {
    const edit = this.#edits.get(key)
    // `set` and `Edits` pair keys with records of their type.
    return edit === undefined ? this.before(key) : (edit as RecordOf<K> | null)
  }

  set<K extends Key>(key: K, record: RecordOf<K> | null): void {
    this.#edits.set(key, record)
  }

  page(id: string): PageRecord | undefined {
    return this.get(pageKey(id)) ?? undefined
  }

  /** A page that exists. */
  getPage(id: string): PageRecord {
    const page = this.page(id)
    assert(page !== undefined, `page ${id} exists`)
    return page
  }

  childrenOf(parent: string | null): readonly string[] {
    return this.get(listKey(parent))?.children ?? []
  }

  /** The tree before the edits. */
  get treeBefore(): TreeView {
    return {
      page: id => this.before(pageKey(id)) ?? undefined,
      childrenOf: parent => this.before(listKey(parent))?.children ?? [],
    }
  }
}

/** The key of the record that lists the children of a page, or the root pages. */
const listKey = (parent: string | null) => (parent === null ? TREE_KEY : pageKey(parent))
