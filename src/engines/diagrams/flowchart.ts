// Flowcharts: https://mermaid.js.org/syntax/flowchart.html. A line that is not understood whole leaves the diagram as its
// source: a picture without an arrow would say something else.

import { readArrow, UNSEEN } from './arrows.ts'
import type { Draft, LineEnds, Link, Shape } from './draft.ts'
import {
  boxOfNode,
  directionOf,
  Graph,
  type GraphNode,
  type Group,
  lettersOfEdge,
  lettersOfNode,
  linesOfEdge,
  linesOfNode,
  scaleOf,
  spacingOf,
} from './graph.ts'
import { LEANS } from './leans.ts'
import { NAME, Scanner } from './scanner.ts'
import { readProperties, readShape } from './shapes.ts'
import { numberOf, StandIns } from './stand-ins.ts'
import type { DiagramText } from './text.ts'
import { readLabel, unquotedLabel } from './words.ts'

/** Statements may follow on its line. */
const HEAD = /^(?:graph|flowchart|flowchart-elk)(?: (TB|TD|BT|LR|RL))? ?(?:; ?(.*))?$/

export const isFlowchart = (head: string): boolean => HEAD.test(head)

/** What says how it looks, or what a click does: it has the colours of the page that it is on, and leads nowhere. */
const DECORATION = /^(?:style|classDef|class|linkStyle|click) (?:[^;"]|"[^"]*")*;?$/

/** Undefined if it cannot be drawn. */
export function draftFlowchart({ head, lines }: DiagramText): Draft | undefined {
  const graph = new Graph()
  const [, direction, first = ''] = HEAD.exec(head) ?? []
  graph.direction = directionOf(direction)
  const reading = new Reading(graph)
  const isRead = joined(first === '' ? lines : [first, ...lines]).every(
    line => DECORATION.test(line) || reading.line(line),
  )
  if (!isRead) return undefined
  return reading.isBetweenGroups && graph.settle() ? write(graph) : undefined
}

/** Words between quotation marks may go over several lines. */
function joined(lines: readonly string[]): string[] {
  const whole: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (isOpen) whole.push(`${whole.pop()}<br>${line}`)
    else whole.push(line)
    if (line.split('"').length % 2 === 0) isOpen = !isOpen
  }
  return whole
}

class Reading {
  readonly #graph: Graph
  #group: Group | undefined

  constructor(graph: Graph) {
    this.#graph = graph
  }

  get isBetweenGroups(): boolean {
    return this.#group === undefined
  }

  /** Whether it was understood. */
  line(line: string): boolean {
    const direction = /^direction (TB|TD|BT|LR|RL) ?;?$/.exec(line)?.[1]
    if (direction !== undefined) {
      // A group is laid out as what is around it.
      if (this.#group === undefined) this.#graph.direction = directionOf(direction)
      return true
    }
    if (/^end ?;?$/.test(line)) {
      if (this.#group === undefined) return false
      this.#group = this.#group.parent
      return true
    }
    if (/^subgraph(?: |$)/.test(line)) return this.#openGroup(line.slice('subgraph'.length).trim())
    return this.#statements(line)
  }

  #openGroup(named: string): boolean {
    const scanner = new Scanner(named)
    const name = scanner.match(NAME)?.[0]
    scanner.skipSpaces()
    const titled = name !== undefined && !scanner.isAtEnd ? readShape(scanner) : undefined
    const isNamed = name !== undefined && scanner.isAtEnd
    const title = titled?.label ?? readLabel(unquotedLabel(named))
    // Only a name can be referred to; the same title may be that of several.
    const id = isNamed ? name : `${this.#graph.groups.size} ${named}`
    const group = this.#graph.openGroup(id, title, this.#group)
    if (group === undefined) return false
    this.#group = group
    return true
  }

  #statements(line: string): boolean {
    const scanner = new Scanner(line)
    while (!scanner.isAtEnd) {
      if (!this.#statement(scanner)) return false
      scanner.skipSpaces()
      if (!scanner.isAtEnd && !scanner.take(';')) return false
      scanner.skipSpaces()
    }
    return true
  }

  /** Things, and arrows from each of them to each of those that follow: `a & b --> c --> d`. */
  #statement(scanner: Scanner): boolean {
    let from = this.#things(scanner)
    if (from === undefined) return false
    for (;;) {
      scanner.skipSpaces()
      const arrow = readArrow(scanner)
      if (arrow === undefined) return true
      scanner.skipSpaces()
      const to = this.#things(scanner)
      if (to === undefined || this.#graph.edges.length + from.length * to.length > EDGES_READ_MAX)
        return false
      const isSeen = arrow.arrow !== UNSEEN
      for (const one of isSeen ? from : [])
        for (const other of to)
          this.#graph.edges.push({ from: one.id, to: other.id, ...arrow, group: this.#group })
      from = to
    }
  }

  #things(scanner: Scanner): GraphNode[] | undefined {
    const things: GraphNode[] = []
    do {
      scanner.skipSpaces()
      const thing = this.#thing(scanner)
      if (thing === undefined) return undefined
      things.push(thing)
      scanner.skipSpaces()
    } while (scanner.take('&'))
    return things
  }

  #thing(scanner: Scanner): GraphNode | undefined {
    const name = scanner.match(NAME)?.[0]
    if (name === undefined) return undefined
    const node = this.#graph.node(name, 'rectangle', this.#group)
    const shown = readShape(scanner)
    if (shown !== undefined) Object.assign(node, shown)
    // The name of a style.
    if (scanner.take(':::') && scanner.match(NAME) === undefined) return undefined
    const described = scanner.take('@{') ? readProperties(scanner) : {}
    return described === undefined ? undefined : Object.assign(node, described)
  }
}

const EDGES_READ_MAX = 2_000

const WRITTEN_SHAPES: Readonly<Record<Shape, readonly [string, string]>> = {
  rectangle: ['[', ']'],
  rounded: ['(', ')'],
  stadium: ['([', '])'],
  subroutine: ['[[', ']]'],
  cylinder: ['[(', ')]'],
  circle: ['((', '))'],
  doublecircle: ['(((', ')))'],
  diamond: ['{', '}'],
  hexagon: ['{{', '}}'],
  asymmetric: ['>', ']'],
  trapezoid: ['[/', '\\]'],
  'trapezoid-alt': ['[\\', '/]'],
  'lean-right': ['[/', '\\]'],
  'lean-left': ['[/', '\\]'],
}

function write(graph: Graph): Draft {
  const standIns = new StandIns()
  const scale = scaleOf(graph)
  const ids = new Map<string, string>()
  for (const id of graph.groups.keys()) ids.set(id, `g${ids.size}`)
  for (const id of graph.nodes.keys()) ids.set(id, `n${ids.size}`)
  const idOf = (id: string) => ids.get(id) ?? ''
  const written = [`flowchart ${graph.direction}`]

  /** What stands for the words of things and groups. */
  const numbers = new Map<string, number | undefined>()
  const keep = (id: string, word: string) => numbers.set(id, numberOf(word))
  const boxes = new Map<number, ReturnType<typeof boxOfNode>>()
  const links: Link[] = []
  const ends = new Map<number, LineEnds>()
  const writeNode = (node: GraphNode) => {
    const lines = linesOfNode(node)
    const [start, end] = WRITTEN_SHAPES[node.shape]
    const word = standIns.take(lines, lettersOfNode(lines, node.shape, scale))
    written.push(`${idOf(node.id)}${start}${word}${end}`)
    keep(node.id, word)
    boxes.set(numberOf(word) ?? -1, boxOfNode(word, node.shape, scale))
    const lean = LEANS[node.shape]
    if (lean !== undefined) written.push(`style ${idOf(node.id)} stroke-width:${lean}`)
  }
  const writeInside = (group: Group | undefined) => {
    for (const each of graph.groups.values())
      if (each.parent === group) {
        const word = standIns.take([each.title.join(' ')], 1)
        keep(each.id, word)
        written.push(`subgraph ${idOf(each.id)} [${word}]`)
        writeInside(each)
        written.push('end')
      }
    for (const node of graph.nodes.values()) if (node.group === group) writeNode(node)
  }
  writeInside(undefined)
  for (const edge of graph.edges) {
    const lines = linesOfEdge(edge)
    const word = lines.length === 0 ? '' : standIns.take(lines, lettersOfEdge(lines, scale))
    const label = word === '' ? '' : `|${word}|`
    if (edge.end !== undefined) ends.set(links.length, edge.end)
    written.push(`${idOf(edge.from)} ${edge.arrow}${label} ${idOf(edge.to)}`)
    links.push({ from: numbers.get(edge.from), to: numbers.get(edge.to), label: numberOf(word) })
  }
  return {
    kind: 'Flowchart',
    text: written.join('\n'),
    standIns,
    scale: { x: scale, y: scale },
    linesBetween: graph.edges.length,
    links,
    ends,
    labels: 'on',
    boxes,
    isVertical: graph.direction === 'TD' || graph.direction === 'BT',
    names: [...graph.nodes.values()].map(({ label }) => label.join(' ')),
    spacing: spacingOf(graph, scale),
  }
}
