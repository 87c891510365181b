// A parsed query: its terms and the words that they are made of.
import type { Alternative, QueryWord } from './query-words.ts'
import type { Word } from './word-positions.ts'

/**
 * What is searched for: a word, a pair of characters of a script without spaces, or several adjacent words:
 * an identifier (`pg_stat_activity`), a compound (`two-factor`), or a phrase in quotes.
 */
export type QueryTerm = {
  readonly kind: 'word' | 'pair' | 'joined' | 'phrase'
  /** Folded; adjacent words have blanks between them. */
  readonly text: string
  readonly words: readonly QueryWord[]
  /** Adjacent words as one: `maxconnections`. */
  readonly whole: string | undefined
  /** Below 1 for terms that say less: see `unspaced-words.ts`. */
  readonly weight: number
  /** Whether a page should have it. */
  readonly isWanted: boolean
  /** Other words that it may mean. */
  readonly alternatives: readonly Alternative[]
}

export type Query = {
  readonly text: string
  readonly terms: readonly QueryTerm[]
  /** The text outside of quotes. */
  readonly rows: readonly (readonly Word[])[]
  /** The number of words, stop words included. */
  readonly words: number
  /** See `title-hash.ts`. */
  readonly titleHash: number
}
