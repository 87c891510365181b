// The first pass of ranking: the pages that match a query, scored by how much of the query they have.

import { float64At, uint32At } from '../../base/typed-arrays.ts'
import type { MatchedQuery } from './matched-query.ts'
import type { Query } from './query-terms.ts'
import type { Collection, SearchedPart } from './searched-part.ts'

/** The share of a score that does not depend on how much of the query the page has. */
const UNCOVERED_SHARE = 0.5
/** A query of more words than this is a question: a page need not have all of them. */
const ALL_WORDS_MAX = 3
/** The least share of the query, relative to the best page. */
const SHARE_MIN = 0.3

/**
 * Pages in parallel arrays: the part, the slot within it, the score, and how much of the query the page has, 0 to 1.
 */
export type Candidates = {
  readonly parts: Uint32Array
  readonly slots: Uint32Array
  readonly scores: Float64Array
  readonly covered: Float64Array
}

/** One of the candidates. */
export type Ranked = {
  readonly part: number
  readonly slot: number
  readonly score: number
  readonly covered: number
}

export const rankedAt = ({ parts, slots, scores, covered }: Candidates, at: number): Ranked => ({
  part: uint32At(parts, at),
  slot: uint32At(slots, at),
  score: float64At(scores, at),
  covered: float64At(covered, at),
})

/** Arrays by slot, each with a number for every page of the part, hence `!` where all of them are read. */
type PartScores = {
  readonly scores: Float64Array
  /** How much of the query each page has, and how many of its words. */
  readonly masses: Float64Array
  readonly counts: Uint8Array
  readonly isRefused: Uint8Array | undefined
  readonly totalMass: number
  readonly wanted: number
}

export function rankPages(
  collection: Collection,
  { terms, words }: Query,
  matched: MatchedQuery,
): Candidates {
  const scored = collection.parts.map((one, part) => scorePart(one, matched, part))
  const hasAll =
    terms.length > 0 && scored.some(({ counts, wanted }) => wanted > 0 && counts.includes(wanted))
  let bestMass = 0
  for (const { masses, isRefused } of scored)
    for (let slot = 0; slot < masses.length; slot++)
      if (masses[slot]! > bestMass && !isRefused?.[slot]) bestMass = masses[slot]!
  const pages = scored.reduce((sum, { scores }) => sum + scores.length, 0)
  const candidates: Candidates = {
    parts: new Uint32Array(pages),
    slots: new Uint32Array(pages),
    scores: new Float64Array(pages),
    covered: new Float64Array(pages),
  }
  const isStrict = hasAll && words <= ALL_WORDS_MAX
  let count = 0
  for (const [part, { scores, masses, counts, isRefused, totalMass, wanted }] of scored.entries())
    for (let slot = 0; slot < scores.length; slot++) {
      if (scores[slot] === 0 || isRefused?.[slot]) continue
      if (isStrict ? counts[slot]! < wanted : masses[slot]! < SHARE_MIN * bestMass) continue
      const covered = masses[slot]! / (totalMass || 1)
      candidates.parts[count] = part
      candidates.slots[count] = slot
      candidates.scores[count] = scores[slot]! * (UNCOVERED_SHARE + (1 - UNCOVERED_SHARE) * covered)
      candidates.covered[count] = covered
      count++
    }
  return {
    parts: candidates.parts.subarray(0, count),
    slots: candidates.slots.subarray(0, count),
    scores: candidates.scores.subarray(0, count),
    covered: candidates.covered.subarray(0, count),
  }
}

function scorePart(
  { segment, language }: SearchedPart,
  { terms, weights }: MatchedQuery,
  part: number,
): PartScores {
  const shares = weights.get(language) ?? []
  const scores = new Float64Array(segment.pages)
  const masses = new Float64Array(segment.pages)
  const counts = new Uint8Array(segment.pages)
  let isRefused: Uint8Array | undefined
  let totalMass = 0
  let wanted = 0
  for (const [index, { term, idf, strengths, shares: pageShares }] of terms.entries()) {
    const share = shares[index] ?? 0
    if (share === 0) continue
    const mass = share * idf
    const count = term.isWanted ? 1 : 0
    totalMass += count * mass
    wanted += count
    const strength = strengths[part]
    const pageShare = pageShares[part]
    // Quoted words are required.
    if (term.kind === 'phrase') {
      isRefused ??= new Uint8Array(segment.pages)
      for (let slot = 0; slot < segment.pages; slot++) if ((strength?.[slot] ?? 0) === 0) isRefused[slot] = 1
    }
    if (strength === undefined) continue
    for (let slot = 0; slot < strength.length; slot++) {
      const value = strength[slot]!
      if (value === 0) continue
      const has = mass * (pageShare?.[slot] ?? 1)
      scores[slot] = scores[slot]! + has * value
      masses[slot] = masses[slot]! + count * has
      counts[slot] = counts[slot]! + count
    }
  }
  return { scores, masses, counts, isRefused, totalMass, wanted }
}
