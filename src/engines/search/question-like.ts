// Whether a query says enough to mean something beyond its words.
import type { Language } from './language.ts'
import type { Query, QueryTerm } from './query-terms.ts'
import { isStopWord } from './stop-words.ts'

const TELLING_WORDS_MIN = 3

/**
 * Whether a query is a question or a phrase: three words with a meaning. Quotes ask for exact words, and one or two
 * words, or an identifier, are best served by exact matches.
 */
export const isQuestionLike = ({ terms, words }: Query, languages: readonly Language[]): boolean =>
  words >= TELLING_WORDS_MIN &&
  terms.every(({ kind }) => kind !== 'phrase') &&
  terms.filter(term => isTelling(term, languages)).length >= TELLING_WORDS_MIN

/** Character pairs that cross two words have no meaning. */
const isTelling = ({ kind, text, weight }: QueryTerm, languages: readonly Language[]): boolean =>
  weight === 1 && (kind !== 'word' || !languages.some(language => isStopWord(text, language)))
