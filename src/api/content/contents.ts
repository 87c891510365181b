// Whole revisions. Reading one costs a few round trips and a walk over all its records, which every page of it would
// pay again, so the latest ones are cached by root hash; they never change.
import { LRUCache } from 'lru-cache'
import type { SpecSight } from '../../access/spec-sight.ts'
import { type Content, contentOf, readContent } from '../../engines/content/content.ts'
import type { Entry, Hash, PageRecord } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import type { ComputedSource, Contents } from '../../http/context.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import { makeIndex } from './index-of-content.ts'

const PLAIN_MAX = 10_000
/** Sources requested on their own; each has up to 5,000 pages. */
const ALONE_MAX = 10

/** `entriesMax` bounds the records of all cached contents; `expand` adds computed pages. */
export function createContents(
  objects: ObjectReads,
  entriesMax: number,
  expand: (spaceId: string, content: Content, sight: SpecSight) => Promise<Content>,
): Contents {
  const cache = createImmutableCache<Content>({
    maxSize: entriesMax,
    sizeCalculation: content => content.pages.size + content.files.size + content.reusables.size + 1,
  })
  // Used as a set of roots without computed pages, so that a cached answer needs no content.
  const plain = new LRUCache<Hash, true>({ max: PLAIN_MAX })
  const alone = createImmutableCache<Content>({ max: ALONE_MAX })
  const contents: Contents = {
    get: root =>
      cache.get(root, async () => {
        const content = await readContent(objects, root)
        await makeIndex(content)
        return content
      }),
    shown: async (spaceId, root, sight) => expand(spaceId, await contents.get(root), sight),
    async computed(spaceId, source, seed, sight) {
      const entries: Entry[] = [
        ['tree', { children: [seed] }],
        [`page/${seed}`, pageOf(source)],
      ]
      const content = await alone.get(JSON.stringify([source, seed]), async () => contentOf(entries))
      return expand(spaceId, content, sight)
    },
    async digest(spaceId, root, sight) {
      if (plain.has(root)) return ''
      const { expansion } = await contents.shown(spaceId, root, sight)
      if (expansion === undefined) plain.set(root, true)
      return expansion?.digest ?? ''
    },
  }
  return contents
}

/** The page that the computed ones replace. */
const pageOf = (computed: ComputedSource): PageRecord => ({
  ...{ type: 'computed', title: '', slug: '', parent: null, children: [], document: null },
  computed,
})
