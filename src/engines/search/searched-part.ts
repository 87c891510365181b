// A segment of an index as one query sees it: which of its pages are removed, and the average lengths of its fields.

import { uint8At, uint32At } from '../../base/typed-arrays.ts'
import type { Language } from './language.ts'
import { fieldLength, readerOf } from './postings.ts'
import type { SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'

export type SearchedPart = {
  /** The position of its index in the list of searched indexes. */
  readonly index: number
  readonly language: Language
  readonly segment: Segment
  /** 1 for each removed slot; undefined if there is none. */
  readonly gone: Uint8Array | undefined
}

/** What the indexes of a search share. */
export type Collection = {
  readonly parts: readonly SearchedPart[]
  readonly languages: readonly Language[]
  readonly pages: number
  readonly sections: number
  /** The mean number of positions per page, by field. */
  readonly meanLengths: readonly number[]
}

export function collect(indexes: readonly SearchIndex[]): Collection {
  const parts: SearchedPart[] = []
  const languages = new Set<Language>()
  let sums: readonly number[] = []
  let pages = 0
  let sections = 0
  for (const [index, { language, parts: own }] of indexes.entries()) {
    languages.add(language)
    for (const { segment, gone } of own) {
      if (segment.pages === gone.size) continue
      const { lengths, sectionStarts, sections: all } = segment.arrays
      const mask = gone.size === 0 ? undefined : new Uint8Array(segment.pages)
      sums = segment.lengths.map((length, field) => (sums[field] ?? 0) + length)
      pages += segment.pages - gone.size
      sections += all.length / 2
      for (const slot of gone) {
        mask?.fill(1, slot, slot + 1)
        sections -= uint32At(sectionStarts, slot + 1) - uint32At(sectionStarts, slot)
        sums = sums.map((sum, field) => sum - fieldLength(lengths, slot, field))
      }
      parts.push({ index, language, segment, gone: mask })
    }
  }
  const meanLengths = sums.map(sum => Math.max(1, sum / Math.max(1, pages)))
  return { parts, languages: [...languages], pages, sections, meanLengths }
}

/** How many pages have a term, not counting removed ones. */
export function pagesWith({ segment, gone }: SearchedPart, term: number): number {
  if (gone === undefined) return uint32At(segment.arrays.termPages, term)
  const reader = readerOf(segment.arrays, term)
  let count = 0
  while (reader.next()) count += 1 - uint8At(gone, reader.slot)
  return count
}

/** The section at a position of a page, and whether the position is in its heading; -1 before the first. */
export function sectionAt(
  { arrays }: Segment,
  slot: number,
  position: number,
): { readonly ordinal: number; readonly isHeading: boolean } {
  const first = uint32At(arrays.sectionStarts, slot)
  let [low, high] = [first, uint32At(arrays.sectionStarts, slot + 1)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (uint32At(arrays.sections, 2 * middle) <= position) low = middle + 1
    else high = middle
  }
  const ordinal = low - 1 - first
  return { ordinal, isHeading: ordinal >= 0 && position < uint32At(arrays.sections, 2 * (low - 1) + 1) }
}
