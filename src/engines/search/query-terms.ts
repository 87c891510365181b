// A query as it was read: its terms and the words that they are made of.
import type { Alternative, QueryWord } from './query-words.ts'
import type { Word } from './word-positions.ts'

/**
 * A wanted thing: a word, a pair of characters of a script without spaces, or several words beside each other:
 * an identifier (`pg_stat_activity`), a compound (`two-factor`), or a phrase in quotes.
 */
export type QueryTerm = {
  readonly kind: 'word' | 'pair' | 'joined' | 'phrase'
  /** Folded; that of words beside each other has blanks between them. */
  readonly text: string
  readonly words: readonly QueryWord[]
  /** Words beside each other as one: `maxconnections`. */
  readonly whole: string | undefined
  /** Below 1 for what says less: see `unspaced-words.ts`. */
  readonly weight: number
  /** A page should have it. */
  readonly isWanted: boolean
  /** What else may be meant by it. */
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
