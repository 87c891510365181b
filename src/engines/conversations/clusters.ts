// Clusters of texts about the same topic; the number of topics is not known in advance. The same texts make the same
// clusters in any order: they are sorted first, and every later step is deterministic.
import { addUnder } from '../../base/lists.ts'
import { uint32At } from '../../base/typed-arrays.ts'
import { communitiesOf, toGraph } from './communities.ts'
import { type Edge, neighboursOf } from './neighbours.ts'
import { buildVectors } from './vectors.ts'

/** The indices of the texts of each cluster, the larger clusters first. A text that is like no other is in none. */
export function clustersOf(texts: readonly string[]): number[][] {
  const places = placesOf(texts)
  const distinct = [...places.keys()].sort()
  const neighbours = neighboursOf(buildVectors(distinct))
  const groups = communitiesOf(graphOf(neighbours), resolutionFor(distinct.length))
  const clusters: number[][] = []
  for (const [at, text] of distinct.entries()) {
    const group = uint32At(groups, at)
    clusters[group] ??= []
    clusters[group].push(...(places.get(text) ?? []))
  }
  // The sort is stable, so equally large clusters keep their order.
  return clusters.filter(({ length }) => length >= ISSUES_MIN).sort((a, b) => b.length - a.length)
}

const ISSUES_MIN = 2

/** Equal texts count as one, so that a hundred copies are not each other's only neighbours. */
function placesOf(texts: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, text] of texts.entries()) {
    addUnder(places, text, at)
  }
  return places
}

// Being very similar to a few counts for more than being somewhat similar to many.
const LIKENESS_POWER = 1.5

/** Mutual neighbours are joined twice as strongly. */
function graphOf(neighbours: readonly (readonly Edge[])[]) {
  const edges = neighbours.map(() => new Map<number, number>())
  const join = (from: number, to: number, weight: number) =>
    edges[from]?.set(to, (edges[from].get(to) ?? 0) + weight)
  for (const [text, near] of neighbours.entries()) {
    for (const { to, likeness } of near) {
      const weight = likeness ** LIKENESS_POWER
      join(text, to, weight)
      join(to, text, weight)
    }
  }
  return toGraph(edges)
}

// Measured on short questions about 40 topics (bench/conversations.ts), where 2 to 3 do best. In a graph of a few texts
// that would separate what belongs together; plain modularity does not.
const RESOLUTION_MAX = 2.5
const FEW_TEXTS = 50
const MANY_TEXTS = 1_000

function resolutionFor(texts: number): number {
  const share = Math.log(Math.max(1, texts / FEW_TEXTS)) / Math.log(MANY_TEXTS / FEW_TEXTS)
  return 1 + (RESOLUTION_MAX - 1) * Math.min(1, share)
}
