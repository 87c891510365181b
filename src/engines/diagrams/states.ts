// Diagrams of states: https://mermaid.js.org/syntax/stateDiagram.html.
import type { Draft, LineEnds, Link, Look } from './draft.ts'
import {
  boxOfNode,
  directionOf,
  Graph,
  type Group,
  lettersOfEdge,
  lettersOfNode,
  linesOfEdge,
  linesOfNode,
  PSEUDO,
  scaleOf,
  spacingOf,
} from './graph.ts'
import { NAME, Scanner } from './scanner.ts'
import { numberOf, StandIns } from './stand-ins.ts'
import type { DiagramText } from './text.ts'
import { readLabel } from './words.ts'

export const isStates = (head: string): boolean => /^stateDiagram(?:-v2)?$/.test(head)

/** What says how it looks, or what a click does: it has the colours of the page that it is on, and leads nowhere. */
const DECORATION = /^(?:style|classDef|class|click) /

/** Undefined if it cannot be drawn. */
export function draftStates({ lines }: DiagramText): Draft | undefined {
  const graph = new Graph()
  const reading = new Reading(graph)
  if (!lines.every(line => DECORATION.test(line) || reading.line(line))) return undefined
  return reading.isBetweenGroups && graph.settle() && arePseudosInPlace(graph)
    ? write(graph, reading.looks)
    : undefined
}

/** A group begins and ends with states of its own. */
const arePseudosInPlace = ({ nodes, groups, edges }: Graph): boolean =>
  edges.every(({ from, to, group }) => {
    if (from !== PSEUDO && to !== PSEUDO) return true
    const other = from === PSEUDO ? to : from
    return (groups.has(other) ? groups.get(other)?.parent : nodes.get(other)?.group) === group
  })

type Note = { readonly of: string; readonly words: string[] }

/** Begins the name of a note, which no state can have. */
const NOTE = 'note '

class Reading {
  readonly #graph: Graph
  /** By the names of what is no state. */
  readonly looks = new Map<string, Look>()
  #group: Group | undefined
  #note: Note | undefined
  /** States whose words are not only their names. */
  readonly #described = new Set<string>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  get isBetweenGroups(): boolean {
    return this.#group === undefined && this.#note === undefined
  }

  /** Whether it was understood. */
  line(line: string): boolean {
    const direction = /^direction (TB|TD|BT|LR|RL)$/.exec(line)?.[1]
    if (direction !== undefined) {
      if (this.#group === undefined) this.#graph.direction = directionOf(direction)
      return true
    }
    if (line === 'hide empty description') return true
    if (this.#note !== undefined) {
      if (line !== 'end note') this.#note.words.push(line)
      else this.#endNote(this.#note)
      return true
    }
    const [, of, words] = /^note (?:left|right) of ([^ :]+)(?: ?:(.*))?$/.exec(line) ?? []
    if (of !== undefined) {
      if (words === undefined) this.#note = { of, words: [] }
      else this.#endNote({ of, words: [words.trim()] })
      return true
    }
    if (line === '}') {
      if (this.#group === undefined) return false
      this.#group = this.#group.parent
      return true
    }
    const scanner = new Scanner(line)
    return scanner.match(/state /y) === undefined ? this.#statement(scanner) : this.#declaration(scanner)
  }

  /** A note is a thing beside the state that it is of. */
  #endNote({ of, words }: Note): void {
    this.#note = undefined
    this.#describe(of, [])
    const id = `${NOTE}${this.looks.size}`
    this.looks.set(id, 'note')
    const note = this.#graph.node(id, 'rectangle', this.#group)
    note.label = words.flatMap(readLabel)
    const ends = { end: 'none', isDashed: true } as const
    this.#graph.edges.push({ from: of, to: id, label: [], arrow: '-->', end: ends, group: this.#group })
  }

  /** `state a`, `state "Words" as a`, and both with what is in it. */
  #declaration(scanner: Scanner): boolean {
    const quoted = scanner.take('"') ? scanner.until(['"']) : undefined
    if (quoted !== undefined && scanner.match(/ as /y) === undefined) return false
    const name = scanner.match(NAME)?.[0]
    if (name === undefined) return false
    scanner.skipSpaces()
    const label = quoted === undefined ? undefined : readLabel(quoted.inside)
    if (scanner.take('{')) {
      const group = this.#graph.openGroup(name, label ?? [name], this.#group)
      this.#group = group
      return group !== undefined && scanner.isAtEnd
    }
    const part = scanner.match(/<<(choice|fork|join)>>/y)?.[1]
    if (!this.#takeStyle(scanner) || !scanner.isAtEnd) return false
    this.#describe(name, label ?? [])
    if (part !== undefined) {
      this.#graph.node(name, 'rounded', this.#group).label = []
      this.looks.set(name, part === 'choice' ? 'choice' : 'bar')
    }
    return true
  }

  /** `a`, `a : words`, and `a --> b : words`. */
  #statement(scanner: Scanner): boolean {
    const from = this.#state(scanner)
    if (from === undefined) return false
    scanner.skipSpaces()
    if (scanner.take('-->')) {
      scanner.skipSpaces()
      const to = this.#state(scanner)
      scanner.skipSpaces()
      const label = this.#words(scanner)
      if (to === undefined || label === undefined || (from === PSEUDO && to === PSEUDO)) return false
      this.#graph.edges.push({ from, to, label, arrow: '-->', group: this.#group })
      return true
    }
    const label = this.#words(scanner)
    if (label === undefined || from === PSEUDO) return false
    this.#describe(from, label)
    return true
  }

  #state(scanner: Scanner): string | undefined {
    if (scanner.take(PSEUDO)) return PSEUDO
    const name = scanner.match(NAME)?.[0]
    if (name === undefined || !this.#takeStyle(scanner)) return undefined
    this.#describe(name, [])
    return name
  }

  /** What follows a colon, to the end; undefined if something else follows. */
  #words(scanner: Scanner): string[] | undefined {
    if (scanner.isAtEnd) return []
    return scanner.take(':') ? readLabel(scanner.rest().trim()) : undefined
  }

  #takeStyle(scanner: Scanner): boolean {
    return !scanner.take(':::') || scanner.match(NAME) !== undefined
  }

  #describe(name: string, label: readonly string[]): void {
    const node = this.#graph.node(name, 'rounded', this.#group)
    if (label.length === 0) return
    node.label = this.#described.has(name) ? [...node.label, ...label] : label
    this.#described.add(name)
  }
}

/** Of what has no words. */
const SIZES: Readonly<Partial<Record<Look, ReturnType<typeof boxOfNode>>>> = {
  choice: { width: 32, height: 32, shape: 'diamond' },
  bar: { width: 64, height: 7, shape: 'rectangle' },
}
/** A bar lies across the way. */
const turned = (look: Look | undefined, { width, height }: { width: number; height: number }) =>
  look === 'bar' ? { width: height, height: width } : {}

function write(graph: Graph, named: ReadonlyMap<string, Look>): Draft {
  const standIns = new StandIns()
  const scale = scaleOf(graph)
  const ids = new Map<string, string>([[PSEUDO, PSEUDO]])
  for (const id of [...graph.groups.keys(), ...graph.nodes.keys()]) ids.set(id, `n${ids.size}`)
  const written = ['stateDiagram-v2', `direction ${graph.direction}`]
  const isPseudo = ({ from, to }: { from: string; to: string }) => from === PSEUDO || to === PSEUDO

  /** What stands for the words of states. */
  const numbers = new Map<string, number | undefined>()
  const boxes = new Map<number, ReturnType<typeof boxOfNode>>()
  const links: Link[] = []
  const ends = new Map<number, LineEnds>()
  const looks = new Map<number, Look>()
  const isVertical = graph.direction === 'TD' || graph.direction === 'BT'
  const writeEdges = (edges: typeof graph.edges) => {
    for (const edge of edges) {
      const lines = linesOfEdge(edge)
      const word = lines.length === 0 ? '' : standIns.take(lines, lettersOfEdge(lines, scale))
      const label = word === '' ? '' : ` : ${word}`
      written.push(`${ids.get(edge.from)} --> ${ids.get(edge.to)}${label}`)
      if (edge.end !== undefined) ends.set(links.length, edge.end)
      links.push({ from: numbers.get(edge.from), to: numbers.get(edge.to), label: numberOf(word) })
    }
  }
  const writeInside = (group: Group | undefined) => {
    for (const each of graph.groups.values())
      if (each.parent === group) {
        const word = standIns.take([each.title.join(' ')], 1)
        numbers.set(each.id, numberOf(word))
        written.push(`state "${word}" as ${ids.get(each.id)} {`)
        writeInside(each)
        written.push('}')
      }
    for (const node of graph.nodes.values())
      if (node.group === group) {
        const lines = linesOfNode(node)
        const word = standIns.take(lines, lettersOfNode(lines, 'rounded', scale))
        numbers.set(node.id, numberOf(word))
        const look = named.get(node.id)
        const box = (look && SIZES[look]) ?? boxOfNode(word, 'rounded', scale)
        boxes.set(numberOf(word) ?? -1, isVertical ? box : { ...box, ...turned(look, box) })
        if (look !== undefined) looks.set(numberOf(word) ?? -1, look)
        written.push(`state "${word}" as ${ids.get(node.id)}`)
      }
    // Where a state begins and ends is in the group in which the arrow is written.
    writeEdges(graph.edges.filter(edge => edge.group === group && isPseudo(edge)))
  }
  writeInside(undefined)
  writeEdges(graph.edges.filter(edge => !isPseudo(edge)))
  return {
    kind: 'State diagram',
    text: written.join('\n'),
    standIns,
    scale: { x: scale, y: scale },
    linesBetween: graph.edges.length,
    links,
    ends,
    looks,
    labels: 'on',
    boxes,
    isVertical,
    names: [...graph.nodes.values()].map(({ label }) => label.join(' ')),
    spacing: spacingOf(graph, scale),
  }
}
