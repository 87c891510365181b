// A revision in the making: a root and the edits upon it, of which only what is asked for is read.
import { assert } from '../../base/assert.ts'
import {
  type AnyRecord,
  type Edits,
  type Hash,
  type Key,
  type PageRecord,
  pageKey,
  TREE_KEY,
  type TreeRecord,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import type { TreeView } from './tree.ts'
import { readEntries, rememberNodes } from './trie.ts'

/**
 * Records are loaded many at once and then read without waiting. Reading what was not loaded is a mistake of ours and
 * throws, unless an edit says what stands there.
 */
export class Draft implements TreeView {
  readonly root: Hash
  /** The store, remembering what the draft has read of it: what `commit` had better be given. */
  readonly store: ObjectReads
  readonly #before = new Map<Key, AnyRecord | null>()
  readonly #edits: Map<Key, AnyRecord | null>

  constructor(store: ObjectReads, root: Hash, edits: Edits = new Map()) {
    this.store = rememberNodes(store)
    this.root = root
    this.#edits = new Map(edits)
  }

  /** The edits so far: what `commit` takes. */
  get edits(): Edits {
    return this.#edits
  }

  /** One round trip a level of the trie for all keys that are not known yet, none when they all are. */
  async load(keys: Iterable<Key>): Promise<void> {
    const unknown = [...new Set(keys)].filter(key => !this.#before.has(key))
    if (unknown.length === 0) return
    const found = await readEntries(this.store, this.root, unknown)
    for (const key of unknown) this.#before.set(key, found.get(key) ?? null)
  }

  loadPages(ids: Iterable<string | null>): Promise<void> {
    return this.load([...ids].map(id => (id === null ? TREE_KEY : pageKey(id))))
  }

  /** What stood under a key before the edits. */
  before(key: Key): AnyRecord | null {
    const record = this.#before.get(key)
    assert(record !== undefined, `${key} was loaded`)
    return record
  }

  /** What stands under a key with the edits. */
  get(key: Key): AnyRecord | null {
    const edit = this.#edits.get(key)
    return edit === undefined ? this.before(key) : edit
  }

  set(key: Key, record: AnyRecord | null): void {
    this.#edits.set(key, record)
  }

  page(id: string): PageRecord | undefined {
    return (this.get(pageKey(id)) ?? undefined) as PageRecord | undefined
  }

  childrenOf(parent: string | null): readonly string[] {
    const record = this.get(parent === null ? TREE_KEY : pageKey(parent)) as TreeRecord | PageRecord | null
    return record?.children ?? []
  }

  /** The tree as it was before the edits. */
  get treeBefore(): TreeView {
    return {
      page: id => (this.before(pageKey(id)) ?? undefined) as PageRecord | undefined,
      childrenOf: parent => {
        const record = this.before(parent === null ? TREE_KEY : pageKey(parent))
        return (record as TreeRecord | PageRecord | null)?.children ?? []
      },
    }
  }
}
