// Searches pages: those with words of a query are ranked by them, and the best are ranked again by positions.

import { float64At, uint32At } from '../../base/typed-arrays.ts'
import { type ClosePage, lookClosely } from './close-look.ts'
import { type MatchedQuery, matchQuery } from './matched-query.ts'
import { nearestWords } from './nearest-words.ts'
import type { Query } from './query-terms.ts'
import { type Candidates, rankedAt, rankPages } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import { type Collection, collect, type SearchedPart } from './searched-part.ts'
import { selectFirst } from './select.ts'
import { compareStrings } from './string-table.ts'

/** The last page that was shown; the pages after it are next. */
export type After = { readonly score: number; readonly index: number; readonly pageId: string }

export type FoundSection = { readonly ordinal: number; readonly score: number }

export type FoundPage = {
  /** The position of its index in the list of searched indexes. */
  readonly index: number
  readonly pageId: string
  readonly score: number
  /** How much of the query the page has, weighted by rarity: 0 to 1. */
  readonly covered: number
  /** Whether its title is the query, word by word. */
  readonly isExact: boolean
  /** The best sections, best first. */
  readonly sections: readonly FoundSection[]
}

export type RankedPages = {
  /** The number of all pages that match. */
  readonly count: number
  /** Best first; those with equal scores by index and id. */
  readonly pages: readonly FoundPage[]
  /** Words that were corrected, because they do not occur or because the others are far likelier. */
  readonly corrections: readonly { readonly written: string; readonly read: readonly string[] }[]
  /** Present if more pages follow. */
  readonly next?: After
}

/** A page, and the position of its index. */
export type PageAt = { readonly index: number; readonly pageId: string }

export type SearchOptions = {
  readonly limit: number
  readonly after?: After | undefined
  /** Pages to leave out of the result; the count includes them. */
  readonly without?: readonly PageAt[]
}

/** What matches a query, ranked once and read in portions. */
export type Ranking = Pick<RankedPages, 'count' | 'corrections'> & {
  read(options: SearchOptions): Pick<RankedPages, 'pages' | 'next'>
  /** Finds those of the given pages that match, at any rank. */
  find(pages: readonly PageAt[]): readonly FoundPage[]
  /** Words of the searched pages that are near those of the query, nearest first. */
  nearestWords(): readonly string[]
}

/** How many pages are ranked by positions; later pages are ranked without. */
const LOOKED_AT_MAX = 100
const SECTIONS_MAX = 5

export function search(indexes: readonly SearchIndex[], query: Query, options: SearchOptions): RankedPages {
  const { count, corrections, read } = rank(indexes, query)
  return { count, corrections, ...read(options) }
}

export function rank(indexes: readonly SearchIndex[], query: Query): Ranking {
  const collection = collect(indexes)
  const matched = matchQuery(collection, query)
  const candidates = rankPages(collection, query, matched)
  const look = (places: readonly number[]) =>
    lookClosely(
      collection,
      query,
      matched,
      places.map(at => rankedAt(candidates, at)),
    )
  const best = selectFirst(candidates.scores.keys(), LOOKED_AT_MAX, byRank(collection, candidates))
  const isClose = new Set(best)
  const close = look(best).sort(compare)
  // They keep the score of the first pass, or they could come before a page that was already shown.
  const lookFar = (places: readonly number[]) =>
    look(places)
      .map(page => ({ ...page, score: page.farScore }))
      .sort(compare)
  return {
    count: candidates.scores.length,
    corrections: correctionsIn(matched),
    read({ limit, after, without = [] }) {
      const isLeftOut = new Set(without.map(nameOf))
      const first = close.filter(
        page => !isLeftOut.has(nameOf(page)) && (after === undefined || compare(after, page) < 0),
      )
      const passed = new Set([...isClose, ...placesOf(collection, candidates, without)])
      const rest = first.length > limit ? [] : restOf(collection, candidates, passed, limit, after)
      const behind = [...first, ...lookFar(rest)]
      const pages = behind.slice(0, limit)
      const last = pages.at(-1)
      return {
        pages: pages.map(toFoundPage),
        ...(last !== undefined && behind.length > limit
          ? { next: { score: last.score, index: last.index, pageId: last.pageId } }
          : {}),
      }
    },
    find(pages) {
      const wanted = new Set(pages.map(nameOf))
      const far = placesOf(collection, candidates, pages).filter(at => !isClose.has(at))
      return [...close.filter(page => wanted.has(nameOf(page))), ...lookFar(far)].map(toFoundPage)
    },
    nearestWords: () => nearestWords(collection, query),
  }
}

const nameOf = ({ index, pageId }: PageAt): string => `${index} ${pageId}`

const toFoundPage = ({ index, pageId, score, covered, isExact, sections }: ClosePage): FoundPage => ({
  index,
  pageId,
  score,
  covered,
  isExact,
  sections: sections.slice(0, SECTIONS_MAX).map(({ ordinal, score }) => ({ ordinal, score })),
})

/** The indices of these pages among the candidates; other pages are left out. */
function placesOf({ parts }: Collection, candidates: Candidates, pages: readonly PageAt[]): number[] {
  if (pages.length === 0) return []
  const wanted = new Map<number, Set<number>>()
  for (const { index, pageId } of pages)
    for (const [at, part] of parts.entries()) {
      const slot = part.index === index ? part.segment.slotOf(pageId) : undefined
      if (slot !== undefined) wanted.set(at, (wanted.get(at) ?? new Set()).add(slot))
    }
  const places: number[] = []
  for (const [at, part] of candidates.parts.entries())
    if (wanted.get(part)?.has(uint32At(candidates.slots, at))) places.push(at)
  return places
}

const correctionsIn = ({ terms }: MatchedQuery): RankedPages['corrections'] =>
  terms.flatMap(({ term, corrected }) =>
    corrected.length === 0 ? [] : [{ written: term.text, read: corrected }],
  )

const compare = (one: After, other: After): number =>
  other.score - one.score ||
  one.index - other.index ||
  (one.pageId < other.pageId ? -1 : one.pageId > other.pageId ? 1 : 0)

const toAfter = ({ parts }: Collection, candidates: Candidates, at: number): After => {
  const { part, slot, score } = rankedAt(candidates, at)
  const { index, segment } = partAt(parts, part)
  return { index, score, pageId: segment.pageIdAt(slot) }
}

// Candidates refer to the parts of the collection in which they were found, hence `!`.
const partAt = (parts: readonly SearchedPart[], at: number): SearchedPart => parts[at]!

/** Like `compare`, without decoding ids: many pages have equal scores. */
const byRank =
  ({ parts: all }: Collection, { parts, slots, scores }: Candidates) =>
  (one: number, other: number): number => {
    const difference = float64At(scores, other) - float64At(scores, one)
    if (difference !== 0) return difference
    const part = partAt(all, uint32At(parts, one))
    const otherPart = partAt(all, uint32At(parts, other))
    return (
      part.index - otherPart.index ||
      compareStrings(part.segment.ids, uint32At(slots, one), otherPart.segment.ids, uint32At(slots, other))
    )
  }

/** The next `limit + 1` candidates that are not `passed`. */
function restOf(
  collection: Collection,
  candidates: Candidates,
  passed: ReadonlySet<number>,
  limit: number,
  after: After | undefined,
): number[] {
  const rest: number[] = []
  for (let at = 0; at < candidates.scores.length; at++) {
    if (passed.has(at)) continue
    if (after !== undefined && float64At(candidates.scores, at) > after.score) continue
    if (after === undefined || compare(after, toAfter(collection, candidates, at)) < 0) rest.push(at)
  }
  return selectFirst(rest, limit + 1, byRank(collection, candidates))
}
