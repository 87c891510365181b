// A query for the database: words in any of their inflected forms.
import { withSynonyms } from '../../engines/search/alternative-words.ts'
import { type Language, stemsOf } from '../../engines/search/language.ts'
import type { Query, QueryTerm } from '../../engines/search/query-terms.ts'
import type { QueryWord } from '../../engines/search/query-words.ts'
import { isStopWord } from '../../engines/search/stop-words.ts'
import type { WordCondition } from './candidates.ts'

/** A query of more words counts as a question: pages need not have all of them. */
const ALL_WORDS_MAX = 3

export type WordQuery = { readonly words: readonly WordCondition[]; readonly needsAll: boolean }

/** The words that decide whether a page is found, in the forms of all these languages. */
export function toWordQuery(query: Query, languages: readonly Language[]): WordQuery {
  const { terms } = withSynonyms(query, languages)
  const telling = terms.filter(term => term.isWanted && !isStopTerm(term, languages))
  const wanted = telling.length > 0 ? telling : terms
  const words = wanted.map((term, at) => ({
    forms: anyOf([
      ...formsOf(term, languages),
      ...compoundsOf(wanted[at - 1], term),
      ...compoundsOf(term, wanted[at + 1]),
    ]),
    alike: anyOf(term.words.map(({ text }) => prefixed(beginningOf(text, ALIKE_CHARACTERS)))),
  }))
  return { words, needsAll: query.words <= ALL_WORDS_MAX }
}

const isStopTerm = (term: QueryTerm, languages: readonly Language[]): boolean =>
  term.kind === 'word' && languages.some(language => isStopWord(term.text, language))

// A typo within the first letters is not corrected.
const ALIKE_CHARACTERS = 3

/** All words of a term, or the words joined, or a synonym. */
function formsOf({ kind, words, whole, alternatives }: QueryTerm, languages: readonly Language[]): string[] {
  const isExact = kind === 'phrase' || kind === 'pair'
  const all = words.map(word =>
    anyOf(isExact && !word.isPrefix ? [quoted(word.text)] : wordForms(word, languages)),
  )
  const others = alternatives.map(other => other.words.map(word => anyOf(wordForms(word, languages))))
  return [...[all, ...others].map(allOf), ...(whole === undefined ? [] : [prefixed(whole)])]
}

/** Two adjacent words may be written as one in a page. */
const compoundsOf = (one: QueryTerm | undefined, other: QueryTerm | undefined): string[] =>
  one?.kind === 'word' && other?.kind === 'word' ? [quoted(one.text + other.text)] : []

/** The forms of a word share its beginning, up to its stem, except for a letter that changes. */
function wordForms({ text, written, isPrefix }: QueryWord, languages: readonly Language[]): string[] {
  const stems = languages.flatMap(language => stemsOf(written, language))
  const beginnings = stems.map(stem => beginningOf(commonOf(text, stem), -1))
  return [...new Set([isPrefix ? prefixed(text) : quoted(text), ...beginnings.map(prefixed)])]
}

const BEGINNING_CHARACTERS_MIN = 3

/** The first characters; with a negative number all but that many, if enough are left. */
function beginningOf(text: string, characters: number): string {
  const all = [...text]
  return all
    .slice(0, Math.max(BEGINNING_CHARACTERS_MIN, characters < 0 ? all.length + characters : characters))
    .join('')
}

function commonOf(one: string, other: string): string {
  let end = 0
  while (end < one.length && one[end] === other[end]) end += 1
  return one.slice(0, end)
}

// Words are letters, numbers and marks: there is nothing to escape.
const quoted = (word: string): string => `'${word}'`
const prefixed = (word: string): string => `'${word}':*`
const allOf = (conditions: readonly string[]): string => `(${conditions.join(' & ')})`
const anyOf = (alternatives: readonly string[]): string => `(${alternatives.join(' | ')})`
