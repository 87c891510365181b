// The nearest neighbours of every text, by an inverted index. A term that many texts have costs much and tells little, so
// each text visits the lists of its rare terms first, and so many entries at the most.
import type { Vectors } from './vectors.ts'

export type Edge = { readonly to: number; readonly likeness: number }

const NEIGHBOURS_MAX = 10
/** Entries of lists that are visited for one text. */
const VISITS_MAX = 6_000
/** Texts that are less alike are no neighbours. */
const LIKENESS_MIN = 0.1

type Index = { readonly starts: Uint32Array; readonly texts: Uint32Array; readonly weights: Float32Array }

/** The most alike first; of two that are as alike, the first. */
export function neighboursOf(vectors: Vectors): Edge[][] {
  const index = invert(vectors)
  const likeness = new Float32Array(vectors.count)
  const touched = new Uint32Array(vectors.count)
  const neighbours: Edge[][] = []
  for (let text = 0; text < vectors.count; text++) {
    const found = visit(vectors, index, text, likeness, touched)
    const near: Edge[] = []
    for (let at = 0; at < found; at++) {
      const to = touched[at] as number
      const how = likeness[to] as number
      likeness[to] = 0
      if (to === text || how < LIKENESS_MIN) continue
      if (near.length === NEIGHBOURS_MAX && !isNearer(how, to, near.at(-1) as Edge)) continue
      insert(near, { to, likeness: how })
    }
    neighbours.push(near)
  }
  return neighbours
}

const isNearer = (likeness: number, to: number, than: Edge): boolean =>
  likeness > than.likeness || (likeness === than.likeness && to < than.to)

function insert(near: Edge[], edge: Edge): void {
  let at = near.length
  while (at > 0 && isNearer(edge.likeness, edge.to, near[at - 1] as Edge)) at -= 1
  near.splice(at, 0, edge)
  if (near.length > NEIGHBOURS_MAX) near.pop()
}

/** Adds up how alike others are; answers how many were touched. */
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
  for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
    const id = ids[at] as number
    const from = index.starts[id] as number
    const to = index.starts[id + 1] as number
    if (to - from > left) continue
    left -= to - from
    const weight = weights[at] as number
    for (let place = from; place < to; place++) {
      const other = index.texts[place] as number
      const before = likeness[other] as number
      if (before === 0) touched[found++] = other
      likeness[other] = before + weight * (index.weights[place] as number)
    }
  }
  return found
}

function invert({ count, terms, starts, ids, weights }: Vectors): Index {
  const listStarts = new Uint32Array(terms + 1)
  for (const id of ids) listStarts[id + 1] = (listStarts[id + 1] as number) + 1
  for (let id = 0; id < terms; id++)
    listStarts[id + 1] = (listStarts[id + 1] as number) + (listStarts[id] as number)
  const next = listStarts.slice(0, terms)
  const texts = new Uint32Array(ids.length)
  const lists = new Float32Array(ids.length)
  for (let text = 0; text < count; text++) {
    for (let at = starts[text] as number; at < (starts[text + 1] as number); at++) {
      const id = ids[at] as number
      const place = next[id] as number
      texts[place] = text
      lists[place] = weights[at] as number
      next[id] = place + 1
    }
  }
  return { starts: listStarts, texts, weights: lists }
}
