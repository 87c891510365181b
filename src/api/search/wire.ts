// Converts search results to their wire format.
import { type List, toList } from '../../http/list.ts'
import type { Urls } from '../../http/urls.ts'
import { excerptOf } from './excerpt.ts'
import type { FoundSection, Hit } from './find.ts'
import type { SearchPage, SearchSection, SearchSpace } from './schema.ts'
import type { FoundHits } from './search.ts'

/** The list, with suggestions where there are any. */
export const toFound = <Item>(
  { suggestions, count, next }: Pick<FoundHits, 'suggestions' | 'count' | 'next'>,
  items: Item[],
): List<Item> & { suggestions?: string[] } => ({
  ...toList({ items, count, next }, item => item),
  ...(suggestions.length === 0 ? {} : { suggestions: [...suggestions] }),
})

export function toSearchPage(urls: Urls, hit: Hit): SearchPage {
  const { title, description, path, ancestors } = hit.place
  const address = urls.page(hit.space.id, path)
  return {
    id: hit.pageId,
    title,
    description,
    path,
    score: hit.score,
    rank: hit.rank,
    ancestors: ancestors.map(title => ({ title })),
    // A hit on the page's own heading, with nothing below it, says no more than the page.
    sections: hit.sections
      .filter(({ section }) => section.anchor !== '' || section.body !== '')
      .map(found => toSearchSection(address, hit, found)),
    urls: { app: address },
  }
}

function toSearchSection(address: string, hit: Hit, { section, score }: FoundSection): SearchSection {
  const { anchor, heading } = section
  const behind = anchor === '' ? '' : `#${anchor}`
  return {
    id: `${hit.pageId}${behind}`,
    title: heading === '' ? hit.place.title : heading,
    path: `${hit.place.path}${behind}`,
    score,
    body: excerptOf(section, hit.highlight),
    urls: { app: anchor === '' ? address : `${address}#${encodeURIComponent(anchor)}` },
  }
}

/** Grouped by space, in the order of the best page of each. */
export const toSearchSpaces = (urls: Urls, hits: readonly Hit[]): SearchSpace[] =>
  Array.from(
    Map.groupBy(hits, ({ space }) => space),
    ([{ id, title }, found]) => ({
      type: 'space',
      id,
      title,
      score: found[0]?.score ?? 0,
      pages: found.map(hit => toSearchPage(urls, hit)),
    }),
  )
