// The places of found pages in their spaces.
import type { FoundPlace } from '../../http/context.ts'
import { readPlaces } from './places.ts'
import type { KnownPage, SearchServices } from './scopes.ts'

export type LocatedPage = KnownPage & { readonly place: FoundPlace }

/** Reads the places that are not fully known, once per space. */
export async function locatePages<Page extends KnownPage>(
  services: Pick<SearchServices, 'objects'>,
  pages: readonly Page[],
): Promise<(Page & LocatedPage)[]> {
  const bySpace = Map.groupBy(
    pages.filter(({ place }) => place?.ancestors === undefined),
    ({ space }) => space,
  )
  const reads = Array.from(bySpace, async ([space, some]) => {
    const ids = some.map(({ pageId }) => pageId)
    return [space, await readPlaces(services, space.root, ids)] as const
  })
  const places = new Map(await Promise.all(reads))
  return pages.flatMap(page => {
    const { place: known, space, pageId } = page
    const read = places.get(space)?.get(pageId)
    if (known !== undefined) return [{ ...page, place: { ancestors: read?.ancestors ?? [], ...known } }]
    return read === undefined ? [] : [{ ...page, place: read }]
  })
}
