// Searching a space, for the API and for the reader.
import { invalid } from '../../base/errors.ts'
import { excerptOf } from '../../engines/search/excerpt.ts'
import { type QueryTerm, queryTerms } from '../../engines/search/terms.ts'
import type { Services } from '../../http/context.ts'
import type { Page, PageQuery } from '../../platform/db/page.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type FoundPage, type FoundSection, searchSpace } from './rows.ts'
import { SEARCH_LIMIT_DEFAULT, type SearchPage, type SearchSection } from './schema.ts'

/** Pages of the space's head that have what `query` asks for. */
export async function search(
  services: Pick<Services, 'db' | 'urls'>,
  space: Pick<SpaceRow, 'id'>,
  { query, page, limit = SEARCH_LIMIT_DEFAULT }: PageQuery & { query: string },
): Promise<Page<SearchPage>> {
  if (query.trim() === '') throw invalid('query_empty', 'query.query: say what to look for.')
  const terms = queryTerms(query)
  const found = await searchSpace(services.db, space.id, terms, { page, limit })
  return { ...found, items: found.items.map(row => toSearchPage(services, space.id, row, terms)) }
}

const toSearchPage = (
  { urls }: Pick<Services, 'urls'>,
  spaceId: string,
  row: FoundPage,
  terms: readonly QueryTerm[],
): SearchPage => ({
  id: row.page_id,
  title: row.title,
  path: row.path,
  // The page's own heading with nothing below it says no more than the page does.
  sections: row.sections
    .filter(section => section.anchor !== '' || section.body !== '')
    .map(section => toSection(urls.page(spaceId, row.path), row, section, terms)),
  urls: { app: urls.page(spaceId, row.path) },
})

function toSection(
  address: string,
  page: FoundPage,
  section: FoundSection,
  terms: readonly QueryTerm[],
): SearchSection {
  const anchor = section.anchor === '' ? '' : `#${section.anchor}`
  return {
    id: `${page.page_id}${anchor}`,
    title: section.heading === '' ? page.title : section.heading,
    path: `${page.path}${anchor}`,
    body: excerptOf(section.body, terms),
    urls: { app: section.anchor === '' ? address : `${address}#${encodeURIComponent(section.anchor)}` },
  }
}
