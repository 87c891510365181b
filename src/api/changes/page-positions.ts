// Positions of pages in a revision: their path, and their place in reading order. Reads only the requested pages and
// their ancestors, not the whole tree.

import { joinPath } from '../../base/paths.ts'
import { type Hash, type PageRecord, pageKey, splitKey, TREE_KEY } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { readEntries } from '../../engines/content/trie.ts'

export type PagePosition = {
  readonly page: PageRecord
  /** Absent for links and computed pages, which have none. */
  readonly path: string | undefined
  /** The position in its parent's list, after those of its ancestors. */
  readonly order: readonly number[]
}

/** For those of the pages that exist. Takes one read per level of ancestors. */
export async function readPagePositions(
  store: ObjectReads,
  root: Hash,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, PagePosition>> {
  const asked = new Set(ids)
  if (asked.size === 0) return new Map()
  const tree = (await readEntries(store, root, [TREE_KEY])).get(TREE_KEY)
  const pages = await readWithAncestors(store, root, asked)
  const indexes = new Map<string | null, ReadonlyMap<string, number>>()
  const indexOf = (id: string, parent: string | null): number => {
    let list = indexes.get(parent)
    if (list === undefined) {
      const children = parent === null ? tree?.children : pages.get(parent)?.children
      list = new Map((children ?? []).map((child, index) => [child, index]))
      indexes.set(parent, list)
    }
    return list.get(id) ?? -1
  }
  const positions = new Map<string, PagePosition>()
  const pagePositionOf = (id: string): PagePosition | undefined => {
    const page = pages.get(id)
    if (page === undefined) return undefined
    const found = positions.get(id)
    if (found !== undefined) return found
    const parent = page.parent === null ? undefined : pagePositionOf(page.parent)
    const hasPath = page.type === 'document' || page.type === 'group'
    const position = {
      page,
      path: hasPath ? joinPath(parent?.path ?? '', page.slug) : undefined,
      order: [...(parent?.order ?? []), indexOf(id, page.parent)],
    }
    positions.set(id, position)
    return position
  }
  for (const id of asked) pagePositionOf(id)
  return positions
}

async function readWithAncestors(
  store: ObjectReads,
  root: Hash,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, PageRecord>> {
  const pages = new Map<string, PageRecord>()
  // A missing page is asked for once.
  const met = new Set<string>(ids)
  for (let level = [...met]; level.length > 0; ) {
    const found = await readEntries(store, root, level.map(pageKey))
    const parents = new Set<string>()
    for (const [key, page] of found) {
      pages.set(splitKey(key)[1], page)
      if (page.parent !== null && !met.has(page.parent)) parents.add(page.parent)
    }
    for (const id of parents) met.add(id)
    level = [...parents]
  }
  return pages
}

/** Reading order: a page before its subpages, siblings in the order of their list. */
export function compareOrder(a: readonly number[], b: readonly number[]): number {
  for (const [level, index] of a.entries()) {
    const other = b[level]
    if (other === undefined) return 1
    if (index !== other) return index - other
  }
  return a.length - b.length
}
