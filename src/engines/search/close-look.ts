// The best pages of a query, looked at closely: where its words stand. What stands together, in one section or in the
// title, is likelier meant than what is strewn over a long page.
import type { MatchedQuery, MatchedTerm } from './matched-query.ts'
import { saturated } from './matching.ts'
import { phrasePages, positionsOn, Slots } from './phrases.ts'
import { BODY, FIELDS, HEADING, TITLE } from './postings.ts'
import type { Query } from './query-terms.ts'
import { termsMeant } from './readings.ts'
import type { Collection, SearchedPart } from './searched-part.ts'

/** A page as it was ranked from afar. */
export type Ranked = {
  readonly part: number
  readonly slot: number
  readonly score: number
  readonly covered: number
}

export type CloseSection = {
  readonly ordinal: number
  readonly score: number
  /** How much of the query it has together with the title of its page, by how rare its words are. */
  readonly covered: number
}

export type ClosePage = {
  readonly index: number
  readonly pageId: string
  readonly score: number
  /** The score that it was given. */
  readonly farScore: number
  /** How much of the query it has, as it was given. */
  readonly covered: number
  /** Its title is the query. */
  readonly isExact: boolean
  /** Those with words of the query, best first. */
  readonly sections: readonly CloseSection[]
}

const SECTION_SHARE = 0.65
const NEARNESS_SHARE = 0.5
const TITLE_SHARE = 1.8
const EXACT_TITLE_SHARE = 1
const HEADING_WEIGHT = 2
const SECTION_LENGTH_SHARE = 0.5
/** Words further apart than this have nothing to do with each other. */
const NEAR_MAX = 12
/** Of a word that occurs more often on one page, the first places tell enough. */
const PLACES_MAX = 512

export function lookClosely(
  collection: Collection,
  query: Query,
  matched: MatchedQuery,
  pages: readonly Ranked[],
): ClosePage[] {
  const byPart = Map.groupBy(pages, page => page.part)
  return [...byPart].flatMap(([at, some]) => {
    const part = collection.parts[at]!
    const slots = new Slots(
      part.segment.pages,
      some.map(page => page.slot),
    )
    const places = matched.terms.map(term => placesOf(part, term, at, slots))
    const masses = massesIn(matched, part)
    const total = masses.reduce((sum, mass) => sum + mass, 0) || 1
    return some.map(page => {
      const own = places.map(place => place.get(page.slot) ?? NOWHERE)
      const has = masses.map((mass, index) => mass * (matched.terms[index]!.shares[at]?.[page.slot] ?? 1))
      return closePage(collection, part, query, page, own, { all: masses, has, total })
    })
  })
}

/** How much each term of a query is worth on a page, and all of them where nothing is lacking. */
type Masses = { readonly all: readonly number[]; readonly has: readonly number[]; readonly total: number }

const massesIn = ({ terms, weights }: MatchedQuery, { language }: SearchedPart): number[] =>
  terms.map(({ idf }, index) => idf * (weights.get(language)?.[index] ?? 0))

/** Where a term stands on a page, in order, and how much of it stands there. */
type Places = { readonly positions: readonly number[]; readonly shares: ArrayLike<number> }
const NOWHERE: Places = { positions: [], shares: [] }

function placesOf(
  part: SearchedPart,
  { readings, strengths, shares }: MatchedTerm,
  at: number,
  slots: Slots,
): ReadonlyMap<number, Places> {
  const places = new Map<number, Places>()
  if (strengths[at] === undefined) return places
  // Where a page has what is written, it does not matter where it says the same in other words.
  const inOtherWords = new Slots(
    part.segment.pages,
    slots.list.filter(slot => (shares[at]?.[slot] ?? 1) < 1),
  )
  for (const reading of readings) {
    const looked = reading.share === undefined ? slots : inOtherWords
    if (looked.list.length === 0) continue
    const meant = reading.words.map(word => termsMeant(part.segment, word, reading, part.language))
    const found: Iterable<readonly [number, readonly number[]]> =
      meant.length === 1
        ? positionsOn(part.segment, meant[0]!, looked)
        : Array.from(
            phrasePages(part.segment, meant, reading.words, looked),
            page => [page.slot, page.positions] as const,
          )
    for (const [slot, positions] of found)
      places.set(slot, joined(places.get(slot) ?? NOWHERE, positions, reading.share ?? 1))
  }
  return places
}

// Of what is written, which most words are.
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
    const isKnown = !(others[other]! < known.positions[one]!)
    const takesKnown = one < known.positions.length && (isKnown || other >= others.length)
    positions.push(takesKnown ? known.positions[one]! : others[other]!)
    shares.push(takesKnown ? known.shares[one]! : share)
    if (takesKnown) one++
    else other++
  }
  return { positions, shares }
}

function closePage(
  collection: Collection,
  part: SearchedPart,
  query: Query,
  { slot, score, covered }: Ranked,
  places: readonly Places[],
  { all: masses, has, total: totalMass }: Masses,
): ClosePage {
  const title = titleMatch(part, query, slot, places, masses, totalMass)
  const sections = sectionsOf(collection, part, slot, places, masses, totalMass)
  const nearness = nearnessOf(places, has)
  return {
    index: part.index,
    pageId: part.segment.pageIdAt(slot),
    score: score + SECTION_SHARE * (sections[0]?.score ?? 0) + NEARNESS_SHARE * nearness + title,
    farScore: score,
    covered,
    isExact: isTitle(part, query, slot),
    sections,
  }
}

const isTitle = ({ segment: { arrays } }: SearchedPart, { titleHash }: Query, slot: number): boolean =>
  arrays.titleHashes[slot] === titleHash

/** The more of the query the title has, and the more of the title the query has. */
function titleMatch(
  part: SearchedPart,
  query: Query,
  slot: number,
  places: readonly Places[],
  masses: readonly number[],
  totalMass: number,
): number {
  const length = part.segment.arrays.lengths[FIELDS * slot + TITLE]!
  if (length === 0) return 0
  const matched = new Set<number>()
  let mass = 0
  for (const [term, { positions, shares }] of places.entries()) {
    for (let at = 0; at < positions.length && positions[at]! < length; at++) matched.add(positions[at]!)
    mass += shareBelow(positions, shares, length) * masses[term]!
  }
  const exact = isTitle(part, query, slot) ? EXACT_TITLE_SHARE * totalMass : 0
  return TITLE_SHARE * mass * (matched.size / length) + exact
}

function sectionsOf(
  { meanLengths, pages, sections: sectionCount }: Collection,
  { segment }: SearchedPart,
  slot: number,
  places: readonly Places[],
  masses: readonly number[],
  totalMass: number,
): CloseSection[] {
  const titleLength = segment.arrays.lengths[FIELDS * slot + TITLE]!
  const meanLength = ((meanLengths[HEADING]! + meanLengths[BODY]!) * pages) / Math.max(1, sectionCount)
  const inTitle = places.map(({ positions, shares }) => shareBelow(positions, shares, titleLength))
  const found = new Map<number, { frequencies: number[]; shares: number[] }>()
  const { sectionStarts, sections } = segment.arrays
  const first = sectionStarts[slot]!
  const end = sectionStarts[slot + 1]!
  for (const [term, { positions, shares }] of places.entries()) {
    // Both positions and sections are in order.
    let next = first
    let own: { frequencies: number[]; shares: number[] } | undefined
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at]!
      const before = next
      while (next < end && sections[2 * next]! <= position) next++
      if (next === first) continue
      if (own === undefined || next !== before) own = found.get(next - 1 - first)
      if (own === undefined) {
        own = { frequencies: masses.map(() => 0), shares: masses.map(() => 0) }
        found.set(next - 1 - first, own)
      }
      own.frequencies[term]! += position < sections[2 * (next - 1) + 1]! ? HEADING_WEIGHT : 1
      if (shares[at]! > own.shares[term]!) own.shares[term] = shares[at]!
    }
  }
  return Array.from(found, ([ordinal, { frequencies, shares }]) => {
    const norm =
      1 - SECTION_LENGTH_SHARE + (SECTION_LENGTH_SHARE * lengthOf(segment.arrays, slot, ordinal)) / meanLength
    let [score, has, covered] = [0, 0, 0]
    for (const [term, frequency] of frequencies.entries()) {
      const mass = masses[term]! * shares[term]!
      score += mass * saturated(frequency / norm)
      has += mass
      covered += Math.max(mass, masses[term]! * inTitle[term]!)
    }
    return { ordinal, score: (score * has) / totalMass, covered: covered / totalMass }
  })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.ordinal - other.ordinal)
}

function shareBelow(positions: readonly number[], shares: ArrayLike<number>, end: number): number {
  let share = 0
  for (let at = 0; at < positions.length && positions[at]! < end; at++) share = Math.max(share, shares[at]!)
  return share
}

/** The positions of a section; that of the last is not known to its end, and taken for a short one. */
function lengthOf(
  { sectionStarts, sections, lengths }: SearchedPart['segment']['arrays'],
  slot: number,
  ordinal: number,
): number {
  const at = sectionStarts[slot]! + ordinal
  const start = sections[2 * at]!
  if (at + 1 < sectionStarts[slot + 1]!) return sections[2 * at + 2]! - start
  const first = sections[2 * sectionStarts[slot]!]!
  return Math.max(1, lengths[FIELDS * slot + HEADING]! + lengths[FIELDS * slot + BODY]! - (start - first))
}

/** How near each other the words of a query stand that follow each other in it. */
function nearnessOf(places: readonly Places[], masses: readonly number[]): number {
  let sum = 0
  let before = -1
  for (const [term, { positions }] of places.entries()) {
    if (masses[term] === 0) continue
    if (before >= 0 && positions.length > 0) {
      const distance = leastDistance(places[before]!.positions, positions)
      if (distance <= NEAR_MAX) sum += Math.min(masses[before]!, masses[term]!) / distance
    }
    before = term
  }
  return sum
}

/** From one of the first to one of the others; those in the other order count one more. Both are in order. */
function leastDistance(first: readonly number[], others: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  let at = 0
  for (const position of first) {
    while (at < others.length && others[at]! <= position) at++
    if (at < others.length) least = Math.min(least, others[at]! - position)
    if (at > 0) least = Math.min(least, position - others[at - 1]! + 1)
  }
  return Math.max(1, least)
}
