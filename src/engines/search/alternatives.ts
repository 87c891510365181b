// Pages that have an alternative wording of a term.

import { float32At } from '../../base/typed-arrays.ts'
import { strengthsIn } from './matching.ts'
import type { QueryTerm } from './query-terms.ts'
import { countPages, rarity } from './rarity.ts'
import { alternativesOf, type Reading } from './readings.ts'
import type { Collection } from './searched-part.ts'

/** By part, for each page. */
type ByPart = readonly (Float32Array | undefined)[]

export type WeighedTerm = {
  readonly readings: readonly Reading[]
  readonly idf: number
  /** How strongly a page has it: 0 if it does not. */
  readonly strengths: ByPart
  /** How much of the term a page has, above 0 and at most 1: less than 1 if it has only an alternative. */
  readonly shares: ByPart
}

type Met = { readonly reading: Reading; readonly strengths: ByPart; readonly share: number }

/** A page with an alternative makes the term more common, by this much of its share. */
const COMMONNESS_SHARE = 0.5

/** An alternative that is more common than the written word counts less. */
export function withAlternatives<Term extends WeighedTerm>(
  collection: Collection,
  term: QueryTerm,
  written: Term,
): Term {
  const found = alternativesOf(term).flatMap(reading => {
    const strengths = collection.parts.map(part => strengthsIn(part, [reading], collection))
    const pages = countPages(strengths)
    return pages === 0 ? [] : [{ reading, strengths, idf: rarity(pages, collection) }]
  })
  if (found.length === 0) return written
  const isKnown = countPages(written.strengths) > 0
  const idf = isKnown ? written.idf : Math.max(...found.map(one => one.idf))
  const met = found.map(({ reading, strengths, idf: own }): Met => {
    const share = (reading.share ?? 1) * Math.min(1, own / idf)
    return { reading: { ...reading, share }, strengths, share }
  })
  const parts = collection.parts.map(({ segment }, part) =>
    met.reduce<PartOfTerm>((all, one) => joinPart(all, one, part, segment.pages), {
      strengths: written.strengths[part],
      shares: written.shares[part],
    }),
  )
  return {
    ...written,
    readings: [...written.readings, ...met.map(({ reading }) => reading)],
    idf: rarity(
      parts.reduce((sum, part) => sum + commonness(part), 0),
      collection,
    ),
    strengths: parts.map(({ strengths }) => strengths),
    shares: parts.map(({ shares }) => shares),
  }
}

type PartOfTerm = {
  readonly strengths: Float32Array | undefined
  readonly shares: Float32Array | undefined
}

function joinPart(known: PartOfTerm, { strengths, share }: Met, part: number, pages: number): PartOfTerm {
  const others = strengths[part]
  if (others === undefined) return known
  const joined = known.strengths?.slice() ?? new Float32Array(pages)
  const shares = known.shares ?? new Float32Array(pages).fill(1)
  for (let slot = 0; slot < pages; slot++) {
    const [own, other] = [float32At(joined, slot), float32At(others, slot)]
    if (other === 0) continue
    if (own === 0 || share > float32At(shares, slot)) shares[slot] = share
    // Beside the written word, an alternative is worth as much as it is alone.
    joined[slot] = Math.max(own, shares[slot] === 1 ? share * other : other)
  }
  return { strengths: joined, shares }
}

/** How many pages have it; pages with only an alternative count less. */
function commonness({ strengths, shares }: PartOfTerm): number {
  if (strengths === undefined) return 0
  let pages = 0
  for (let slot = 0; slot < strengths.length; slot++) {
    if (strengths[slot] === 0) continue
    const share = shares?.[slot] ?? 1
    pages += share === 1 ? 1 : COMMONNESS_SHARE * share
  }
  return pages
}
