// Revisions read whole. Reading one costs a few round trips and a walk over all its records, which every page of it
// would pay again, so the newest ones are kept by their root hash; they never change.
import { LRUCache } from 'lru-cache'
import { type Content, readContent } from '../../engines/content/content.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import type { Contents } from '../../http/context.ts'
import { makeIndex } from './index-of-content.ts'

/** `entriesMax` bounds the records of all that is kept. */
export function createContents(objects: ObjectReads, entriesMax: number): Contents {
  const kept = new LRUCache<Hash, Content>({
    maxSize: entriesMax,
    sizeCalculation: content => content.pages.size + content.files.size + content.reusables.size + 1,
  })
  const underway = new Map<Hash, Promise<Content>>()
  return {
    async get(root) {
      const found = kept.get(root) ?? underway.get(root)
      if (found !== undefined) return found
      const reading = readContent(objects, root)
        .then(async content => {
          await makeIndex(content)
          kept.set(root, content)
          return content
        })
        .finally(() => underway.delete(root))
      underway.set(root, reading)
      return reading
    },
  }
}
