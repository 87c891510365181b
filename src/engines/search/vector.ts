// A tsvector in PostgreSQL's own notation, made here and not by its parser: that one depends on the locale of the
// server and drops Han characters under "C".
// https://www.postgresql.org/docs/current/datatype-textsearch.html
import { stemOf, termsOf } from './terms.ts'

/** Weights, strongest first, as PostgreSQL names them. */
export type Weight = 'A' | 'B' | 'C' | 'D'

// PostgreSQL keeps positions up to 16,383 and 256 of them a lexeme, and a tsvector below 1 MB.
const POSITION_MAX = 16_383
const POSITIONS_PER_TERM_MAX = 64
const VECTOR_BYTES_MAX = 512 * 1024

/**
 * The parts one after the other, each with its weight; a word stands there with its stem, marked by STEM_MARK so that a
 * stem is never taken for a word. Terms beyond PostgreSQL's bounds are left out.
 */
export const toVector = (parts: readonly Part[]): string => indexText(parts).vector

export type Part = { readonly text: string; readonly weight: Weight }

/** The vector together with the terms in it, stems left out. */
export function indexText(parts: readonly Part[]): { vector: string; terms: string[] } {
  const positions = new Map<string, string[]>()
  let position = 0
  let bytes = 0
  const add = (term: string, place: string): boolean => {
    const known = positions.get(term)
    if (known === undefined) {
      bytes += term.length * 3 + 16
      if (bytes > VECTOR_BYTES_MAX) return false
      positions.set(term, [place])
    } else if (known.length < POSITIONS_PER_TERM_MAX) {
      bytes += 4
      known.push(place)
    }
    return true
  }
  for (const { text, weight } of parts) {
    for (const term of termsOf(text)) {
      position = Math.min(position + 1, POSITION_MAX)
      const place = `${position}${weight}`
      const stem = stemOf(term)
      if (!add(term, place) || (stem !== undefined && !add(STEM_MARK + stem, place)))
        return toIndex(positions)
    }
  }
  return toIndex(positions)
}

/** Before a stem; no term contains it. */
export const STEM_MARK = '~'

const toIndex = (positions: ReadonlyMap<string, readonly string[]>) => ({
  vector: toText(positions),
  terms: [...positions.keys()].filter(term => !term.startsWith(STEM_MARK)),
})

const toText = (positions: ReadonlyMap<string, readonly string[]>): string =>
  [...positions].map(([term, places]) => `'${term}':${places.join(',')}`).join(' ')
