// Paths of pages in the tree of a revision, read for some of them without reading all.
import type { Hash, PageRecord } from '../../engines/content/records.ts'
import { pageKey, splitKey } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { readEntries } from '../../engines/content/trie.ts'
import { joinPath } from './wire.ts'

/** The path of each page of `records`; their ancestors are read from the revision. */
export async function readPaths(
  store: ObjectReads,
  root: Hash,
  records: ReadonlyMap<string, PageRecord>,
): Promise<(id: string) => string> {
  const known = await readAncestors(store, root, records)
  const pathOf = (id: string | null): string => {
    const record = id === null ? undefined : known.get(id)
    return record === undefined ? '' : joinPath(pathOf(record.parent), record.slug)
  }
  // A link page has no place in a path.
  return id => (known.get(id)?.type === 'link' ? '' : pathOf(id))
}

async function readAncestors(
  store: ObjectReads,
  root: Hash,
  records: ReadonlyMap<string, PageRecord>,
): Promise<Map<string, PageRecord>> {
  const known = new Map(records)
  let missing = parentsOf(known.values(), known)
  while (missing.length > 0) {
    const found = await readPages(store, root, missing)
    for (const [id, record] of found) known.set(id, record)
    missing = parentsOf(found.values(), known)
  }
  return known
}

const parentsOf = (records: Iterable<PageRecord>, known: ReadonlyMap<string, PageRecord>): string[] => {
  const parents = new Set<string>()
  for (const { parent } of records) if (parent !== null && !known.has(parent)) parents.add(parent)
  return [...parents]
}

export async function readPages(
  store: ObjectReads,
  root: Hash,
  ids: readonly string[],
): Promise<Map<string, PageRecord>> {
  const entries = await readEntries(store, root, ids.map(pageKey))
  return new Map([...entries].map(([key, record]) => [splitKey(key)[1], record]))
}
