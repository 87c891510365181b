// The vectors nearest to another, by the angle between them.
import { int8At } from '../../base/typed-arrays.ts'

/** Vectors of signed bytes, one after the other. */
export type Vectors = { readonly bytes: Int8Array; readonly dimensions: number }

export type Near = {
  /** The index of its vectors in `parts`. */
  readonly part: number
  /** Its index among them. */
  readonly row: number
  /** The cosine of the angle, from -1 to 1. */
  readonly score: number
}

/** Nearest first. Vectors with a length other than that of `vector` are left out. */
export function nearest(parts: readonly Vectors[], vector: Int8Array, limit: number): Near[] {
  const length = norm(vector)
  const best: Near[] = []
  for (const [part, { bytes, dimensions }] of parts.entries()) {
    if (dimensions !== vector.length) continue
    for (let row = 0; (row + 1) * dimensions <= bytes.length; row++) {
      const from = row * dimensions
      let product = 0
      let square = 0
      for (let at = 0; at < dimensions; at++) {
        const value = int8At(bytes, from + at)
        product += value * int8At(vector, at)
        square += value * value
      }
      const score = square === 0 ? 0 : product / (Math.sqrt(square) * length)
      const worst = best[limit - 1]
      if (worst !== undefined && score <= worst.score) continue
      insert(best, { part, row, score }, limit)
    }
  }
  return best
}

function norm(vector: Int8Array): number {
  let square = 0
  for (const value of vector) square += value * value
  return Math.sqrt(square)
}

function insert(best: Near[], one: Near, limit: number): void {
  best.splice(best.findLastIndex(({ score }) => score >= one.score) + 1, 0, one)
  if (best.length > limit) best.pop()
}
