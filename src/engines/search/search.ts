// Finding pages: what has the words of a query is ranked by them, and the best of it is looked at closely.
import { lookClosely } from './close-look.ts'
import { type MatchedQuery, matchQuery } from './matched-query.ts'
import type { Query } from './query.ts'
import { type Candidates, rankPages } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import { type Collection, collect } from './searched-part.ts'
import { selectFirst } from './select.ts'

/** The last page that was shown: those behind it are next. */
export type After = { readonly score: number; readonly index: number; readonly pageId: string }

export type FoundSection = { readonly ordinal: number; readonly score: number }

export type FoundPage = {
  /** The place of its index among those that were searched. */
  readonly index: number
  readonly pageId: string
  readonly score: number
  /** The best ones, best first. */
  readonly sections: readonly FoundSection[]
}

export type Found = {
  /** Of all pages that match. */
  readonly count: number
  /** Best first; those with equal scores by index and id. */
  readonly pages: readonly FoundPage[]
  /** Words that are read as others, because nothing has them, or because the others are far likelier. */
  readonly corrections: readonly { readonly written: string; readonly read: readonly string[] }[]
  /** Where more pages follow. */
  readonly next?: After
}

export type SearchOptions = { readonly limit: number; readonly after?: After | undefined }

/** Of so many pages it is read where the words stand; those behind them are ranked without. */
const LOOKED_AT_MAX = 100
const SECTIONS_MAX = 5

export function search(
  indexes: readonly SearchIndex[],
  query: Query,
  { limit, after }: SearchOptions,
): Found {
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
  const best = selectFirst(candidates.scores.length, LOOKED_AT_MAX, byRank(collection, candidates))
  const close = look(best).sort(compare)
  const first = after === undefined ? close : close.filter(page => compare(after, page) < 0)
  const rest = first.length > limit ? [] : restOf(collection, candidates, new Set(best), limit, after)
  // They keep the score they have from afar, or they could come before a page that was shown already.
  const far = look(rest)
    .map(page => ({ ...page, score: page.farScore }))
    .sort(compare)
  const behind = [...first, ...far]
  const pages = behind.slice(0, limit)
  const last = pages.at(-1)
  return {
    count: candidates.scores.length,
    pages: pages.map(({ index, pageId, score, sections }) => ({
      index,
      pageId,
      score,
      sections: sections.slice(0, SECTIONS_MAX),
    })),
    corrections: correctionsIn(matched),
    ...(last !== undefined && behind.length > limit
      ? { next: { score: last.score, index: last.index, pageId: last.pageId } }
      : {}),
  }
}

const correctionsIn = ({ terms }: MatchedQuery): Found['corrections'] =>
  terms.flatMap(({ term, corrected }) =>
    corrected.length === 0 ? [] : [{ written: term.text, read: corrected }],
  )

const compare = (one: After, other: After): number =>
  other.score - one.score ||
  one.index - other.index ||
  (one.pageId < other.pageId ? -1 : one.pageId > other.pageId ? 1 : 0)

const toAfter = ({ parts }: Collection, { parts: of, slots, scores }: Candidates, at: number): After => {
  const { index, segment } = parts[of[at]!]!
  return { index, score: scores[at]!, pageId: segment.pageIdAt(slots[at]!) }
}

const rankedAt = ({ parts, slots, scores }: Candidates, at: number) => ({
  part: parts[at]!,
  slot: slots[at]!,
  score: scores[at]!,
})

const byRank = (collection: Collection, candidates: Candidates) => (one: number, other: number) =>
  candidates.scores[other]! - candidates.scores[one]! ||
  compare(toAfter(collection, candidates, one), toAfter(collection, candidates, other))

/** One more than are wanted of those behind the ones that were looked at. */
function restOf(
  collection: Collection,
  candidates: Candidates,
  close: ReadonlySet<number>,
  limit: number,
  after: After | undefined,
): number[] {
  const rest: number[] = []
  for (let at = 0; at < candidates.scores.length; at++) {
    if (close.has(at)) continue
    if (after !== undefined && candidates.scores[at]! > after.score) continue
    if (after === undefined || compare(after, toAfter(collection, candidates, at)) < 0) rest.push(at)
  }
  const order = byRank(collection, candidates)
  const first = selectFirst(rest.length, limit + 1, (one, other) => order(rest[one]!, rest[other]!))
  return first.map(at => rest[at]!)
}
