// Words beside each other: which pages have them, and where.
import { keptPlaces, NOWHERE } from './common-words.ts'
import { packCounts, readPositionsAt, TITLE } from './postings.ts'
import type { QueryWord } from './query-words.ts'
import { readerOf, sectionAt } from './searched-part.ts'
import type { Segment } from './segment.ts'
import type { MeantTerms } from './vocabulary.ts'

export type PhrasePage = {
  readonly slot: number
  readonly counts: number
  readonly positions: readonly number[]
}

/** Of the pages that have all words, those that have them at the offsets of the words. */
export function* phrasePages(
  segment: Segment,
  meant: readonly MeantTerms[],
  words: readonly QueryWord[],
  asked?: Slots,
): Generator<PhrasePage> {
  const pages = pagesWithAll(segment, meant, asked)
  if (pages.list.length === 0) return
  const byWord = meant.map(terms => positionsOn(segment, terms, pages))
  for (const slot of pages.list) {
    let starts = byWord[0]!.get(slot) ?? []
    for (let index = 1; index < words.length && starts.length > 0; index++)
      starts = followed(starts, byWord[index]!.get(slot) ?? [], words[index]!.offset - words[0]!.offset)
    if (starts.length > 0) yield { slot, counts: countsOf(segment, slot, starts), positions: starts }
  }
}

/** Some pages of a segment: each page that has a word is held against them. */
export class Slots {
  readonly list: readonly number[]
  readonly last: number
  readonly #mask: Uint8Array

  constructor(pages: number, list: readonly number[]) {
    this.list = list
    this.#mask = new Uint8Array(pages)
    let last = -1
    for (const slot of list) {
      this.#mask[slot] = 1
      if (slot > last) last = slot
    }
    this.last = last
  }

  has(slot: number): boolean {
    return this.#mask[slot] === 1
  }
}

/** In their order. The rarest word first, so that common ones are looked for on few pages. */
function pagesWithAll(segment: Segment, meant: readonly MeantTerms[], asked: Slots | undefined): Slots {
  const sizes = meant.map(terms => pagesAtMost(segment, terms))
  const order = Array.from(meant.keys()).sort((one, other) => sizes[one]! - sizes[other]!)
  const has = new Uint16Array(segment.pages)
  for (const [before, index] of order.entries())
    for (const term of meant[index]!.keys()) {
      const reader = readerOf(segment, term)
      while (reader.next()) if (has[reader.slot] === before) has[reader.slot] = before + 1
    }
  const pages: number[] = []
  for (let slot = 0; slot < has.length; slot++)
    if (has[slot] === meant.length && (asked === undefined || asked.has(slot))) pages.push(slot)
  return new Slots(segment.pages, pages)
}

/** On how many pages at most the rarest of the words stands. */
export const pagesOfRarest = (segment: Segment, meant: readonly MeantTerms[]): number =>
  Math.min(...meant.map(terms => pagesAtMost(segment, terms)))

function pagesAtMost({ arrays }: Segment, terms: MeantTerms): number {
  let sum = 0
  for (const term of terms.keys()) sum += arrays.termPages[term]!
  return sum
}

/** Where the terms stand on the pages, in order. */
export function positionsOn(segment: Segment, terms: MeantTerms, pages: Slots): Map<number, number[]> {
  const positions = new Map<number, number[]>()
  for (const term of terms.keys()) {
    const places = keptPlaces(segment, term, pages.list.length)
    if (places !== undefined) {
      addPositions(positions, segment, places, pages)
      continue
    }
    const reader = readerOf(segment, term)
    while (reader.slot < pages.last && reader.next()) {
      if (!pages.has(reader.slot)) continue
      const known = positions.get(reader.slot)
      if (known === undefined) {
        const read: number[] = []
        reader.readPositions(read)
        positions.set(reader.slot, read)
      } else reader.readPositions(known)
    }
  }
  if (terms.size > 1) for (const some of positions.values()) some.sort((one, other) => one - other)
  return positions
}

/** The same of a word of which is known where it is said of each page. */
function addPositions(
  positions: Map<number, number[]>,
  { arrays: { postings } }: Segment,
  places: Uint32Array,
  pages: Slots,
): void {
  for (const slot of pages.list) {
    const at = places[slot]!
    if (at === NOWHERE) continue
    const read = readPositionsAt(postings, at)
    const known = positions.get(slot)
    if (known === undefined) positions.set(slot, read)
    else for (const position of read) known.push(position)
  }
}

/** Those of `starts` that have one of `others` so far behind them; both in order. */
function followed(starts: readonly number[], others: readonly number[], distance: number): number[] {
  const kept: number[] = []
  let at = 0
  for (const start of starts) {
    while (at < others.length && others[at]! < start + distance) at++
    if (others[at] === start + distance) kept.push(start)
  }
  return kept
}

function countsOf(segment: Segment, slot: number, positions: readonly number[]): number {
  const titleEnd = segment.arrays.lengths[4 * slot + TITLE]!
  let [title, description, heading, body] = [0, 0, 0, 0]
  for (const position of positions) {
    if (position < titleEnd) title++
    else {
      const { ordinal, isHeading } = sectionAt(segment, slot, position)
      if (ordinal < 0) description++
      else if (isHeading) heading++
      else body++
    }
  }
  return packCounts(title, description, heading, body)
}
