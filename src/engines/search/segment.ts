// An immutable part of an index: the words of some pages with their positions. It is one SharedArrayBuffer, which one
// thread makes and all read without a copy.
import { float64At } from '../../base/typed-arrays.ts'
import type { Language } from './language.ts'
import { readPages, type SourcePage } from './page-words.ts'
import { FIELDS } from './postings.ts'
import { packSegment, type SegmentArrays, unpackSegment } from './segment-format.ts'
import { mergeParts, type Part } from './segment-merge.ts'
import { segmentOf } from './segment-terms.ts'
import { findString, type StringTable, stringAt } from './string-table.ts'

export type Segment = {
  readonly buffer: SharedArrayBuffer
  readonly bytes: number
  /** The number of pages, including removed ones. */
  readonly pages: number
  readonly arrays: SegmentArrays
  readonly terms: StringTable
  readonly stems: StringTable
  /** The sums over all pages, by field. */
  readonly lengths: readonly number[]
  slotOf(pageId: string): number | undefined
  pageIdAt(slot: number): string
  readonly ids: StringTable
}

/** Takes time in proportion to the text: call it in a thread of the pool for long texts. */
export const buildSegment = (pages: readonly SourcePage[], language: Language): SharedArrayBuffer =>
  packSegment(segmentOf(readPages(pages, language)))

/** The pages of all parts in order, without removed ones, as if they had been built at once. */
export const mergeSegments = (
  parts: readonly { readonly segment: Segment; readonly gone: ReadonlySet<number> }[],
): SharedArrayBuffer =>
  packSegment(mergeParts(parts.map(({ segment, gone }): Part => ({ arrays: segment.arrays, gone }))))

export function openSegment(buffer: SharedArrayBuffer): Segment {
  const arrays = unpackSegment(buffer)
  const ids = { starts: arrays.idStarts, characters: arrays.idCharacters }
  return {
    buffer,
    ids,
    bytes: buffer.byteLength,
    pages: arrays.slotsById.length,
    arrays,
    terms: { starts: arrays.termStarts, characters: arrays.termCharacters },
    stems: { starts: arrays.stemStarts, characters: arrays.stemCharacters },
    lengths: sumsOf(arrays.lengths),
    slotOf: pageId => findString(ids, pageId, arrays.slotsById),
    pageIdAt: slot => stringAt(ids, slot),
  }
}

function sumsOf(lengths: Uint32Array): number[] {
  const sums = new Float64Array(FIELDS)
  for (const [index, length] of lengths.entries())
    sums[index % FIELDS] = float64At(sums, index % FIELDS) + length
  return [...sums]
}
