// A tsvector in PostgreSQL's own notation, made here and not by its parser: that one depends on the locale of the
// server and drops Han characters under "C".
// https://www.postgresql.org/docs/current/datatype-textsearch.html
import { termsOf } from './terms.ts'

/** Weights, strongest first, as PostgreSQL names them. */
export type Weight = 'A' | 'B' | 'C' | 'D'

// PostgreSQL keeps positions up to 16,383 and 256 of them a lexeme, and a tsvector below 1 MB.
const POSITION_MAX = 16_383
const POSITIONS_PER_TERM_MAX = 64
const VECTOR_BYTES_MAX = 512 * 1024

/** The parts one after the other, each with its weight. Terms beyond PostgreSQL's bounds are left out. */
export function toVector(parts: readonly { readonly text: string; readonly weight: Weight }[]): string {
  const positions = new Map<string, string[]>()
  let position = 0
  let bytes = 0
  for (const { text, weight } of parts) {
    for (const term of termsOf(text)) {
      position = Math.min(position + 1, POSITION_MAX)
      const known = positions.get(term)
      if (known === undefined) {
        bytes += term.length * 3 + 16
        if (bytes > VECTOR_BYTES_MAX) return toText(positions)
        positions.set(term, [`${position}${weight}`])
      } else if (known.length < POSITIONS_PER_TERM_MAX) {
        bytes += 4
        known.push(`${position}${weight}`)
      }
    }
  }
  return toText(positions)
}

const toText = (positions: ReadonlyMap<string, readonly string[]>): string =>
  [...positions].map(([term, places]) => `'${term}':${places.join(',')}`).join(' ')
