// Indexes of a few pages, for tests.
import type { Language } from '../../src/engines/search/language.ts'
import type { SourcePage } from '../../src/engines/search/page-words.ts'
import { parseQuery } from '../../src/engines/search/query.ts'
import { search } from '../../src/engines/search/search.ts'
import type { SearchIndex } from '../../src/engines/search/search-index.ts'
import { buildSegment, openSegment } from '../../src/engines/search/segment.ts'

/** A page with one section, or with the sections that are given. */
export const sourcePage = (
  id: string,
  title: string,
  body: string | readonly (readonly [heading: string, body: string])[],
  description = '',
): SourcePage => ({
  id,
  title,
  description,
  sections: (typeof body === 'string' ? [['', body] as const] : body).map(([heading, text], ordinal) => ({
    anchor: `s${ordinal}`,
    heading,
    body: text,
  })),
})

/** Each list of pages a segment of its own. */
export function indexOf(language: Language, ...parts: readonly (readonly SourcePage[])[]): SearchIndex {
  const segments = parts.map(pages => openSegment(buildSegment(pages, language)))
  return {
    language,
    parts: segments.map(segment => ({ segment, gone: new Set() })),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    pages: parts.flat().length,
  }
}

/** The ids of the pages that are found, best first. */
export const found = (index: SearchIndex, query: string, limit = 20): string[] =>
  search([index], parseQuery(query), { limit }).pages.map(({ pageId }) => pageId)
