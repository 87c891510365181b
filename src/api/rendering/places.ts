// The places of pages that links may name. Those of what is published are stored; those of what a change request wrote
// are read from its text. They belong to a document, which never changes, so they are kept.
import { LRUCache } from 'lru-cache'
import type { PageLinks } from '../../compute/page-projection.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Context } from '../../http/context.ts'
import { knownIn } from '../content/document-rows.ts'
import { textsOf } from './render.ts'

type Places = ReadonlySet<string> | 'unknown'

/** Pages that are looked up for one text; the places of others are unknown. */
const DOCUMENTS_MAX = 200
/** Of those that have to be read. */
const READ_MAX = 20

// A page has some ten places of some twenty characters.
const PLACES_KEPT_MAX = 200_000
const kept = new LRUCache<Hash, Places>({
  maxSize: PLACES_KEPT_MAX,
  sizeCalculation: places => (places === 'unknown' ? 1 : places.size + 1),
})

/** Of those whose places are known, in the form in which places are compared. */
export async function findPlaces(
  context: Context,
  spaceId: string,
  documents: ReadonlySet<Hash>,
): Promise<ReadonlyMap<Hash, ReadonlySet<string>>> {
  const asked = [...documents].slice(0, DOCUMENTS_MAX)
  const fresh = asked.filter(document => !kept.has(document))
  const known = fresh.length === 0 ? new Map() : await knownIn(context.db)(fresh)
  for (const [document, { links }] of known) kept.set(document, placesIn(links))
  for (const document of fresh.filter(one => !known.has(one)).slice(0, READ_MAX)) {
    const [markdown = ''] = await textsOf(context.objects, [document])
    const read = await context.compute.run('pageLinks', spaceId, { markdown })
    kept.set(document, read.kind === 'done' ? placesIn(read.value) : 'unknown')
  }
  return new Map(
    asked.flatMap(document => {
      const places = kept.get(document)
      return places === undefined || places === 'unknown' ? [] : [[document, places] as const]
    }),
  )
}

/** What a page includes has places, too. */
const placesIn = ({ anchors, links }: PageLinks): Places =>
  anchors === null || links.some(({ kind }) => kind === 'include') ? 'unknown' : new Set(anchors)
