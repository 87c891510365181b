// A cache for words of many pages. Most queries have such a word, and the same few come again and again: results that
// take a visit to every page are kept with the segment that they were computed from, which never changes.
import { LRUCache } from 'lru-cache'
import { uint32At } from '../../base/typed-arrays.ts'
import { eachPage } from './postings.ts'
import type { Segment } from './segment.ts'
import type { MeantTerms } from './vocabulary.ts'

/** The size of the cache of a segment, relative to the segment. */
const SEGMENT_SHARE_MAX = 1 / 8
/** A word of fewer pages, or of a smaller share of all pages, is read just as fast. */
const PAGES_MIN = 500
const PAGES_SHARE_MIN = 1 / 20
/** A prefix matches many words: making a cache key of all of them would take as long. */
const TERMS_MAX = 100

type CachedStatistics = {
  readonly numbers: Float32Array | Uint32Array
  /** The strength of a word depends on the mean lengths of all searched fields. */
  readonly meanLengths: readonly number[]
}

const kept = new WeakMap<Segment, LRUCache<string, CachedStatistics>>()

function cacheOf(segment: Segment): LRUCache<string, CachedStatistics> {
  const known = kept.get(segment)
  if (known !== undefined) return known
  const made = new LRUCache<string, CachedStatistics>({
    maxSize: termCacheBytes(segment),
    sizeCalculation: ({ numbers }) => numbers.byteLength,
  })
  kept.set(segment, made)
  return made
}

/** How many bytes may be kept beside a segment. */
export const termCacheBytes = ({ bytes, pages }: Pick<Segment, 'bytes' | 'pages'>): number =>
  pages < PAGES_MIN ? 0 : Math.ceil(bytes * SEGMENT_SHARE_MAX)

function isCommon({ arrays, pages }: Segment, terms: Iterable<number>): boolean {
  if (pages < PAGES_MIN) return false
  let found = 0
  for (const term of terms) found += uint32At(arrays.termPages, term)
  return found >= PAGES_MIN && found >= pages * PAGES_SHARE_MIN
}

/** The strength of a word on each page, as computed by `make`. Several searches share the array. */
export function cachedStrengths(
  segment: Segment,
  terms: MeantTerms,
  weight: number,
  meanLengths: readonly number[],
  make: () => Float32Array,
): Float32Array {
  if (terms.size > TERMS_MAX || !isCommon(segment, terms.keys())) return make()
  const cache = cacheOf(segment)
  const name = `strengths ${weight} ${[...terms].flat().join(' ')}`
  const known = cache.get(name)
  if (
    known?.numbers instanceof Float32Array &&
    known.meanLengths.every((length, field) => length === meanLengths[field])
  )
    return known.numbers
  const strengths = make()
  cache.set(name, { numbers: strengths, meanLengths })
  return strengths
}

/** The place of a page without the term. */
export const NOWHERE = 0xffffffff
// The share of the pages with a term whose positions are wanted; for more, reading all is as fast.
const WANTED_SHARE_MAX = 1 / 4

/** By slot, the place of the counts of a page in the postings; undefined if reading all of them is as fast. */
export function cachedPlaces(segment: Segment, term: number, wanted: number): Uint32Array | undefined {
  const { arrays, pages } = segment
  if (!isCommon(segment, [term]) || wanted > uint32At(arrays.termPages, term) * WANTED_SHARE_MAX)
    return undefined
  const cache = cacheOf(segment)
  const name = `places ${term}`
  const known = cache.get(name)
  if (known?.numbers instanceof Uint32Array) return known.numbers
  const places = new Uint32Array(pages).fill(NOWHERE)
  eachPage(arrays, term, (slot, _counts, at) => {
    places[slot] = at
  })
  cache.set(name, { numbers: places, meanLengths: [] })
  return places
}
