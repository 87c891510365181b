// The best sections over all pages: for answers, which are made of passages and not of pages.
import { lookClosely } from './close-look.ts'
import { matchQuery } from './matched-query.ts'
import type { Query } from './query.ts'
import { rankPages } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import { collect } from './searched-part.ts'
import { selectFirst } from './select.ts'

export type SectionHit = {
  readonly index: number
  readonly pageId: string
  readonly ordinal: number
  readonly score: number
  /** How much of the query the section has together with the title of its page, by how rare its words are: 0 to 1. */
  readonly covered: number
}

export type SectionsFound = {
  /** Best first. */
  readonly sections: readonly SectionHit[]
  /** How rare each word of the query is over all that is searched; one that nothing has is the rarest. */
  readonly weights: ReadonlyMap<string, number>
}

const LOOKED_AT_MAX = 60
/** Of the score of a section, what its page brings. */
const PAGE_SHARE = 0.5

export function searchSections(
  indexes: readonly SearchIndex[],
  query: Query,
  { limit }: { readonly limit: number },
): SectionsFound {
  const collection = collect(indexes)
  const matched = matchQuery(collection, query)
  const candidates = rankPages(collection, query, matched)
  const { scores } = candidates
  const best = selectFirst(
    scores.length,
    LOOKED_AT_MAX,
    (one, other) => scores[other]! - scores[one]! || one - other,
  ).map(at => ({ part: candidates.parts[at]!, slot: candidates.slots[at]!, score: scores[at]! }))
  const hits = lookClosely(collection, query, matched, best).flatMap(({ index, pageId, score, sections }) =>
    sections.map(section => ({
      index,
      pageId,
      ordinal: section.ordinal,
      score: section.score + PAGE_SHARE * score,
      covered: section.covered,
    })),
  )
  hits.sort(compare)
  return {
    sections: hits.slice(0, limit),
    weights: new Map(matched.terms.map(({ term, idf }) => [term.text, idf])),
  }
}

const compare = (one: SectionHit, other: SectionHit): number =>
  other.score - one.score ||
  one.index - other.index ||
  (one.pageId < other.pageId ? -1 : one.pageId > other.pageId ? 1 : 0) ||
  one.ordinal - other.ordinal
