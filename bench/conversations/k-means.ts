// What clusters are measured against: k-means on TF-IDF of words, on the unit sphere, that is given how many topics there
// are. It begins as k-means++ does, some times, and the best of them counts.
import { dice } from './labelled.ts'

const RESTARTS = 10
const ROUNDS_MAX = 60

type Sparse = ReadonlyMap<number, number>

export function kMeans(
  texts: readonly (readonly string[])[],
  k: number,
  seed: number,
  restarts = RESTARTS,
): number[] {
  const { vectors, terms } = tfIdf(texts)
  let best: { groups: number[]; fit: number } | undefined
  for (let restart = 0; restart < restarts; restart++) {
    const run = runOnce(vectors, terms, k, dice(seed + restart))
    if (best === undefined || run.fit > best.fit) best = run
  }
  return best?.groups ?? []
}

/** As scikit-learn has it: 1 + ln((1 + n) / (1 + df)), and every vector of length one. */
function tfIdf(texts: readonly (readonly string[])[]): { vectors: Sparse[]; terms: number } {
  const ids = new Map<string, number>()
  const df: number[] = []
  const counted = texts.map(words => {
    const counts = new Map<number, number>()
    for (const word of words) {
      const id = ids.get(word) ?? ids.size
      ids.set(word, id)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    for (const id of counts.keys()) df[id] = (df[id] ?? 0) + 1
    return counts
  })
  const vectors = counted.map(counts => {
    const weights = new Map(
      [...counts].map(([id, count]) => [
        id,
        count * (1 + Math.log((1 + texts.length) / (1 + (df[id] ?? 0)))),
      ]),
    )
    const length = Math.hypot(...weights.values()) || 1
    return new Map([...weights].map(([id, weight]) => [id, weight / length]))
  })
  return { vectors, terms: ids.size }
}

function runOnce(vectors: readonly Sparse[], terms: number, k: number, next: () => number) {
  let centres = begin(vectors, terms, k, next)
  let groups: number[] = []
  let fit = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const near = vectors.map(vector => nearest(vector, centres))
    const assigned = near.map(({ group }) => group)
    fit = near.reduce((sum, { likeness }) => sum + likeness, 0)
    if (assigned.every((group, at) => group === groups[at])) break
    groups = assigned
    const sums = centres.map(() => new Float64Array(terms))
    for (const [at, vector] of vectors.entries())
      for (const [id, weight] of vector) sums[groups[at] as number]![id]! += weight
    centres = sums.map(normalized)
  }
  return { groups, fit }
}

function begin(vectors: readonly Sparse[], terms: number, k: number, next: () => number): Float64Array[] {
  const dense = (vector: Sparse) => {
    const values = new Float64Array(terms)
    for (const [id, weight] of vector) values[id] = weight
    return values
  }
  const centres = [dense(vectors[Math.floor(next() * vectors.length)] as Sparse)]
  const far = vectors.map(() => 2)
  while (centres.length < k) {
    const last = centres.at(-1) as Float64Array
    for (const [at, vector] of vectors.entries())
      far[at] = Math.min(far[at] as number, Math.max(0, 2 - 2 * product(vector, last)))
    let left = next() * far.reduce((sum, value) => sum + value, 0)
    const at = far.findIndex(value => {
      left -= value
      return left <= 0
    })
    centres.push(dense(vectors[at === -1 ? vectors.length - 1 : at] as Sparse))
  }
  return centres
}

function nearest(vector: Sparse, centres: readonly Float64Array[]): { group: number; likeness: number } {
  let best = { group: 0, likeness: -1 }
  for (const [group, centre] of centres.entries()) {
    const likeness = product(vector, centre)
    if (likeness > best.likeness) best = { group, likeness }
  }
  return best
}

function product(vector: Sparse, centre: Float64Array): number {
  let sum = 0
  for (const [id, weight] of vector) sum += weight * (centre[id] as number)
  return sum
}

function normalized(values: Float64Array): Float64Array {
  let square = 0
  for (const value of values) square += value * value
  const length = Math.sqrt(square) || 1
  return values.map(value => value / length)
}
