// The words of a text as the database keeps them: without positions and word forms, only to find the pages that may be
// meant. They are a tsvector in PostgreSQL's own notation, which is not left to PostgreSQL's parser: that depends on
// the locale of the server and drops Han characters under "C".
// https://www.postgresql.org/docs/current/datatype-textsearch.html
import { readWords } from './word-positions.ts'

/** Changes whenever a text is converted differently; rows with another version are converted again. */
export const WORDS_VERSION = 1

// PostgreSQL keeps a tsvector below 1 MB.
const VECTOR_BYTES_MAX = 512 * 1024
const BYTES_PER_CHARACTER = 4
const BYTES_PER_WORD = 8

/** A part of a text, with its `weight` in PostgreSQL, A being the strongest. */
export type Part = { readonly text: string; readonly weight: 'A' | 'B' | 'C' | 'D' }

/** Each word once, with its strongest weight. Words beyond PostgreSQL's bound are left out. */
export function toVector(parts: readonly Part[]): string {
  const weights = new Map<string, Part['weight']>()
  let bytes = 0
  for (const { text, weight } of parts) {
    readWords(text, ({ text: word }) => {
      const known = weights.get(word)
      if (known === undefined) {
        if (bytes > VECTOR_BYTES_MAX) return
        bytes += word.length * BYTES_PER_CHARACTER + BYTES_PER_WORD
      }
      if (known === undefined || weight < known) weights.set(word, weight)
    })
  }
  return Array.from(weights, ([word, weight]) => `'${word}':1${weight}`).join(' ')
}
