// On which pages of a part a term of a query occurs, and how much: its frequency weighted by field and by how long the
// field is on this page (BM25F), in one number for each page.
import { phrasePages } from './phrases.ts'
import {
  BODY,
  bodyCount,
  DESCRIPTION,
  descriptionCount,
  FIELDS,
  HEADING,
  headingCount,
  TITLE,
  titleCount,
} from './postings.ts'
import { type Reading, termsMeant } from './readings.ts'
import { type Collection, readerOf, type SearchedPart } from './searched-part.ts'

/** How much more an occurrence counts in a field than in a body. */
const TITLE_WEIGHT = 5
const HEADING_WEIGHT = 2
const DESCRIPTION_WEIGHT = 2
// How much a longer field makes an occurrence count less.
const TITLE_LENGTH_SHARE = 0.5
const HEADING_LENGTH_SHARE = 0.4
const DESCRIPTION_LENGTH_SHARE = 0.4
const BODY_LENGTH_SHARE = 0.6

/** The frequency of an occurrence with these counts on a page. */
export function frequency(
  lengths: Uint32Array,
  slot: number,
  meanLengths: readonly number[],
  counts: number,
): number {
  const at = slot * FIELDS
  let sum = 0
  if (counts & 1)
    sum +=
      (TITLE_WEIGHT * titleCount(counts)) /
      norm(TITLE_LENGTH_SHARE, lengths[at + TITLE]!, meanLengths[TITLE]!)
  if (counts & 2)
    sum +=
      (DESCRIPTION_WEIGHT * descriptionCount(counts)) /
      norm(DESCRIPTION_LENGTH_SHARE, lengths[at + DESCRIPTION]!, meanLengths[DESCRIPTION]!)
  if (counts & 12)
    sum +=
      (HEADING_WEIGHT * headingCount(counts)) /
      norm(HEADING_LENGTH_SHARE, lengths[at + HEADING]!, meanLengths[HEADING]!)
  if (counts & 240)
    sum += bodyCount(counts) / norm(BODY_LENGTH_SHARE, lengths[at + BODY]!, meanLengths[BODY]!)
  return sum
}

const norm = (share: number, length: number, mean: number): number => 1 - share + (share * length) / mean

/** By slot; undefined where no page of the part has any of the readings. */
export function frequencies(
  part: SearchedPart,
  readings: readonly Reading[],
  { meanLengths }: Collection,
): Float32Array | undefined {
  const { segment } = part
  const { lengths } = segment.arrays
  let sums: Float32Array | undefined
  for (const reading of readings) {
    const meant = reading.words.map(word => termsMeant(segment, word, reading, part.language))
    if (meant.some(terms => terms.size === 0)) continue
    sums ??= new Float32Array(segment.pages)
    const [only, ...others] = meant
    if (only !== undefined && others.length === 0) {
      for (const [term, weight] of only) {
        const reader = readerOf(segment, term)
        const share = weight * reading.weight
        while (reader.next())
          sums[reader.slot]! += share * frequency(lengths, reader.slot, meanLengths, reader.counts)
      }
    } else
      for (const { slot, counts } of phrasePages(segment, meant, reading.words))
        sums[slot]! += reading.weight * frequency(lengths, slot, meanLengths, counts)
  }
  if (sums !== undefined && part.gone !== undefined)
    for (let slot = 0; slot < sums.length; slot++) if (part.gone[slot]) sums[slot] = 0
  return sums
}
