// Where emphasis begins and ends in a line: at words. White space at the edges of emphasised text is outside, because
// Markdown cannot begin or end emphasis at a space. Conversion and writing share this, so that a line is the same both
// ways.
import { type Inline, type Leaf, type Mark, type Text, text, type Words } from './model.ts'

export type Part =
  | { readonly type: 'words'; readonly value: string; marks: readonly Mark[]; readonly isBlank: boolean }
  | { readonly type: 'void'; readonly node: Inline; marks: readonly Mark[] }
  | Holder
export type Holder = {
  readonly type: 'link' | 'footnote'
  readonly node: Extract<Inline, { type: 'link' | 'annotation' }>
  readonly parts: readonly Part[]
  /** The marks that all its words have. */
  own: readonly Mark[]
  /** Those that stay open around it; its words may have more. */
  marks: readonly Mark[]
}

/** Moves the white space around emphasised words out of their emphasis. */
export function trimMarkEdges(nodes: Words): (Text | Inline)[] {
  return nodes.some(hasOpenEdge) ? toNodes(merge(settle(partsOf(nodes)))) : [...nodes]
}

function hasOpenEdge(node: Text | Inline): boolean {
  if (node.object === 'inline') return (node.nodes ?? []).some(hasOpenEdge)
  return node.leaves.some(
    ({ text, marks }) => marks.some(mark => EMPHASIS.has(mark.type)) && text !== text.trim(),
  )
}

const EMPHASIS: ReadonlySet<string> = new Set(['bold', 'italic', 'strikethrough'])

function toNodes(parts: readonly Part[]): (Text | Inline)[] {
  const nodes: (Text | Inline)[] = []
  for (const part of parts) {
    const last = nodes.at(-1)
    if (part.type === 'words') {
      const leaf: Leaf = { object: 'leaf', text: part.value, marks: [...part.marks] }
      if (last?.object === 'text') last.leaves.push(leaf)
      else nodes.push({ object: 'text', leaves: [leaf] })
    } else if (part.type === 'void') nodes.push(part.node)
    else {
      const inside = toNodes(merge(part.parts))
      // The same inline with other words; spreading a union loses which of them it is.
      nodes.push({ ...part.node, nodes: inside.length === 0 ? [text('')] : inside } as Inline)
    }
  }
  return nodes
}

export const isBlank = (part: Part): boolean => part.type === 'words' && part.isBlank

/** The words and inlines of a line; `clean` is applied to the words. */
export function partsOf(nodes: Words, clean = (words: string): string => words): Part[] {
  const parts: Part[] = []
  for (const node of nodes) {
    if (node.object === 'text')
      for (const leaf of node.leaves) {
        const marks = marksOf(leaf.marks)
        for (const [value, blank] of pieces(clean(leaf.text), marks))
          parts.push({ type: 'words', value, marks, isBlank: blank })
      }
    else if (node.type === 'link' || node.type === 'annotation') {
      const inside = partsOf(node.nodes ?? [], clean)
      const type = node.type === 'link' ? 'link' : 'footnote'
      parts.push({ type, node, parts: inside, own: [], marks: [] })
    } else parts.push({ type: 'void', node, marks: [] })
  }
  return parts
}

/** Marks in nesting order, each once, without colours that change nothing. */
function marksOf(marks: readonly Mark[]): Mark[] {
  const seen = new Set<string>()
  return marks.filter(mark => {
    if (seen.has(mark.type)) return false
    if (mark.type === 'color' && mark.data.text === 'default' && mark.data.background === 'default')
      return false
    seen.add(mark.type)
    return true
  })
}

/** Separates the words of a leaf from the white space around them. Spaces in code are part of it. */
function pieces(value: string, marks: readonly Mark[]): [value: string, isBlank: boolean][] {
  if (value === '') return []
  if (marks.some(mark => mark.type === 'code')) return [[value, false]]
  const start = value.length - value.trimStart().length
  const end = start + value.trim().length
  const all: [string, boolean][] = [
    [value.slice(0, start), true],
    [value.slice(start, end), false],
    [value.slice(end), true],
  ]
  return all.filter(([piece]) => piece !== '')
}

/**
 * Settles which marks are open at each part: white space and inlines without words of their own have those that the
 * words on both sides share, and a link those that were open before it.
 */
export function settle(parts: readonly Part[]): readonly Part[] {
  let before: readonly Mark[] = []
  const cores: (readonly Mark[] | undefined)[] = parts.map(part => {
    if (part.type === 'void' || isBlank(part)) return undefined
    if (part.type !== 'words') {
      settle(part.parts)
      part.own = sharedMarks(part.parts)
      part.marks = commonMarks(before, part.own)
    }
    before = part.marks
    return part.marks
  })
  let after: readonly Mark[] = []
  const following = cores.toReversed().map(marks => {
    const found = after
    if (marks !== undefined) after = marks
    return found
  })
  before = []
  for (const [index, part] of parts.entries()) {
    const core = cores[index]
    const around = commonMarks(before, following[parts.length - 1 - index] ?? [])
    if (core !== undefined) before = core
    else part.marks = part.type === 'void' ? around : blankMarks(part.marks, around)
  }
  return parts
}

/** The marks that white space keeps: those that continue around it, and those written as tags, which may hold it. */
function blankMarks(own: readonly Mark[], around: readonly Mark[]): readonly Mark[] {
  const shared = commonMarks(own, around).length
  const end = own.findIndex((mark, index) => index >= shared && EMPHASIS.has(mark.type))
  return end === -1 ? own : own.slice(0, end)
}

/** The marks that all words of a link or a footnote have, outermost first. */
function sharedMarks(parts: readonly Part[]): readonly Mark[] {
  let shared: readonly Mark[] | undefined
  for (const part of parts) {
    if (part.type !== 'words') continue
    shared = shared === undefined ? part.marks : commonMarks(shared, part.marks)
  }
  return shared ?? []
}

const isEqualMark = (left: Mark, right: Mark | undefined): boolean =>
  left.type === 'color' && right?.type === 'color'
    ? left.data.text === right.data.text && left.data.background === right.data.background
    : left.type === right?.type

export function commonMarks(left: readonly Mark[], right: readonly Mark[]): readonly Mark[] {
  const end = left.findIndex((mark, index) => !isEqualMark(mark, right[index]))
  return end === -1 ? left : left.slice(0, end)
}

export const haveEqualMarks = (left: readonly Mark[], right: readonly Mark[]): boolean =>
  left.length === right.length && left.every((mark, index) => isEqualMark(mark, right[index]))

/** Joins neighbours with equal marks. */
export function merge(parts: readonly Part[]): Part[] {
  const merged: Part[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.type === 'words' && last?.type === 'words' && haveEqualMarks(part.marks, last.marks))
      merged[merged.length - 1] = { ...last, value: last.value + part.value }
    else merged.push(part)
  }
  return merged
}
