// Merges two rankings of pages: by the words of a query, and by its meaning. Scores by words have no scale, but the
// score of a page with the whole query is estimated from the best one. Closeness adds a share of that: a lot to a page
// with little of the query, and little to one with nearly all of it.
import type { After, FoundPage, PageAt, Ranking } from './search.ts'

/** A page with words of the query. `key` identifies it. */
export type PageByWords = Pick<FoundPage, 'score' | 'covered' | 'isExact'> & { readonly key: string }

export type NearPage = {
  readonly key: string
  /** From 0, unrelated to the query, to 1. */
  readonly closeness: number
  /** Whether it is near enough to be found without any of the words. */
  readonly isNear: boolean
}

export type RankedPage = {
  readonly key: string
  /** Comparable with scores by words. */
  readonly score: number
  /** Whether its meaning contributed more than its words. */
  readonly isByMeaning: boolean
}

/** Below one half: a page that is only near ranks after pages with the words. */
const NEAR_SHARE = 0.4
/** For the best page: one with next to nothing of the query does not tell what a page with all of it would score. */
const COVERED_MIN = 0.05

/**
 * Best first: all pages with words, and near pages without. A page whose title is the query stays before all pages that
 * are only near.
 */
export function rankWithNear(
  byWords: readonly PageByWords[],
  near: readonly NearPage[],
): readonly RankedPage[] {
  const best = byWords.reduce<PageByWords | undefined>(
    (one, other) => (one === undefined || other.score > one.score ? other : one),
    undefined,
  )
  const whole = best === undefined ? 1 : best.score / Math.max(COVERED_MIN, best.covered)
  const words = new Map(byWords.map(page => [page.key, page]))
  const bonus = new Map(near.map(({ key, closeness }) => [key, NEAR_SHARE * closeness * whole]))
  const alone = near.filter(({ key, isNear }) => isNear && !words.has(key)).map(({ key }) => key)
  return [...words.keys(), ...alone]
    .map(key => {
      const own = words.get(key)
      const score = own?.score ?? 0
      const gained = bonus.get(key) ?? 0
      return { key, score: score + gained, isByMeaning: gained > score, isExact: own?.isExact ?? false }
    })
    .sort(byRank)
    .map(({ key, score, isByMeaning }) => ({ key, score, isByMeaning }))
}

type Placed = RankedPage & Pick<PageByWords, 'isExact'>

const byRank = (one: Placed, other: Placed): number =>
  Number(other.isExact) - Number(one.isExact) ||
  other.score - one.score ||
  (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)

/** This many pages by words are ranked together with near pages; the rest follow in their order. */
const TOGETHER_MAX = 20

/** A near page, and its place in the searched indexes; absent if it is in none of them. */
export type NearPageAt = NearPage & { readonly at?: PageAt | undefined }

export type FirstPages<Near> = {
  /** Best first. */
  readonly pages: readonly (RankedPage & {
    readonly found: FoundPage | undefined
    readonly near: Near | undefined
  })[]
  /** How many of those none of the words found. */
  readonly alone: number
  /** The other pages by words follow after this one, except those of `without`; absent if there are no others. */
  readonly rest?: After
  readonly without: readonly PageAt[]
}

/**
 * The beginning of a ranking, merged with near pages. It includes every page of `near` that has a place in the ranking,
 * so that none of them appears again in the rest.
 */
export function firstPages<Near extends NearPageAt>(
  ranking: Ranking,
  near: readonly Near[],
  keyOf: (page: PageAt) => string,
): FirstPages<Near> {
  const named = (page: FoundPage) => ({ ...page, key: keyOf(page) })
  const { pages, next } = ranking.read({ limit: TOGETHER_MAX })
  const together = pages.map(named)
  const isTogether = new Set(together.map(({ key }) => key))
  const others = near.flatMap(({ key, at }) => (at === undefined || isTogether.has(key) ? [] : [at]))
  const behind = ranking.find(others).map(named)
  const ranked = rankWithNear([...together, ...behind], near)
  // A near page that still ranks after all of these stays where its words put it.
  const last = ranked.findLastIndex(({ key }) => isTogether.has(key))
  const stays = new Set(
    ranked.filter(({ key }, at) => at > last && behind.some(one => one.key === key)).map(({ key }) => key),
  )
  const byKey = new Map([...together, ...behind].map(page => [page.key, page]))
  const nearByKey = new Map(near.map(page => [page.key, page]))
  const first = ranked
    .filter(({ key }) => !stays.has(key))
    .map(page => ({ ...page, found: byKey.get(page.key), near: nearByKey.get(page.key) }))
  return {
    pages: first,
    alone: first.filter(({ found }) => found === undefined).length,
    ...(next === undefined ? {} : { rest: next }),
    without: behind.filter(({ key }) => !stays.has(key)),
  }
}
