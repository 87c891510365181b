// Things with arrows between them, in groups: what flowcharts and diagrams of states have in common.
import { EDGE_SIZE, LETTER, LINE_HEIGHT, type LineEnds, NODE_SIZE, type Shape } from './draft.ts'
import { brokenInto, widest } from './words.ts'

export type Direction = 'TD' | 'BT' | 'LR' | 'RL'

export const directionOf = (written: string | undefined): Direction =>
  written === 'BT' || written === 'LR' || written === 'RL' ? written : 'TD'

export type GraphNode = {
  readonly id: string
  label: readonly string[]
  shape: Shape
  group: Group | undefined
}

export type Group = {
  readonly id: string
  readonly title: readonly string[]
  readonly parent: Group | undefined
}

export type Edge = {
  readonly from: string
  readonly to: string
  readonly label: readonly string[]
  /** As the library has it: `-->`. */
  readonly arrow: string
  readonly end?: LineEnds
  /** The group that it is written in. */
  readonly group: Group | undefined
}

const NODES_MAX = 150
const EDGES_MAX = 250
const GROUPS_MAX = 30
const GROUP_DEPTH_MAX = 6
/**
 * The layout has two more rows around each row for every level of groups. This many things and arrows, times those rows,
 * take a second.
 */
const ROWS_MAX = 500

export class Graph {
  direction: Direction = 'TD'
  readonly nodes = new Map<string, GraphNode>()
  readonly groups = new Map<string, Group>()
  readonly edges: Edge[] = []

  /** The thing of this name, which is in the first group that names it. */
  node(id: string, shape: Shape, group: Group | undefined): GraphNode {
    const known = this.nodes.get(id)
    if (known !== undefined) {
      known.group ??= group
      return known
    }
    const node: GraphNode = { id, label: [id], shape, group }
    this.nodes.set(id, node)
    return node
  }

  /** Undefined if there is one of this name. */
  openGroup(id: string, title: readonly string[], parent: Group | undefined): Group | undefined {
    if (this.groups.has(id)) return undefined
    const group: Group = { id, title, parent }
    this.groups.set(id, group)
    return group
  }

  /**
   * Whether it can be drawn. The library lays out one arrow from a thing to another, so the words of several that look
   * the same are put on one.
   */
  settle(): boolean {
    for (const id of this.groups.keys()) this.nodes.delete(id)
    if (this.nodes.size === 0 || this.nodes.size > NODES_MAX) return false
    if (this.edges.length > EDGES_MAX || this.groups.size > GROUPS_MAX) return false
    const groups = [...this.groups.values()]
    if (groups.some(group => depthOf(group) > GROUP_DEPTH_MAX || !this.#isFilled(group))) return false
    const rows = 2 * Math.max(0, ...groups.map(depthOf)) + 1
    return rows * (this.nodes.size + this.edges.length) <= ROWS_MAX && this.#joinEdges()
  }

  /** The layout of an empty group fails. */
  #isFilled(group: Group): boolean {
    return (
      [...this.nodes.values()].some(node => node.group === group) ||
      [...this.groups.values()].some(({ parent }) => parent === group)
    )
  }

  #joinEdges(): boolean {
    const joined = new Map<string, Edge>()
    for (const edge of this.edges) {
      const key = JSON.stringify([
        edge.from,
        edge.to,
        edge.from === PSEUDO || edge.to === PSEUDO ? edge.group?.id : null,
      ])
      const before = joined.get(key)
      const isAlike = before?.arrow === edge.arrow && before.end?.end === edge.end?.end
      if (before !== undefined && !isAlike) return false
      joined.set(
        key,
        before === undefined ? edge : { ...before, label: labelOfBoth(before.label, edge.label) },
      )
    }
    this.edges.splice(0, Infinity, ...joined.values())
    return true
  }
}

/** Where states begin and end. */
export const PSEUDO = '[*]'

const labelOfBoth = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.length === 0 ? other : other.length === 0 ? one : [...one, ...other]

function depthOf(group: Group | undefined): number {
  let depth = 0
  for (let each = group; each !== undefined && depth <= GROUP_DEPTH_MAX; each = each.parent) depth += 1
  return depth
}

/** The room that the library gives a thing beside its letters, and its height. */
const BESIDE = 32
const HEIGHT = 36
const EDGE_HEIGHT = 27
const PADDING = 20

/** Longer words make a thing wider before they take more lines: everything is as high as the highest. */
const NODE_LINES = 3
const NODE_WIDTH_MAX = 190 / NODE_SIZE
const NARROW_WIDTH_MAX = 120 / NODE_SIZE
const EDGE_WIDTH_MAX = 150 / EDGE_SIZE
const EDGE_LINES_MAX = 3

const NARROW: ReadonlySet<Shape> = new Set<Shape>(['diamond', 'circle', 'doublecircle'])

export const linesOfNode = ({ label, shape }: Pick<GraphNode, 'label' | 'shape'>): string[] =>
  brokenInto(label, Math.max(NODE_LINES, label.length), NARROW.has(shape) ? NARROW_WIDTH_MAX : NODE_WIDTH_MAX)

export const linesOfEdge = ({ label }: Edge): string[] =>
  label.length === 0 ? [] : brokenInto(label, EDGE_LINES_MAX, EDGE_WIDTH_MAX)

/**
 * Everything in the library's layout is as high as a line. What has more lines is laid out smaller and drawn larger by
 * this factor, with letters that keep their size.
 */
export function scaleOf(graph: Graph): number {
  const ofNodes = [...graph.nodes.values()]
    .filter(({ shape }) => !NARROW.has(shape))
    .map(
      node =>
        (heightOf(linesOfNode(node), NODE_SIZE) + PADDING) / (HEIGHT + (node.shape === 'cylinder' ? 4 : 0)),
    )
  const ofEdges = graph.edges.map(edge => (heightOf(linesOfEdge(edge), EDGE_SIZE) + 10) / EDGE_HEIGHT)
  return Math.max(1, ...ofNodes, ...ofEdges)
}

const heightOf = (lines: readonly string[], size: number): number => lines.length * size * LINE_HEIGHT

/** How many letters make a thing as wide as its words need. */
export function lettersOfNode(lines: readonly string[], shape: Shape, scale: number): number {
  const width = widest(lines) * NODE_SIZE
  const wanted = NARROW.has(shape) ? sideOf(width, heightOf(lines, NODE_SIZE), shape) : width + PADDING + 8
  return (wanted / scale - besideOf(shape)) / LETTER.node
}

/** The size of a thing in the picture: that which the library gives it (`src/layout.ts` of beautiful-mermaid 0.1.3). */
export function boxOfNode(word: string, shape: Shape, scale: number) {
  const letters = word.length * LETTER.node
  if (shape === 'diamond') return squareOf(Math.max(letters + BESIDE, 33) + 24, shape, scale)
  if (shape === 'circle') return squareOf(roundOf(letters), shape, scale)
  if (shape === 'doublecircle') return squareOf(roundOf(letters) + 12, shape, scale)
  const width = letters + BESIDE + (WIDER[shape] ?? 0)
  return {
    width: Math.max(width, 60) * scale,
    height: (shape === 'cylinder' ? 47 : HEIGHT) * scale,
    shape,
  }
}

const squareOf = (side: number, shape: Shape, scale: number) => ({
  width: Math.max(side, 60) * scale,
  height: Math.max(side, 60) * scale,
  shape,
})
const roundOf = (letters: number): number => Math.ceil(Math.hypot(letters + BESIDE, 33)) + 8
const WIDER: Readonly<Partial<Record<Shape, number>>> = {
  ...{ hexagon: 16, trapezoid: 16, 'trapezoid-alt': 16, 'lean-right': 16, 'lean-left': 16, asymmetric: 12 },
}

/** Of a square around words: what is not a box is as wide as it is high. */
const sideOf = (width: number, height: number, shape: Shape): number =>
  shape === 'diamond' ? width + height + 14 : Math.hypot(width, height) + 18

function besideOf(shape: Shape): number {
  if (shape === 'diamond') return BESIDE + 24
  if (shape === 'circle') return BESIDE + 8
  return shape === 'doublecircle' ? BESIDE + 20 : BESIDE
}

export const lettersOfEdge = (lines: readonly string[], scale: number): number =>
  ((widest(lines) * EDGE_SIZE + 12) / scale - 16) / LETTER.edge

/** Where there are groups, the layout puts more layers between things, with room for the titles of groups. */
export const spacingOf = ({ groups }: Graph, scale: number) => ({
  nodeSpacing: 32 / scale,
  layerSpacing: groups.size > 0 ? Math.max(28, 36 / scale) : 44 / scale,
  padding: 16 / scale,
})
