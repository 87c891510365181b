// The second pass of ranking: the positions of the words on the best pages. Words that are close together, in one
// section or in the title, are likelier what is meant than words spread over a long page.

import { uint32At } from '../../base/typed-arrays.ts'
import type { MatchedQuery, MatchedTerm } from './matched-query.ts'
import { saturated } from './matching.ts'
import { phrasePages, positionsOn, Slots } from './phrases.ts'
import { BODY, fieldLength, HEADING, TITLE } from './postings.ts'
import type { Query } from './query-terms.ts'
import type { Ranked } from './ranking.ts'
import { meantWords } from './readings.ts'
import type { Collection, SearchedPart } from './searched-part.ts'

export type CloseSection = {
  readonly ordinal: number
  readonly score: number
  /** The share of the query in the section and the title of its page, weighted by rarity. */
  readonly covered: number
}

export type ClosePage = {
  readonly index: number
  readonly pageId: string
  readonly score: number
  /** The score of the first pass. */
  readonly farScore: number
  /** The share of the query of the first pass. */
  readonly covered: number
  /** Whether its title is the query. */
  readonly isExact: boolean
  /** The sections with words of the query, best first. */
  readonly sections: readonly CloseSection[]
}

/** The weights of the parts of a score, relative to that of the first pass. */
const SHARES = { section: 0.65, nearness: 0.5, title: 1.8, exactTitle: 1 } as const
/** Positions of one word on a page; the first ones are enough. */
const PLACES_MAX = 512

export function lookClosely(
  collection: Collection,
  query: Query,
  matched: MatchedQuery,
  pages: readonly Ranked[],
): ClosePage[] {
  const byPart = Map.groupBy(pages, page => page.part)
  return collection.parts.flatMap((part, at) => {
    const some = byPart.get(at)
    if (some === undefined) return []
    const slots = new Slots(
      part.segment.pages,
      some.map(page => page.slot),
    )
    const weights = matched.weights.get(part.language) ?? []
    const terms = matched.terms.map((term, index) => ({
      mass: term.idf * (weights[index] ?? 0),
      shares: term.shares[at],
      places: placesOf(part, term, at, slots),
    }))
    const totalMass = terms.reduce((sum, { mass }) => sum + mass, 0) || 1
    return some.map(page => {
      const own = terms.map(({ mass, shares, places }) => ({
        ...(places.get(page.slot) ?? NOWHERE),
        mass,
        has: mass * (shares?.[page.slot] ?? 1),
      }))
      return closePage(collection, part, query, page, own, totalMass)
    })
  })
}

/** The positions of a term on a page, in order, and how much of the term is at each. */
type Places = { readonly positions: readonly number[]; readonly shares: ArrayLike<number> }
const NOWHERE: Places = { positions: [], shares: [] }

/** A term of the query on a page: `mass` is its weight in the query, `has` how much of that the page has. */
type TermOnPage = Places & { readonly mass: number; readonly has: number }

function placesOf(
  part: SearchedPart,
  { readings, strengths, shares }: MatchedTerm,
  at: number,
  slots: Slots,
): ReadonlyMap<number, Places> {
  const places = new Map<number, Places>()
  if (strengths[at] === undefined) return places
  // Other wordings matter only on pages without the written one.
  const inOtherWords = new Slots(
    part.segment.pages,
    slots.list.filter(slot => (shares[at]?.[slot] ?? 1) < 1),
  )
  for (const reading of readings) {
    const looked = reading.share === undefined ? slots : inOtherWords
    if (looked.list.length === 0) continue
    const words = meantWords(part.segment, reading, part.language)
    const [only, ...others] = words
    const found: Iterable<readonly [number, readonly number[]]> =
      only !== undefined && others.length === 0
        ? positionsOn(part.segment, only.terms, looked)
        : Array.from(phrasePages(part.segment, words, looked), page => [page.slot, page.positions] as const)
    for (const [slot, positions] of found)
      places.set(slot, joined(places.get(slot) ?? NOWHERE, positions, reading.share ?? 1))
  }
  return places
}

// For words as written, which is most of them.
const WHOLE = new Float64Array(PLACES_MAX).fill(1)

/** Both in order. */
function joined(known: Places, more: readonly number[], share: number): Places {
  const others = more.length > PLACES_MAX ? more.slice(0, PLACES_MAX) : more
  if (known.positions.length === 0)
    return { positions: others, shares: share === 1 ? WHOLE : others.map(() => share) }
  const positions: number[] = []
  const shares: number[] = []
  let [one, other] = [0, 0]
  while (one < known.positions.length || other < others.length) {
    const [own, next] = [positionAt(known.positions, one), positionAt(others, other)]
    positions.push(Math.min(own, next))
    if (own <= next) shares.push(known.shares[one++] ?? 0)
    else {
      shares.push(share)
      other++
    }
  }
  return { positions, shares }
}

const positionAt = (positions: readonly number[], at: number): number =>
  positions[at] ?? Number.POSITIVE_INFINITY

function closePage(
  collection: Collection,
  part: SearchedPart,
  query: Query,
  { slot, score, covered }: Ranked,
  terms: readonly TermOnPage[],
  totalMass: number,
): ClosePage {
  const isExact = part.segment.arrays.titleHashes[slot] === query.titleHash
  const title = titleMatch(part, slot, terms) + (isExact ? SHARES.exactTitle * totalMass : 0)
  const sections = sectionsOf(collection, part, slot, terms, totalMass)
  return {
    index: part.index,
    pageId: part.segment.pageIdAt(slot),
    score: score + SHARES.section * (sections[0]?.score ?? 0) + SHARES.nearness * nearnessOf(terms) + title,
    farScore: score,
    covered,
    isExact,
    sections,
  }
}

/** The product of the share of the query in the title and the share of the title in the query. */
function titleMatch(part: SearchedPart, slot: number, terms: readonly TermOnPage[]): number {
  const length = fieldLength(part.segment.arrays.lengths, slot, TITLE)
  if (length === 0) return 0
  const matched = new Set<number>()
  let mass = 0
  for (const term of terms) {
    for (const position of term.positions) {
      if (position >= length) break
      matched.add(position)
    }
    mass += shareBelow(term, length) * term.mass
  }
  return SHARES.title * mass * (matched.size / length)
}

const HEADING_WEIGHT = 2
const SECTION_LENGTH_SHARE = 0.5

/** A term in a section. */
type Hits = { frequency: number; share: number }

function sectionsOf(
  { meanLengths, pages, sections: sectionCount }: Collection,
  { segment }: SearchedPart,
  slot: number,
  terms: readonly TermOnPage[],
  totalMass: number,
): CloseSection[] {
  const titleLength = fieldLength(segment.arrays.lengths, slot, TITLE)
  const [meanHeading = 1, meanBody = 1] = [meanLengths[HEADING], meanLengths[BODY]]
  const meanLength = ((meanHeading + meanBody) * pages) / Math.max(1, sectionCount)
  const found = new Map<number, Map<TermOnPage, Hits>>()
  const hitsIn = (ordinal: number, term: TermOnPage): Hits => {
    const section = found.get(ordinal) ?? new Map<TermOnPage, Hits>()
    const hits = section.get(term) ?? { frequency: 0, share: 0 }
    found.set(ordinal, section.set(term, hits))
    return hits
  }
  const { sectionStarts, sections } = segment.arrays
  const first = uint32At(sectionStarts, slot)
  const end = uint32At(sectionStarts, slot + 1)
  for (const term of terms) {
    // Both positions and sections are in order.
    let next = first
    let at = 0
    let hits: Hits | undefined
    for (const position of term.positions) {
      const before = next
      while (next < end && uint32At(sections, 2 * next) <= position) next++
      const share = term.shares[at++] ?? 0
      if (next === first) continue
      if (hits === undefined || next !== before) hits = hitsIn(next - 1 - first, term)
      hits.frequency += position < uint32At(sections, 2 * (next - 1) + 1) ? HEADING_WEIGHT : 1
      hits.share = Math.max(hits.share, share)
    }
  }
  const inTitle = new Map(terms.map(term => [term, term.mass * shareBelow(term, titleLength)]))
  return Array.from(found, ([ordinal, hits]) => {
    const norm =
      1 - SECTION_LENGTH_SHARE + (SECTION_LENGTH_SHARE * lengthOf(segment.arrays, slot, ordinal)) / meanLength
    let [score, has, covered] = [0, 0, 0]
    for (const [term, titleMass] of inTitle) {
      const { frequency, share } = hits.get(term) ?? { frequency: 0, share: 0 }
      const mass = term.mass * share
      score += mass * saturated(frequency / norm)
      has += mass
      covered += Math.max(mass, titleMass)
    }
    return { ordinal, score: (score * has) / totalMass, covered: covered / totalMass }
  })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.ordinal - other.ordinal)
}

/** The largest share of a term at a position below `end`. */
function shareBelow({ positions, shares }: Places, end: number): number {
  let share = 0
  let at = 0
  for (const position of positions) {
    if (position >= end) break
    share = Math.max(share, shares[at++] ?? 0)
  }
  return share
}

/** The length of a section in positions. The end of the last one is not known, so it counts as short. */
function lengthOf(
  { sectionStarts, sections, lengths }: SearchedPart['segment']['arrays'],
  slot: number,
  ordinal: number,
): number {
  const firstAt = uint32At(sectionStarts, slot)
  const at = firstAt + ordinal
  const start = uint32At(sections, 2 * at)
  if (at + 1 < uint32At(sectionStarts, slot + 1)) return uint32At(sections, 2 * at + 2) - start
  const first = uint32At(sections, 2 * firstAt)
  return Math.max(1, fieldLength(lengths, slot, HEADING) + fieldLength(lengths, slot, BODY) - (start - first))
}

/** Words further apart are unrelated. */
const NEAR_MAX = 12

/** How close together the consecutive terms of a query are. */
function nearnessOf(terms: readonly TermOnPage[]): number {
  let sum = 0
  let before: TermOnPage | undefined
  for (const term of terms) {
    if (term.has === 0) continue
    if (before !== undefined && term.positions.length > 0) {
      const distance = leastDistance(before.positions, term.positions)
      if (distance <= NEAR_MAX) sum += Math.min(before.has, term.has) / distance
    }
    before = term
  }
  return sum
}

/** The least distance between one of the first and one of the others; the opposite order adds 1. Both are sorted. */
function leastDistance(first: readonly number[], others: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  let at = 0
  let before = Number.NEGATIVE_INFINITY
  let next = positionAt(others, 0)
  for (const position of first) {
    while (next <= position) {
      before = next
      next = positionAt(others, ++at)
    }
    least = Math.min(least, next - position, position - before + 1)
  }
  return Math.max(1, least)
}
