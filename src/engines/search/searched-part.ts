// A segment of an index as one query sees it: which of its pages are gone, and how long its fields are on average.
import type { Language } from './language.ts'
import { FIELDS, PostingReader } from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'

export type SearchedPart = {
  /** The place of its index among those that are searched. */
  readonly index: number
  readonly language: Language
  readonly segment: Segment
  /** 1 for each slot that is gone; undefined where none is. */
  readonly gone: Uint8Array | undefined
}

/** What all indexes of a search have together. */
export type Collection = {
  readonly parts: readonly SearchedPart[]
  readonly languages: readonly Language[]
  readonly pages: number
  readonly sections: number
  /** The mean positions of a page, by field. */
  readonly meanLengths: readonly number[]
}

export function collect(indexes: readonly SearchIndex[]): Collection {
  const parts: SearchedPart[] = []
  const languages = new Set<Language>()
  const sums = Array.from({ length: FIELDS }, () => 0)
  let pages = 0
  let sections = 0
  for (const [index, { language, parts: own }] of indexes.entries()) {
    languages.add(language)
    for (const { segment, gone } of own) {
      if (segment.pages === gone.size) continue
      const mask = gone.size === 0 ? undefined : new Uint8Array(segment.pages)
      for (let field = 0; field < FIELDS; field++) sums[field]! += segment.lengths[field]!
      pages += segment.pages - gone.size
      sections += segment.arrays.sections.length / 2
      for (const slot of gone) {
        mask![slot] = 1
        sections -= segment.arrays.sectionStarts[slot + 1]! - segment.arrays.sectionStarts[slot]!
        for (let field = 0; field < FIELDS; field++)
          sums[field]! -= segment.arrays.lengths[slot * FIELDS + field]!
      }
      parts.push({ index, language, segment, gone: mask })
    }
  }
  const meanLengths = sums.map(sum => Math.max(1, sum / Math.max(1, pages)))
  return { parts, languages: [...languages], pages, sections, meanLengths }
}

export function readerOf({ arrays }: Segment, term: number): PostingReader {
  return new PostingReader(arrays.postings, arrays.postingStarts[term]!, arrays.postingStarts[term + 1]!)
}

/** How many pages that are not gone have a term. */
export function pagesWith({ segment, gone }: SearchedPart, term: number): number {
  if (gone === undefined) return segment.arrays.termPages[term]!
  const reader = readerOf(segment, term)
  let count = 0
  while (reader.next()) count += 1 - gone[reader.slot]!
  return count
}

/** The place of a section on a page, and whether a position is in its heading; -1 before the first. */
export function sectionAt(
  { arrays }: Segment,
  slot: number,
  position: number,
): { readonly ordinal: number; readonly isHeading: boolean } {
  const first = arrays.sectionStarts[slot]!
  let [low, high] = [first, arrays.sectionStarts[slot + 1]!]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (arrays.sections[2 * middle]! <= position) low = middle + 1
    else high = middle
  }
  const ordinal = low - 1 - first
  return { ordinal, isHeading: ordinal >= 0 && position < arrays.sections[2 * (low - 1) + 1]! }
}
