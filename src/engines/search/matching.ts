// The pages of a part on which a term of a query occurs, and its strength there: BM25 of each field, without the rarity
// of the term, as one number per page.

import { float32At } from '../../base/typed-arrays.ts'
import { pagesOfRarest, phrasePages } from './phrases.ts'
import {
  BODY,
  bodyCount,
  DESCRIPTION,
  descriptionCount,
  eachPage,
  fieldLength,
  HEADING,
  headingCount,
  TITLE,
  titleCount,
} from './postings.ts'
import { meantWords, type Reading } from './readings.ts'
import type { Collection, SearchedPart } from './searched-part.ts'
import type { Segment } from './segment.ts'
import { cachedStrengths } from './term-cache.ts'
import type { MeantTerms } from './vocabulary.ts'

/** The saturation of BM25 for repeated words (k1). */
const SATURATION = 1.2
/** The weight of a word in a field, relative to one in a body. */
const TITLE_WEIGHT = 3
const HEADING_WEIGHT = 1.4
const DESCRIPTION_WEIGHT = 0.7
// How much a longer field makes an occurrence count less.
const TITLE_LENGTH_SHARE = 0.8
const HEADING_LENGTH_SHARE = 0.4
const DESCRIPTION_LENGTH_SHARE = 0.4
const BODY_LENGTH_SHARE = 0.7

export const saturated = (frequency: number): number =>
  (frequency * (SATURATION + 1)) / (frequency + SATURATION)

/** The field lengths of a segment's pages, relative to those of everything that is searched. */
type Lengths = {
  readonly lengths: Uint32Array
  readonly meanLengths: readonly number[]
  /** By slot, the divisor for the count of a word in the body. Postings name no other slots, hence `!`. */
  readonly bodyNorms: Float64Array
}

const knownNorms = new WeakMap<Segment, { readonly mean: number; readonly norms: Float64Array }>()

/** Cached, since most words are in bodies, and most searches are of the same pages. */
function bodyNormsOf(segment: Segment, mean: number): Float64Array {
  const known = knownNorms.get(segment)
  if (known?.mean === mean) return known.norms
  const norms = new Float64Array(segment.pages)
  const { lengths } = segment.arrays
  for (let slot = 0; slot < norms.length; slot++)
    norms[slot] = 1 - BODY_LENGTH_SHARE + BODY_LENGTH_SHARE * (fieldLength(lengths, slot, BODY) / mean)
  knownNorms.set(segment, { mean, norms })
  return norms
}

/** The strength of a term with these counts: each field by itself, so that a page with it in all fields is best. */
function strength({ lengths, bodyNorms, meanLengths }: Lengths, slot: number, counts: number): number {
  const inField = (count: number, field: number, lengthShare: number): number => {
    const length = fieldLength(lengths, slot, field) / (meanLengths[field] ?? 1)
    return saturated(count / (1 - lengthShare + lengthShare * length))
  }
  let sum = 0
  if (counts & 1) sum += TITLE_WEIGHT * inField(titleCount(counts), TITLE, TITLE_LENGTH_SHARE)
  if (counts & 2)
    sum += DESCRIPTION_WEIGHT * inField(descriptionCount(counts), DESCRIPTION, DESCRIPTION_LENGTH_SHARE)
  if (counts & 12) sum += HEADING_WEIGHT * inField(headingCount(counts), HEADING, HEADING_LENGTH_SHARE)
  if (counts & 240) sum += saturated(bodyCount(counts) / bodyNorms[slot]!)
  return sum
}

/** Whether the counts are of bodies only. */
const isOfBody = (counts: number): boolean => (counts & 15) === 0

/**
 * Adds a share of how strongly each page has a term: the innermost loop of a search.
 * `sums` has a number for every slot, hence `!`.
 */
function addStrengths(
  sums: Float32Array,
  { arrays }: Segment,
  term: number,
  share: number,
  lengths: Lengths,
): void {
  const { bodyNorms } = lengths
  eachPage(arrays, term, (slot, counts) => {
    const value = isOfBody(counts)
      ? saturated(bodyCount(counts) / bodyNorms[slot]!)
      : strength(lengths, slot, counts)
    sums[slot] = sums[slot]! + share * value
  })
}

/** Alternatives of several words that are all on more pages than this are not searched. */
const PHRASE_PAGES_MAX = 1_000

/** By slot; undefined if no page of the part has any of the readings. The result must not be written to. */
export function strengthsIn(
  part: SearchedPart,
  readings: readonly Reading[],
  { meanLengths }: Collection,
): Float32Array | undefined {
  const { segment } = part
  let lengths: Lengths | undefined
  let sums: Float32Array | undefined
  for (const reading of readings) {
    const words = meantWords(segment, reading, part.language)
    if (words.some(({ terms }) => terms.size === 0)) continue
    if (reading.share !== undefined && words.length > 1 && pagesOfRarest(segment, words) > PHRASE_PAGES_MAX)
      continue
    lengths ??= {
      ...{ lengths: segment.arrays.lengths, meanLengths },
      bodyNorms: bodyNormsOf(segment, meanLengths[BODY] ?? 1),
    }
    const [only, ...others] = words
    if (only !== undefined && others.length === 0)
      sums = addWord(sums, segment, only.terms, reading.weight, lengths)
    else {
      sums = ownCopy(sums, segment)
      for (const { slot, counts } of phrasePages(segment, words))
        sums[slot] = float32At(sums, slot) + reading.weight * strength(lengths, slot, counts)
    }
  }
  if (sums === undefined || part.gone === undefined) return sums
  const left = ownCopy(sums, segment)
  for (let slot = 0; slot < left.length; slot++) if (part.gone[slot]) left[slot] = 0
  return left
}

/** Cached arrays are copied before they are written to. */
const ownCopy = (sums: Float32Array | undefined, { pages }: Segment): Float32Array =>
  sums?.slice() ?? new Float32Array(pages)

/** Adds a word in all its forms to the sums. */
function addWord(
  sums: Float32Array | undefined,
  segment: Segment,
  terms: MeantTerms,
  weight: number,
  lengths: Lengths,
): Float32Array {
  const make = (): Float32Array => {
    const own = ownCopy(sums, segment)
    for (const [term, share] of terms) addStrengths(own, segment, term, share * weight, lengths)
    return own
  }
  return sums === undefined ? cachedStrengths(segment, terms, weight, lengths.meanLengths, make) : make()
}
