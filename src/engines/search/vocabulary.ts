// The terms of a segment that match a word of a query.

import { uint32At } from '../../base/typed-arrays.ts'
import { type Language, stemsOf } from './language.ts'
import type { QueryWord } from './query-words.ts'
import type { Segment } from './segment.ts'
import { findString, prefixRange } from './string-table.ts'

/** Terms of a segment, and how well each matches: 1 for the word itself. */
export type MeantTerms = ReadonlyMap<number, number>

const NONE: MeantTerms = new Map()

const FORM_WEIGHT = 0.9
const PREFIX_WEIGHT = 0.6

/** The word itself, its forms, and if it is a prefix, the terms that begin with it. */
export function meantTerms(
  segment: Segment,
  word: Pick<QueryWord, 'text' | 'written' | 'isPrefix'>,
  language: Language,
): MeantTerms {
  const forms = formsOf(segment, word, language)
  const exact = findString(segment.terms, word.text)
  // Most words occur in few of many segments.
  if (forms.length === 0 && exact === undefined && !word.isPrefix) return NONE
  const meant = new Map<number, number>()
  if (word.isPrefix) addPrefixed(segment, word.text, meant)
  for (const term of forms) meant.set(term, FORM_WEIGHT)
  if (exact !== undefined) meant.set(exact, 1)
  return meant
}

/** Only the word as written. */
export function exactTerms(segment: Segment, word: Pick<QueryWord, 'text' | 'isPrefix'>): MeantTerms {
  const exact = findString(segment.terms, word.text)
  return exact === undefined ? NONE : new Map([[exact, 1]])
}

/** Adds the terms that begin with a prefix, which is not stemmed. */
function addPrefixed(segment: Segment, prefix: string, meant: Map<number, number>): void {
  const { from, to } = prefixRange(segment.terms, prefix)
  for (let term = from; term < to; term++) meant.set(term, PREFIX_WEIGHT)
}

type WrittenWord = Pick<QueryWord, 'written'>

/** The stems of query words, cached because a search needs them for each segment. */
const knownStems = new WeakMap<
  WrittenWord,
  { readonly language: Language; readonly stems: readonly string[] }
>()

function stemsOfWord(word: WrittenWord, language: Language): readonly string[] {
  const known = knownStems.get(word)
  if (known?.language === language) return known.stems
  const stems = stemsOf(word.written, language)
  knownStems.set(word, { language, stems })
  return stems
}

/** The terms of all forms of the word. */
function formsOf({ arrays, stems }: Segment, word: WrittenWord, language: Language): readonly number[] {
  let forms: number[] | undefined
  for (const name of stemsOfWord(word, language)) {
    const stem = findString(stems, name)
    if (stem === undefined) continue
    forms ??= []
    const [first, end] = [uint32At(arrays.stemTermStarts, stem), uint32At(arrays.stemTermStarts, stem + 1)]
    forms.push(...arrays.stemTerms.subarray(first, end))
  }
  return forms ?? NO_FORMS
}

const NO_FORMS: readonly number[] = []
