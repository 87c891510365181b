// Pages that say something else than what is written, and mean the same.
import { frequencies } from './matching.ts'
import type { QueryTerm } from './query.ts'
import { alternativesOf, type Reading } from './readings.ts'
import type { Collection } from './searched-part.ts'

/** By part, for each page. */
type ByPart = readonly (Float32Array | undefined)[]

export type WeighedTerm = {
  readonly readings: readonly Reading[]
  readonly idf: number
  readonly frequencies: ByPart
  /** How much of the term a page has, above 0 and at most 1: less than 1 where it has an alternative alone. */
  readonly shares: ByPart
}

type Met = { readonly reading: Reading; readonly byPart: ByPart; readonly idf: number }

/**
 * What is written with its alternatives: it stays as rare as it is, and an alternative that is more common than it counts
 * less for that. One that nothing has counts as much as the rarest of its alternatives.
 */
export function withAlternatives<Term extends WeighedTerm>(
  collection: Collection,
  term: QueryTerm,
  written: Term,
  idfOf: (byPart: ByPart) => number | undefined,
): Term {
  const met = alternativesOf(term).flatMap((reading): Met[] => {
    const alone = [{ ...reading, weight: 1 }]
    const byPart = collection.parts.map(part => frequencies(part, alone, collection))
    const idf = idfOf(byPart)
    return idf === undefined ? [] : [{ reading, byPart, idf }]
  })
  if (met.length === 0) return written
  const isKnown = written.frequencies.some(part => part !== undefined)
  const idf = isKnown ? written.idf : Math.max(...met.map(one => one.idf))
  const shareOf = (one: Met) => one.reading.weight * Math.min(1, one.idf / idf)
  const joined = collection.parts.map(({ segment }, part) =>
    met.reduce<PartOfTerm>((all, one) => joinPart(all, one.byPart[part], shareOf(one), segment.pages), {
      frequencies: written.frequencies[part],
      shares: written.shares[part],
    }),
  )
  return {
    ...written,
    readings: [...written.readings, ...met.map(({ reading }) => reading)],
    idf,
    frequencies: joined.map(part => part.frequencies),
    shares: joined.map(part => part.shares),
  }
}

type PartOfTerm = {
  readonly frequencies: Float32Array | undefined
  readonly shares: Float32Array | undefined
}

function joinPart(
  { frequencies: known, shares: knownShares }: PartOfTerm,
  others: Float32Array | undefined,
  share: number,
  pages: number,
): PartOfTerm {
  if (others === undefined) return { frequencies: known, shares: knownShares }
  const joined = known?.slice() ?? new Float32Array(pages)
  const shares = knownShares ?? new Float32Array(pages).fill(1)
  for (let slot = 0; slot < pages; slot++) {
    const other = others[slot]!
    if (other === 0) continue
    const own = joined[slot]!
    if (own === 0 || share > shares[slot]!) shares[slot] = share
    joined[slot] = Math.max(own, other)
  }
  return { frequencies: joined, shares }
}
