// Whether a query says enough to mean something beyond its words.
import type { Language } from './language.ts'
import type { Query, QueryTerm } from './query-terms.ts'
import { isStopWord } from './stop-words.ts'

const TELLING_WORDS_MIN = 3

/**
 * A question or a phrase: three words that tell something. Who writes in quotes wants exactly these words, and who writes
 * one or two of them, or an identifier, is served by them.
 */
export const isQuestionLike = ({ terms, words }: Query, languages: readonly Language[]): boolean =>
  words >= TELLING_WORDS_MIN &&
  terms.every(({ kind }) => kind !== 'phrase') &&
  terms.filter(term => isTelling(term, languages)).length >= TELLING_WORDS_MIN

/** Of the pairs of a script without spaces, those that belong to two words tell nothing. */
const isTelling = ({ kind, text, weight }: QueryTerm, languages: readonly Language[]): boolean =>
  weight === 1 && (kind !== 'word' || !languages.some(language => isStopWord(text, language)))
