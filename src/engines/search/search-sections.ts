// The best sections of all pages: for answers, which are made of passages rather than pages.

import { float64At } from '../../base/typed-arrays.ts'
import { lookClosely } from './close-look.ts'
import { matchQuery } from './matched-query.ts'
import type { Query } from './query-terms.ts'
import { rankedAt, rankPages } from './ranking.ts'
import type { Reading } from './readings.ts'
import type { SearchIndex } from './search-index.ts'
import { collect } from './searched-part.ts'
import { selectFirst } from './select.ts'

export type SectionHit = {
  readonly index: number
  readonly pageId: string
  readonly ordinal: number
  readonly score: number
  /** The share of the query in the section and the title of its page, weighted by rarity: 0 to 1. */
  readonly covered: number
}

/** A word of the query as it is read. */
export type ReadTerm = {
  readonly text: string
  /** How rare it is among everything that is searched; a word that no page has is the rarest. 0 if it says nothing. */
  readonly weight: number
  readonly readings: readonly Reading[]
}

export type SectionsFound = {
  /** Best first. */
  readonly sections: readonly SectionHit[]
  readonly terms: readonly ReadTerm[]
}

const LOOKED_AT_MAX = 60
/** How much the page contributes to the score of a section. */
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
    scores.keys(),
    LOOKED_AT_MAX,
    (one, other) => float64At(scores, other) - float64At(scores, one) || one - other,
  ).map(at => rankedAt(candidates, at))
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
    terms: matched.terms.map(({ term, idf, readings }, index) => ({
      text: term.text,
      weight: idf * Math.max(0, ...Array.from(matched.weights.values(), weights => weights[index] ?? 0)),
      readings,
    })),
  }
}

const compare = (one: SectionHit, other: SectionHit): number =>
  other.score - one.score ||
  one.index - other.index ||
  (one.pageId < other.pageId ? -1 : one.pageId > other.pageId ? 1 : 0) ||
  one.ordinal - other.ordinal
