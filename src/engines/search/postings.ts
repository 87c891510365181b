// The occurrences of a term: for each page, in the order of slots,
//   the difference to the previous slot (plus one), a byte that says how often in which field, how many bytes the
//   positions take, and the differences between the positions.
// The byte is enough to rank a page; positions are read only for pages in the second pass.
import { uint32At } from '../../base/typed-arrays.ts'
import type { GrowingUint8 } from './growing.ts'

export const TITLE = 0
export const DESCRIPTION = 1
export const HEADING = 2
export const BODY = 3
export const FIELDS = 4

/** The number of positions in a field of a page. */
export const fieldLength = (lengths: Uint32Array, slot: number, field: number): number =>
  uint32At(lengths, FIELDS * slot + field)

/** Counts above these make no difference. */
const HEADING_COUNT_MAX = 3
const BODY_COUNT_MAX = 15

/** At most once in title and description, three times in headings, and fifteen times in bodies. */
export const packCounts = (title: number, description: number, heading: number, body: number): number =>
  Math.min(title, 1) |
  (Math.min(description, 1) << 1) |
  (Math.min(heading, HEADING_COUNT_MAX) << 2) |
  (Math.min(body, BODY_COUNT_MAX) << 4)

export const titleCount = (counts: number): number => counts & 1
export const descriptionCount = (counts: number): number => (counts >> 1) & 1
export const headingCount = (counts: number): number => (counts >> 2) & 3
export const bodyCount = (counts: number): number => counts >> 4

/**
 * The pages of all terms; those of a term begin at its number in `postingStarts`, and end where those of the next
 * begin.
 *
 * All readers stop at that end, and the last byte of each number is marked: no index is out of bounds, hence every `!`
 * in this file.
 */
type Postings = { readonly postings: Uint8Array; readonly postingStarts: Uint32Array }

export const readerOf = ({ postings, postingStarts }: Postings, term: number): PostingReader =>
  new PostingReader(postings, uint32At(postingStarts, term), uint32At(postingStarts, term + 1))

/** Reads the pages of one term in order. */
export class PostingReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number
  #positionsAt = 0
  slot = -1
  counts = 0

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  /** Goes to the next page; false after the last. */
  next(): boolean {
    if (this.#at >= this.#end) return false
    this.slot += this.#number()
    this.counts = this.#bytes[this.#at++]!
    const length = this.#number()
    this.#positionsAt = this.#at
    this.#at += length
    return true
  }

  /** The bytes of the positions of this page. */
  get positionBytes(): Uint8Array {
    return this.#bytes.subarray(this.#positionsAt, this.#at)
  }

  /** Appends the positions of this page. */
  readPositions(into: number[]): void {
    const end = this.#at
    let position = 0
    this.#at = this.#positionsAt
    while (this.#at < end) {
      position += this.#number()
      into.push(position)
    }
  }

  #number(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#at++]!
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.#at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }
}

/** Calls `take` for each page of a term with its counts and their place in the postings. */
export function eachPage(
  { postings: bytes, postingStarts }: Postings,
  term: number,
  take: (slot: number, counts: number, at: number) => void,
): void {
  const end = postingStarts[term + 1]!
  let slot = -1
  let at = postingStarts[term]!
  while (at < end) {
    let byte = bytes[at++]!
    let difference = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      difference |= (byte & 0x7f) << shift
    }
    slot += difference >>> 0
    const countsAt = at
    const counts = bytes[at++]!
    byte = bytes[at++]!
    let length = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      length |= (byte & 0x7f) << shift
    }
    at += length >>> 0
    take(slot, counts, countsAt)
  }
}

/** The positions on a page whose counts are at `countsAt`. */
export function readPositionsAt(bytes: Uint8Array, countsAt: number): number[] {
  const positions: number[] = []
  let at = countsAt + 1
  const number = (): number => {
    let byte = bytes[at++]!
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
    }
    return value >>> 0
  }
  const length = number()
  const end = at + length
  for (let position = 0; at < end; ) {
    position += number()
    positions.push(position)
  }
  return positions
}

/** Writes the pages of one term; begin a new one for each term. */
export class PostingWriter {
  readonly #out: GrowingUint8
  #slot = -1
  pages = 0

  constructor(out: GrowingUint8) {
    this.#out = out
  }

  write(slot: number, counts: number, positions: Uint8Array): void {
    this.#out.pushNumber(slot - this.#slot)
    this.#out.pushByte(counts)
    this.#out.pushNumber(positions.length)
    this.#out.pushBytes(positions)
    this.#slot = slot
    this.pages++
  }
}
