// The memory layout of a segment: consecutive typed arrays in one SharedArrayBuffer, so that the thread that made it
// and those that read it share the bytes.

import { assert } from '../../base/assert.ts'
import { keysOf } from '../../base/objects.ts'
import { uint32At } from '../../base/typed-arrays.ts'

/** The arrays of a segment, in order. Pages are numbered by slot, terms in the order of their UTF-16 units. */
const FORMAT = {
  /** Where the characters of each slot's id begin, and one more for the end. */
  idStarts: Uint32Array,
  idCharacters: Uint16Array,
  /** The slots in the order of their ids. */
  slotsById: Uint32Array,
  /** For each slot, the number of positions in title, description, headings and bodies. */
  lengths: Uint32Array,
  /** Hashes of the words of the titles, to recognize a query that is a title. */
  titleHashes: Uint32Array,
  /** Where the sections of each slot begin in `sections`, and one more for the end. */
  sectionStarts: Uint32Array,
  /** For each section, the positions of its heading and its body. */
  sections: Uint32Array,
  /** For each slot, the position of its description. */
  descriptions: Uint32Array,
  termStarts: Uint32Array,
  termCharacters: Uint16Array,
  /** Which letters a term has: see `signatureOf`. */
  signatures: Uint32Array,
  /** How many pages have a term, including removed ones. */
  termPages: Uint32Array,
  postingStarts: Uint32Array,
  /** See `postings.ts`. */
  postings: Uint8Array,
  stemStarts: Uint32Array,
  stemCharacters: Uint16Array,
  /** Where the terms of each stem begin in `stemTerms`, and one more for the end. */
  stemTermStarts: Uint32Array,
  stemTerms: Uint32Array,
} as const

export type SegmentArrays = {
  readonly [Name in keyof typeof FORMAT]: (typeof FORMAT)[Name] extends Uint32ArrayConstructor
    ? Uint32Array<ArrayBufferLike>
    : (typeof FORMAT)[Name] extends Uint16ArrayConstructor
      ? Uint16Array<ArrayBufferLike>
      : Uint8Array<ArrayBufferLike>
}

type TypedArrayConstructor = new (
  buffer: SharedArrayBuffer,
  start: number,
  length: number,
) => SegmentArrays[keyof SegmentArrays]

const NAMES = keysOf(FORMAT)
// Changes with the format, and with how texts are split into words.
const VERSION = 0x5ea7c001
const HEADER_NUMBERS = 2 + 2 * NAMES.length
const ALIGNMENT = 8

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

export function packSegment(arrays: SegmentArrays): SharedArrayBuffer {
  const header = new Uint32Array(HEADER_NUMBERS)
  header[0] = VERSION
  let end = aligned(header.byteLength)
  for (const [index, name] of NAMES.entries()) {
    header[2 + 2 * index] = end
    header[3 + 2 * index] = arrays[name].length
    end = aligned(end + arrays[name].byteLength)
  }
  const buffer = new SharedArrayBuffer(end)
  new Uint32Array(buffer, 0, HEADER_NUMBERS).set(header)
  for (const [index, name] of NAMES.entries()) viewOf(buffer, header, index, name).set(arrays[name])
  return buffer
}

export function unpackSegment(buffer: SharedArrayBuffer): SegmentArrays {
  const header = new Uint32Array(buffer, 0, HEADER_NUMBERS)
  assert(header[0] === VERSION, 'a segment of another format')
  const views = NAMES.map((name, index) => [name, viewOf(buffer, header, index, name)])
  // Each view has the type that the format names for it; Object.fromEntries loses which is which.
  return Object.fromEntries(views) as SegmentArrays
}

function viewOf(buffer: SharedArrayBuffer, header: Uint32Array, index: number, name: keyof typeof FORMAT) {
  const Numbers: TypedArrayConstructor = FORMAT[name]
  return new Numbers(buffer, uint32At(header, 2 + 2 * index), uint32At(header, 3 + 2 * index))
}
