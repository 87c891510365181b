// Adjacent words: the pages that have them, and their positions.

import { uint32At } from '../../base/typed-arrays.ts'
import { fieldLength, packCounts, readerOf, readPositionsAt, TITLE } from './postings.ts'
import type { MeantWord } from './readings.ts'
import { sectionAt } from './searched-part.ts'
import type { Segment } from './segment.ts'
import { cachedPlaces, NOWHERE } from './term-cache.ts'
import type { MeantTerms } from './vocabulary.ts'

export type PhrasePage = {
  readonly slot: number
  readonly counts: number
  readonly positions: readonly number[]
}

/** The pages that have all words at their offsets, among `asked` if given. */
export function* phrasePages(
  segment: Segment,
  words: readonly MeantWord[],
  asked?: Slots,
): Generator<PhrasePage> {
  const pages = pagesWithAll(segment, words, asked)
  if (pages.list.length === 0) return
  const [first, ...others] = words.map(({ offset, terms }) => ({
    offset,
    positions: positionsOn(segment, terms, pages),
  }))
  if (first === undefined) return
  for (const slot of pages.list) {
    let starts = first.positions.get(slot) ?? []
    for (const { offset, positions } of others) {
      if (starts.length === 0) break
      starts = followed(starts, positions.get(slot) ?? [], offset - first.offset)
    }
    if (starts.length > 0) yield { slot, counts: countsOf(segment, slot, starts), positions: starts }
  }
}

/** A set of pages of a segment. */
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

/** The pages that have all words, in order. Starts with the rarest word, to look for common ones on few pages. */
function pagesWithAll(segment: Segment, words: readonly MeantWord[], asked: Slots | undefined): Slots {
  const rarestFirst = words
    .map(({ terms }) => ({ terms, pages: pagesAtMost(segment, terms) }))
    .sort((one, other) => one.pages - other.pages)
  const has = new Uint16Array(segment.pages)
  for (const [before, { terms }] of rarestFirst.entries())
    for (const term of terms.keys()) {
      const reader = readerOf(segment.arrays, term)
      while (reader.next()) if (has[reader.slot] === before) has[reader.slot] = before + 1
    }
  const pages: number[] = []
  for (let slot = 0; slot < has.length; slot++)
    if (has[slot] === words.length && (asked === undefined || asked.has(slot))) pages.push(slot)
  return new Slots(segment.pages, pages)
}

/** An upper bound on the pages that have the rarest of the words. */
export const pagesOfRarest = (segment: Segment, words: readonly MeantWord[]): number =>
  Math.min(...words.map(({ terms }) => pagesAtMost(segment, terms)))

function pagesAtMost({ arrays }: Segment, terms: MeantTerms): number {
  let sum = 0
  for (const term of terms.keys()) sum += uint32At(arrays.termPages, term)
  return sum
}

/** The positions of the terms on each page, in order. */
export function positionsOn(segment: Segment, terms: MeantTerms, pages: Slots): Map<number, number[]> {
  const positions = new Map<number, number[]>()
  for (const term of terms.keys()) {
    const places = cachedPlaces(segment, term, pages.list.length)
    if (places !== undefined) {
      addPositions(positions, segment, places, pages)
      continue
    }
    const reader = readerOf(segment.arrays, term)
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

/** The same for a term whose places in the postings are cached. */
function addPositions(
  positions: Map<number, number[]>,
  { arrays: { postings } }: Segment,
  places: Uint32Array,
  pages: Slots,
): void {
  for (const slot of pages.list) {
    const at = uint32At(places, slot)
    if (at === NOWHERE) continue
    const read = readPositionsAt(postings, at)
    const known = positions.get(slot)
    if (known === undefined) positions.set(slot, read)
    else for (const position of read) known.push(position)
  }
}

/** The `starts` that one of `others` follows at this distance. Both are sorted. */
function followed(starts: readonly number[], others: readonly number[], distance: number): number[] {
  const kept: number[] = []
  let at = 0
  for (const start of starts) {
    while ((others[at] ?? Infinity) < start + distance) at++
    if (others[at] === start + distance) kept.push(start)
  }
  return kept
}

function countsOf(segment: Segment, slot: number, positions: readonly number[]): number {
  const titleEnd = fieldLength(segment.arrays.lengths, slot, TITLE)
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
