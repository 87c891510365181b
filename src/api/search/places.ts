// The pages of a revision as search results: their titles, places and contents. Read from the searched revision, so
// that a hit never shows a later one.

import { joinPath } from '../../base/paths.ts'
import type { Hash, PageRecord } from '../../engines/content/records.ts'
import { pageKey, splitKey } from '../../engines/content/records.ts'
import { readEntries } from '../../engines/content/trie.ts'
import type { FoundPlace, Services } from '../../http/context.ts'

/** Reads the store once per level of the pages and their ancestors; most of it is cached. */
export async function readPlaces(
  { objects }: Pick<Services, 'objects'>,
  root: Hash,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, FoundPlace>> {
  const records = new Map<string, PageRecord>()
  for (let missing = [...new Set(pageIds)]; missing.length > 0; ) {
    const entries = await readEntries(objects, root, missing.map(pageKey))
    const parents = new Set<string>()
    for (const [key, record] of entries) {
      records.set(splitKey(key)[1], record)
      if (record.parent !== null) parents.add(record.parent)
    }
    missing = [...parents].filter(id => !records.has(id))
  }
  const pathOf = (id: string | null): string => {
    const record = id === null ? undefined : records.get(id)
    return record === undefined ? '' : joinPath(pathOf(record.parent), record.slug)
  }
  const namesTo = (id: string | null): readonly string[] => {
    const record = id === null ? undefined : records.get(id)
    return record === undefined ? [] : [...namesTo(record.parent), record.title]
  }
  return new Map(
    pageIds.flatMap(id => {
      const record = records.get(id)
      if (record === undefined) return []
      const { type, title, description = '', document, noIndex, parent } = record
      const isFound = type === 'document' && noIndex !== true
      const ancestors = namesTo(parent)
      return [[id, { title, description, path: pathOf(id), ancestors, document, isFound }]]
    }),
  )
}
