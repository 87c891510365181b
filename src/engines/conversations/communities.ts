import { float64At, uint32At } from '../../base/typed-arrays.ts'

// Communities of a graph by the Louvain method (Blondel et al. 2008): every node moves to where modularity grows most,
// communities become nodes, and so on until nothing moves. Nodes are visited in order and ties go to the first, so the
// same graph has the same communities.

/** Edges in both directions, with their weights: those of node `i` are from `starts[i]` to before `starts[i + 1]`. */
export type Graph = {
  readonly starts: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
  /** The weight within each node, if nodes are communities of others. */
  readonly own: Float64Array
}

const LEVELS_MAX = 10

/** The community of each node, numbered from 0 in the order of their first nodes. */
export function communitiesOf(graph: Graph, resolution: number): Uint32Array {
  let level = graph
  let groups: Uint32Array = Uint32Array.from(graph.own, (_, node) => node)
  for (let depth = 0; depth < LEVELS_MAX; depth++) {
    const moved = moveNodes(level, resolution)
    const numbered = renumber(moved)
    groups = groups.map(group => uint32At(numbered.groups, group))
    if (numbered.count === level.own.length) break
    level = aggregate(level, numbered.groups, numbered.count)
  }
  return renumber(groups).groups
}

const ROUNDS_MAX = 30
const GAIN_MIN = 1e-9

function moveNodes({ starts, targets, weights, own }: Graph, resolution: number): Uint32Array {
  const count = own.length
  const group = Uint32Array.from(own, (_, node) => node)
  const degree = new Float64Array(count)
  let total = 0
  for (let node = 0; node < count; node++) {
    let sum = 2 * float64At(own, node)
    for (let at = uint32At(starts, node); at < uint32At(starts, node + 1); at++) sum += float64At(weights, at)
    degree[node] = sum
    total += sum
  }
  if (total === 0) return group
  const degrees = degree.slice()
  const toGroup = new Float64Array(count)
  const near: number[] = []
  for (let round = 0; round < ROUNDS_MAX; round++) {
    let moves = 0
    for (let node = 0; node < count; node++) {
      const from = uint32At(group, node)
      for (let at = uint32At(starts, node); at < uint32At(starts, node + 1); at++) {
        const other = uint32At(group, uint32At(targets, at))
        if (toGroup[other] === 0) near.push(other)
        toGroup[other] = float64At(toGroup, other) + float64At(weights, at)
      }
      const mine = float64At(degree, node)
      degrees[from] = float64At(degrees, from) - mine
      const gainOf = (to: number) =>
        float64At(toGroup, to) - (resolution * mine * float64At(degrees, to)) / total
      let best = from
      let gain = gainOf(from)
      for (const to of near) {
        const other = gainOf(to)
        if (other > gain + GAIN_MIN || (other > gain - GAIN_MIN && to < best && best !== from)) {
          best = to
          gain = other
        }
      }
      degrees[best] = float64At(degrees, best) + mine
      group[node] = best
      if (best !== from) moves += 1
      for (const to of near) toGroup[to] = 0
      near.length = 0
    }
    if (moves === 0) break
  }
  return group
}

function renumber(groups: Uint32Array): { groups: Uint32Array; count: number } {
  const numbers = new Map<number, number>()
  const renumbered = groups.map(group => {
    const number = numbers.get(group) ?? numbers.size
    numbers.set(group, number)
    return number
  })
  return { groups: renumbered, count: numbers.size }
}

/** Communities as nodes. */
function aggregate({ starts, targets, weights, own }: Graph, groups: Uint32Array, count: number): Graph {
  const inner = new Float64Array(count)
  const outer = Array.from({ length: count }, () => new Map<number, number>())
  for (let node = 0; node < own.length; node++) {
    const from = uint32At(groups, node)
    inner[from] = float64At(inner, from) + float64At(own, node)
    for (let at = uint32At(starts, node); at < uint32At(starts, node + 1); at++) {
      const to = uint32At(groups, uint32At(targets, at))
      const weight = float64At(weights, at)
      if (to === from) inner[from] = float64At(inner, from) + weight / 2
      else outer[from]?.set(to, (outer[from]?.get(to) ?? 0) + weight)
    }
  }
  return toGraph(outer, inner)
}

/** `edges[i]`: the weights of the edges of node `i`. Each edge is listed at both ends. */
export function toGraph(
  edges: readonly ReadonlyMap<number, number>[],
  own = new Float64Array(edges.length),
): Graph {
  const starts = new Uint32Array(edges.length + 1)
  for (const [node, { size }] of edges.entries()) starts[node + 1] = uint32At(starts, node) + size
  const targets = new Uint32Array(uint32At(starts, edges.length))
  const weights = new Float64Array(targets.length)
  for (const [node, near] of edges.entries()) {
    let at = uint32At(starts, node)
    for (const [to, weight] of near) {
      targets[at] = to
      weights[at] = weight
      at += 1
    }
  }
  return { starts, targets, weights, own }
}
