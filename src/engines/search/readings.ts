// Readings of a term of a query: the written words, or others that they may mean.
import type { Language } from './language.ts'
import type { QueryTerm } from './query-terms.ts'
import type { QueryWord } from './query-words.ts'
import type { Segment } from './segment.ts'
import { exactTerms, type MeantTerms, meantTerms } from './vocabulary.ts'

/** Adjacent words, in any form or exactly as written. */
export type Reading = {
  readonly words: readonly QueryWord[]
  readonly isExact: boolean
  readonly weight: number
  /** How much an alternative counts, relative to the written words. */
  readonly share?: number
}

const WHOLE_WEIGHT = 1

export function readingsOf(term: QueryTerm): Reading[] {
  const isExact = term.kind === 'phrase' || term.kind === 'pair'
  const readings: Reading[] = [{ words: term.words, isExact: term.kind === 'phrase', weight: 1 }]
  if (isExact || term.whole === undefined) return readings
  return [...readings, readingAs(term.whole, WHOLE_WEIGHT, term.words.at(-1)?.isPrefix ?? false)]
}

/** Other words that a term may mean, in any form. */
export const alternativesOf = ({ alternatives }: QueryTerm): Reading[] =>
  alternatives.map(({ words, weight }) => ({ words, isExact: false, weight: 1, share: weight }))

export const readingAs = (text: string, weight: number, isPrefix = false): Reading => ({
  words: [{ text, written: text, offset: 0, isPrefix }],
  isExact: false,
  weight,
})

/** A word of a reading in a segment: its position in the reading and the terms that match it. */
export type MeantWord = { readonly offset: number; readonly terms: MeantTerms }

export const meantWords = (
  segment: Segment,
  { words, isExact }: Reading,
  language: Language,
): readonly MeantWord[] =>
  words.map(word => ({
    offset: word.offset,
    terms: isExact ? exactTerms(segment, word) : meantTerms(segment, word, language),
  }))
