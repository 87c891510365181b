// The nearest neighbours of every text, by an inverted index. A term of many texts is expensive and says little, so
// each text visits the lists of its rare terms first, up to a limited number of entries.

import { float32At, uint32At } from '../../base/typed-arrays.ts'
import type { Vectors } from './vectors.ts'

export type Edge = { readonly to: number; readonly likeness: number }

const NEIGHBOURS_MAX = 10
/** List entries that are visited for one text. */
const VISITS_MAX = 6_000
/** Less similar texts are not neighbours. */
const LIKENESS_MIN = 0.1

type Index = { readonly starts: Uint32Array; readonly texts: Uint32Array; readonly weights: Float32Array }

/** The most similar first; ties in their order. */
export function neighboursOf(vectors: Vectors): Edge[][] {
  const index = invert(vectors)
  const likeness = new Float32Array(vectors.count)
  const touched = new Uint32Array(vectors.count)
  const neighbours: Edge[][] = []
  for (let text = 0; text < vectors.count; text++) {
    const found = visit(vectors, index, text, likeness, touched)
    const near: Edge[] = []
    for (let at = 0; at < found; at++) {
      const to = uint32At(touched, at)
      const how = float32At(likeness, to)
      likeness[to] = 0
      if (to === text || how < LIKENESS_MIN) continue
      insert(near, { to, likeness: how })
    }
    neighbours.push(near)
  }
  return neighbours
}

const isNearer = (edge: Edge, than: Edge): boolean =>
  edge.likeness > than.likeness || (edge.likeness === than.likeness && edge.to < than.to)

function insert(near: Edge[], edge: Edge): void {
  const at = near.findLastIndex(other => !isNearer(edge, other)) + 1
  if (at === NEIGHBOURS_MAX) return
  near.splice(at, 0, edge)
  if (near.length > NEIGHBOURS_MAX) near.pop()
}

/** Adds up how similar other texts are; returns how many were touched. */
function visit(
  { starts, ids, weights }: Vectors,
  index: Index,
  text: number,
  likeness: Float32Array,
  touched: Uint32Array,
): number {
  let found = 0
  let left = VISITS_MAX
  // The heaviest terms of a text are its rarest.
  for (let at = uint32At(starts, text); at < uint32At(starts, text + 1); at++) {
    const id = uint32At(ids, at)
    const from = uint32At(index.starts, id)
    const to = uint32At(index.starts, id + 1)
    if (to - from > left) continue
    left -= to - from
    const weight = float32At(weights, at)
    for (let place = from; place < to; place++) {
      const other = uint32At(index.texts, place)
      const before = float32At(likeness, other)
      if (before === 0) touched[found++] = other
      likeness[other] = before + weight * float32At(index.weights, place)
    }
  }
  return found
}

function invert({ count, terms, starts, ids, weights }: Vectors): Index {
  const listStarts = new Uint32Array(terms + 1)
  for (const id of ids) listStarts[id + 1] = uint32At(listStarts, id + 1) + 1
  for (let id = 0; id < terms; id++)
    listStarts[id + 1] = uint32At(listStarts, id + 1) + uint32At(listStarts, id)
  const next = listStarts.slice(0, terms)
  const texts = new Uint32Array(ids.length)
  const lists = new Float32Array(ids.length)
  for (let text = 0; text < count; text++) {
    for (let at = uint32At(starts, text); at < uint32At(starts, text + 1); at++) {
      const id = uint32At(ids, at)
      const place = uint32At(next, id)
      texts[place] = text
      lists[place] = float32At(weights, at)
      next[id] = place + 1
    }
  }
  return { starts: listStarts, texts, weights: lists }
}
