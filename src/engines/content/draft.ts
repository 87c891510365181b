// A revision in the making: a root and edits to it. It reads only the records that are loaded, and its page tree only
// as far as needed: up from a page, and down along slugs.
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
import { joinPath, type TreeView } from './tree.ts'
import { readEntries, rememberNodes } from './trie.ts'

/**
 * Records are loaded in batches and then read synchronously. Reading a key that was neither loaded nor edited throws:
 * it is a bug of the caller.
 */
export class Draft implements TreeView {
  readonly root: Hash
  /**
   * The store with a cache of what the draft has read. Pass it to `applyEdits` and `checkEdits` to avoid reading again.
   */
  readonly store: ObjectReads
  readonly #before = new Map<Key, AnyRecord | null>()
  readonly #edits: Map<Key, AnyRecord | null>

  constructor(store: ObjectReads, root: Hash, edits: Edits = new Map()) {
    this.store = rememberNodes(store)
    this.root = root
    this.#edits = new Map(edits)
  }

  /** The edits so far. */
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

/** The ids from the root to a page, the page itself last; empty for the root. */
export async function lineageOf(draft: Draft, id: string | null): Promise<string[]> {
  const lineage: string[] = []
  const seen = new Set<string>()
  for (let at = id; at !== null && !seen.has(at); ) {
    await draft.loadPages([at])
    const page = draft.page(at)
    if (page === undefined) break
    seen.add(at)
    lineage.push(at)
    at = page.parent
  }
  return lineage.reverse()
}

/** The path of a page: its ancestors' slugs and its own, joined by '/'; '' for the root. */
export async function pathOf(draft: Draft, id: string | null): Promise<string> {
  const lineage = await lineageOf(draft, id)
  return lineage.reduce((path, at) => joinPath(path, draft.page(at)?.slug ?? ''), '')
}

/** The ids of a page and its descendants, parents before children: one round of reads per level. */
export async function subtreeOf(draft: Draft, id: string): Promise<string[]> {
  const ids = new Set([id])
  for (let level = [id]; level.length > 0; ) {
    await draft.loadPages(level)
    level = level.flatMap(at => draft.childrenOf(at)).filter(child => !ids.has(child))
    for (const child of level) ids.add(child)
  }
  return [...ids]
}

/** The ids of a page's children, or of the root pages, by slug. */
export async function slugsBelow(draft: Draft, parent: string | null): Promise<Map<string, string>> {
  await draft.loadPages([parent])
  const children = draft.childrenOf(parent)
  await draft.loadPages(children)
  const slugs = new Map<string, string>()
  for (const id of children) {
    const slug = draft.page(id)?.slug ?? ''
    if (slug !== '') slugs.set(slug, id)
  }
  return slugs
}

/** Finds pages by their path, in a tree that no longer changes. */
export class PathFinder {
  readonly #draft: Draft
  readonly #slugs = new Map<string | null, Map<string, string>>()

  constructor(draft: Draft) {
    this.#draft = draft
  }

  /** The page with this path; '' is the first page that has one. */
  async find(path: string): Promise<string | undefined> {
    if (path === '') return [...(await this.#below(null)).values()][0]
    let at: string | null = null
    for (const slug of path.split('/')) {
      const next: string | undefined = (await this.#below(at)).get(slug)
      if (next === undefined) return undefined
      at = next
    }
    return at ?? undefined
  }

  async #below(parent: string | null): Promise<Map<string, string>> {
    let slugs = this.#slugs.get(parent)
    if (slugs === undefined) {
      slugs = await slugsBelow(this.#draft, parent)
      this.#slugs.set(parent, slugs)
    }
    return slugs
  }
}
