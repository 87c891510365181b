// What a text is found by. Words are folded so that a reader's spelling meets the writer's; scripts written without
// spaces (Han, kana, Thai, Lao, Khmer, Burmese) are cut into overlapping pairs, which needs no dictionary, finds every
// substring of two characters or more, and is the same on every machine.

import { LRUCache } from 'lru-cache'
import { stemmer } from 'stemmer'

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WORD = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')

/** Longer runs of letters are data, not words; PostgreSQL refuses lexemes above 2,046 bytes. */
export const TERM_CHARACTERS_MAX = 64

/**
 * Compatibility forms, case and diacritics folded: `Ｃafé` and `cafe` are one word. Marks that make another letter
 * in their script (Devanagari vowels, kana voicing) stay; only the combining marks of Latin, Greek and Cyrillic go.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u0300-\u036f]+/gu, '')
    .normalize('NFC')

const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g

/** The terms of a text in their order. */
export function* termsOf(text: string): Generator<string> {
  // Most text of most documentation; the general way takes three times as long.
  if (ASCII.test(text)) {
    for (const [run] of text.toLowerCase().matchAll(ASCII_WORD))
      if (run.length <= TERM_CHARACTERS_MAX) yield run
    return
  }
  for (const [run] of fold(text).matchAll(WORD)) {
    if (IS_UNSPACED.test(run)) yield* pairsOf(run)
    else if (run.length <= TERM_CHARACTERS_MAX) yield run
  }
}

function* pairsOf(run: string): Generator<string> {
  const characters = [...run]
  if (characters.length === 1) yield run
  for (let index = 0; index + 1 < characters.length; index++)
    yield `${characters[index]}${characters[index + 1]}`
}

/**
 * The English stem of a term, where it has another than itself: "deploying" → "deploi". Porter's algorithm cuts words
 * of other Latin languages as well, always alike in text and query, which finds more and loses nothing, because the
 * term itself is always kept beside its stem.
 */
export function stemOf(term: string): string | undefined {
  if (term.length < STEMMED_CHARACTERS_MIN || !/^[a-z]+$/.test(term)) return undefined
  const known = stems.get(term)
  if (known !== undefined) return known === term ? undefined : known
  const stem = stemmer(term)
  stems.set(term, stem)
  return stem === term ? undefined : stem
}

// The same few thousand words are most of any text.
const stems = new LRUCache<string, string>({ max: 20_000 })

const STEMMED_CHARACTERS_MIN = 4

/** One wanted word of a query. `isPrefix`: the reader may still be typing it. */
export type QueryTerm = { readonly text: string; readonly isPrefix: boolean; readonly isWord: boolean }

/** A query longer than this is a paste; its first words find the page as well. */
export const QUERY_TERMS_MAX = 32

/** What every found section has to have. All but unspaced pairs may be the beginning of a longer word. */
export function queryTerms(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  for (const text of termsOf(query)) {
    if (terms.size === QUERY_TERMS_MAX) break
    const isWord = !IS_UNSPACED.test(text)
    terms.set(text, { text, isWord, isPrefix: isWord || [...text].length === 1 })
  }
  return [...terms.values()]
}
