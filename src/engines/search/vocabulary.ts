// Which terms of a segment a word of a query means.
import { type Language, stemsOf } from './language.ts'
import type { QueryWord } from './query-words.ts'
import type { Segment } from './segment.ts'
import { findString, prefixRange, stringAt } from './string-table.ts'

/** Terms of a segment and how much of a match each is: 1 for the word itself. */
export type MeantTerms = Map<number, number>

const FORM_WEIGHT = 0.9
const PREFIX_WEIGHT = 0.6

/** The word itself, its forms, and where it is a prefix what begins with it. */
export function meantTerms(
  segment: Segment,
  word: Pick<QueryWord, 'text' | 'written' | 'isPrefix'>,
  language: Language,
): MeantTerms {
  const meant: MeantTerms = new Map()
  if (word.isPrefix) addPrefixed(segment, word.text, meant)
  addForms(segment, word.written, language, meant)
  const exact = findString(segment.terms, word.text)
  if (exact !== undefined) meant.set(exact, 1)
  return meant
}

/** The word as it is written and no other. */
export function exactTerms(segment: Segment, word: Pick<QueryWord, 'text' | 'isPrefix'>): MeantTerms {
  const exact = findString(segment.terms, word.text)
  return new Map(exact === undefined ? [] : [[exact, 1]])
}

/** Words that a prefix is the beginning of, without a stem being cut off. */
function addPrefixed(segment: Segment, prefix: string, meant: MeantTerms): void {
  const { from, to } = prefixRange(segment.terms, prefix)
  for (let term = from; term < to; term++) meant.set(term, PREFIX_WEIGHT)
}

function addForms({ arrays, stems }: Segment, written: string, language: Language, meant: MeantTerms): void {
  for (const name of stemsOf(written, language)) {
    const stem = findString(stems, name)
    if (stem === undefined) continue
    const end = arrays.stemTermStarts[stem + 1]!
    for (let at = arrays.stemTermStarts[stem]!; at < end; at++) meant.set(arrays.stemTerms[at]!, FORM_WEIGHT)
  }
}

export const termAt = ({ terms }: Segment, term: number): string => stringAt(terms, term)
