// Sorts the words of pages, given in the order of the text, into terms with their pages: a counting sort, in time in
// proportion to the words.

import { uint32At } from '../../base/typed-arrays.ts'
import { GrowingUint8 } from './growing.ts'
import type { PageWords } from './page-words.ts'
import { FIELDS, PostingWriter, packCounts } from './postings.ts'
import type { SegmentArrays } from './segment-format.ts'
import { signatureOf } from './signature.ts'
import { packStrings } from './string-table.ts'

export function segmentOf(pages: PageWords): SegmentArrays {
  const order = orderOf(pages.terms)
  const rank = inverted(order)
  const sorted = sortWords(pages, rank)
  const postings = new GrowingUint8()
  const postingStarts = new Uint32Array(order.length + 1)
  const termPages = new Uint32Array(order.length)
  const positions = new GrowingUint8()
  for (let term = 0; term < order.length; term++) {
    const writer = new PostingWriter(postings)
    let at = uint32At(sorted.starts, term)
    const end = uint32At(sorted.starts, term + 1)
    while (at < end) at = writePage(writer, sorted, at, end, positions)
    termPages[term] = writer.pages
    postingStarts[term + 1] = postings.length
  }
  const terms = pages.terms.toSorted()
  return {
    ...packIds(pages.ids),
    lengths: pages.lengths,
    titleHashes: pages.titleHashes,
    descriptions: pages.descriptions,
    sectionStarts: pages.sectionStarts,
    sections: pages.sections,
    ...packTerms(terms),
    termPages,
    postingStarts,
    postings: postings.array,
    ...packStems(pages.stems, rank),
  }
}

type Sorted = {
  readonly starts: Uint32Array
  readonly places: Uint32Array
  readonly slots: Uint32Array
}

/**
 * The places of each term, in the order of pages and positions.
 *
 * Words are indices of terms, `rank` has one number for each term, `starts` and `wordStarts` one more than there are
 * terms and pages: no index is out of bounds, hence `!`.
 */
function sortWords({ terms, words, places, wordStarts }: PageWords, rank: Uint32Array): Sorted {
  const starts = new Uint32Array(terms.length + 1)
  for (let word = 0; word < words.length; word++) starts[rank[words[word]!]! + 1]!++
  for (let term = 0; term < terms.length; term++) starts[term + 1]! += starts[term]!
  const next = starts.slice()
  const sorted = { starts, places: new Uint32Array(words.length), slots: new Uint32Array(words.length) }
  for (let slot = 0; slot + 1 < wordStarts.length; slot++) {
    const end = wordStarts[slot + 1]!
    for (let word = wordStarts[slot]!; word < end; word++) {
      const term = rank[words[word]!]!
      const at = next[term]!
      next[term] = at + 1
      sorted.places[at] = places[word]!
      sorted.slots[at] = slot
    }
  }
  return sorted
}

/** Writes where a term occurs on one page; returns where its next page begins. `at` is before `end`, hence `!`. */
function writePage(
  writer: PostingWriter,
  { places, slots }: Sorted,
  from: number,
  end: number,
  positions: GrowingUint8,
): number {
  const counts = new Uint32Array(FIELDS)
  const slot = slots[from]!
  let at = from
  let last = 0
  positions.length = 0
  for (; at < end && slots[at] === slot; at++) {
    const position = places[at]! >>> 2
    const field = places[at]! & 3
    counts[field] = counts[field]! + 1
    positions.pushNumber(position - last)
    last = position
  }
  const [title = 0, description = 0, heading = 0, body = 0] = counts
  writer.write(slot, packCounts(title, description, heading, body), positions.array)
  return at
}

/** The indexes of the strings in sorted order. */
function orderOf(strings: readonly string[]): Uint32Array {
  const order = Array.from(strings.entries())
  order.sort(([, one], [, other]) => (one < other ? -1 : one > other ? 1 : 0))
  return Uint32Array.from(order, ([index]) => index)
}

function inverted(order: Uint32Array): Uint32Array {
  const rank = new Uint32Array(order.length)
  for (const [index, at] of order.entries()) rank[at] = index
  return rank
}

export function packIds(ids: readonly string[]) {
  const { starts, characters } = packStrings(ids)
  return { idStarts: starts, idCharacters: characters, slotsById: orderOf(ids) }
}

export function packTerms(terms: readonly string[]) {
  const { starts, characters } = packStrings(terms)
  return { termStarts: starts, termCharacters: characters, signatures: Uint32Array.from(terms, signatureOf) }
}

export function packStems(stems: ReadonlyMap<string, Iterable<number>>, rank: Uint32Array) {
  const names = [...stems.keys()].sort()
  const { starts, characters } = packStrings(names)
  const stemTermStarts = new Uint32Array(names.length + 1)
  const stemTerms: number[] = []
  for (const [index, name] of names.entries()) {
    const terms = Array.from(stems.get(name) ?? [], term => uint32At(rank, term))
    for (const term of terms.sort((one, other) => one - other)) stemTerms.push(term)
    stemTermStarts[index + 1] = stemTerms.length
  }
  return {
    stemStarts: starts,
    stemCharacters: characters,
    stemTermStarts,
    stemTerms: Uint32Array.from(stemTerms),
  }
}
