// Turns a flat run of siblings, some of them opening and closing tags, into a tree.
//
// `{% tags %}` are paired first and HTML second, inside them, so that an HTML tag somebody forgot to close cannot tear
// a hint apart. What finds no partner becomes a leaf: a tag that may stand alone, a void element, a stray piece of
// HTML, or the text that somebody wrote.
import { type Element, type Html, isInline, type Node, type Position, type Tag, toBlocks } from './ast.ts'
import { firstOfEach, mayStandAlone, type TagText } from './tag-text.ts'

export type Piece =
  /** Made when its depth is known. */
  | { readonly type: 'node'; readonly build: (depth: number) => Node }
  /** Text between HTML tags, its white space as it was written. */
  | { readonly type: 'text'; readonly value: string; readonly position: Position }
  | { readonly type: 'tag'; readonly tag: TagText; readonly source: string; readonly position: Position }
  | {
      readonly type: 'open'
      readonly name: string
      readonly attributes: readonly (readonly [string, string])[]
      readonly ranges: readonly (readonly [string, Position])[]
      readonly isSelfClosing: boolean
      readonly source: string
      readonly position: Position
    }
  | { readonly type: 'close'; readonly name: string; readonly source: string; readonly position: Position }
  /** Between two blocks of the source: what stands on both sides is not one paragraph. */
  | { readonly type: 'boundary' }

type Open = Extract<Piece, { type: 'open' }>
type TagPiece = Extract<Piece, { type: 'tag' }>

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

// Elements whose end tag people and exporters leave out, and what opens next that ends them.
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    li: 'li',
    td: 'td th tr tbody tfoot',
    th: 'td th tr tbody tfoot',
    tr: 'tr tbody tfoot',
    thead: 'tbody tfoot',
    tbody: 'tbody tfoot',
    dt: 'dt dd',
    dd: 'dt dd',
    option: 'option optgroup',
    p: 'p div ul ol dl table figure details blockquote pre h1 h2 h3 h4 h5 h6 hr',
  }).map(([name, next]) => [name, new Set(next.split(' '))]),
)

// Inside a block of HTML these still stand in a line.
const PHRASING: ReadonlySet<string> = new Set(
  (
    'a abbr b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark math meter ' +
    'picture progress q ruby s samp select small span strike strong sub sup svg textarea time tt u var wbr'
  ).split(' '),
)

// White space between the children of these is never seen.
const STRUCTURAL: ReadonlySet<string> = new Set(
  'audio colgroup datalist details dl figure menu ol optgroup picture select table tbody tfoot thead tr ul video'.split(
    ' ',
  ),
)

const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'textarea', 'script', 'style'])

/**
 * Builds the nodes of `pieces`, siblings at `depth` of the tree. No element or tag is opened at `depthMax` or below:
 * there they stay as they were written.
 */
export function pair(pieces: readonly Piece[], inLine: boolean, depth: number, depthMax: number): Node[] {
  const partners = pairTags(pieces)
  const impliedEnds = pairHtml(pieces, partners)
  const top: Frame = { opened: undefined, settled: 0, endsBefore: -1, children: [], isPreformatted: false }
  const frames: Frame[] = [top]
  const add = (node: Node) => append(frames.at(-1)!.children, node)

  for (const [index, piece] of pieces.entries()) {
    while (frames.length > 1 && frames.at(-1)!.endsBefore === index)
      add(close(frames.pop()!, undefined, inLine))
    if (piece.type === 'boundary') settle(frames.at(-1)!)
    else if (piece.type === 'node') {
      const node = piece.build(depth + frames.length - 1)
      // Between the tags of an element a comment ends no line that goes on behind it.
      add(node.type === 'html' && frames.length > 1 ? { ...node, isInline: true } : node)
    } else if (piece.type === 'text') add(textOf(piece, frames.at(-1)!.isPreformatted))
    else if (piece.type === 'close' || (piece.type === 'tag' && piece.tag.isEnd)) {
      if (frames.at(-1)!.closedBy === index) add(close(frames.pop()!, piece.position, inLine))
      else add(leaf(piece, inLine || frames.length > 1))
    } else {
      const closedBy = partners[index]
      const endsBefore = impliedEnds.get(index)
      const isParent = closedBy !== undefined || endsBefore !== undefined
      if (!isParent || depth + frames.length >= depthMax) add(leaf(piece, inLine || frames.length > 1))
      else
        frames.push({
          opened: piece,
          settled: 0,
          closedBy,
          endsBefore: endsBefore ?? -1,
          children: [],
          isPreformatted:
            frames.at(-1)!.isPreformatted || (piece.type === 'open' && PREFORMATTED.has(piece.name)),
        })
    }
  }
  while (frames.length > 1) add(close(frames.pop()!, undefined, inLine))
  return top.children
}

/** Makes paragraphs of the lines since the last boundary, where an element may hold paragraphs at all. */
function settle(frame: Frame): void {
  const name = frame.opened?.type === 'open' ? frame.opened.name : ''
  if (STRUCTURAL.has(name) || PHRASING.has(name) || frame.isPreformatted) return
  if (frame.children.length > frame.settled && isInline(frame.children.at(-1)!))
    frame.children.push(...toBlocks(frame.children.splice(frame.settled)))
  frame.settled = frame.children.length
}

type Frame = {
  opened: Open | TagPiece | undefined
  /** How many of the children no boundary concerns any more. */
  settled: number
  closedBy?: number | undefined
  endsBefore: number
  children: Node[]
  isPreformatted: boolean
}

/** For each opening `{% tag %}` the index of its end, and for each such end the index of its opening. */
function pairTags(pieces: readonly Piece[]): (number | undefined)[] {
  const partners: (number | undefined)[] = []
  const opened: { name: string; index: number }[] = []
  const count = new Map<string, number>()
  for (const [index, piece] of pieces.entries()) {
    if (piece.type !== 'tag') continue
    const { name, isEnd } = piece.tag
    if (!isEnd) {
      opened.push({ name, index })
      count.set(name, (count.get(name) ?? 0) + 1)
      continue
    }
    if (!count.get(name)) continue
    for (let last = opened.pop(); last; last = opened.pop()) {
      count.set(last.name, count.get(last.name)! - 1)
      if (last.name !== name) continue
      partners[last.index] = index
      partners[index] = last.index
      break
    }
  }
  return partners
}

/**
 * Adds the pairs of HTML tags to `partners`. Answers, for elements whose end is implied, the index they end before.
 * Inside a paired `{% tag %}` only what was opened there can be closed.
 */
function pairHtml(pieces: readonly Piece[], partners: (number | undefined)[]): Map<number, number> {
  const impliedEnds = new Map<number, number>()
  const outer: Opened[] = []
  let opened = new Opened()
  for (const [index, piece] of pieces.entries()) {
    if (piece.type === 'tag' && partners[index] !== undefined) {
      if (piece.tag.isEnd) opened = outer.pop()!
      else {
        outer.push(opened)
        opened = new Opened()
      }
    } else if (piece.type === 'open') {
      for (let last = opened.last(); last && ENDED_BY.get(last.name)?.has(piece.name); last = opened.last())
        impliedEnds.set(opened.pop()!.index, index)
      if (!piece.isSelfClosing && !VOID.has(piece.name)) opened.push(piece.name, index)
    } else if (piece.type === 'close' && opened.has(piece.name)) {
      for (let last = opened.pop(); last; last = opened.pop()) {
        if (last.name === piece.name) {
          partners[last.index] = index
          break
        }
        if (ENDED_BY.has(last.name)) impliedEnds.set(last.index, index)
      }
    }
  }
  return impliedEnds
}

/** A stack of open elements that knows in one step whether a name is on it. */
class Opened {
  readonly #stack: { name: string; index: number }[] = []
  readonly #count = new Map<string, number>()

  has(name: string): boolean {
    return (this.#count.get(name) ?? 0) > 0
  }
  last(): { name: string; index: number } | undefined {
    return this.#stack.at(-1)
  }
  push(name: string, index: number): void {
    this.#stack.push({ name, index })
    this.#count.set(name, (this.#count.get(name) ?? 0) + 1)
  }
  pop(): { name: string; index: number } | undefined {
    const last = this.#stack.pop()
    if (last) this.#count.set(last.name, this.#count.get(last.name)! - 1)
    return last
  }
}

function close(frame: Frame, end: Position | undefined, inLine: boolean): Node {
  const opened = frame.opened!
  const position = {
    start: opened.position.start,
    end: end?.end ?? frame.children.at(-1)?.position.end ?? opened.position.end,
  }
  if (opened.type === 'tag')
    return tagNode(opened, position, true, inLine ? frame.children : toBlocks(frame.children), inLine)
  const children = STRUCTURAL.has(opened.name) ? frame.children.filter(isSeen) : frame.children
  return elementNode(
    opened,
    position,
    children,
    inLine || (PHRASING.has(opened.name) && children.every(isInline)),
  )
}

const isSeen = (node: Node): boolean => node.type !== 'text' || node.value.trim() !== ''

function leaf(piece: Open | TagPiece | Extract<Piece, { type: 'close' }>, inLine: boolean): Node {
  if (piece.type === 'tag')
    return !piece.tag.isEnd && mayStandAlone(piece.tag.name)
      ? tagNode(piece, piece.position, false, [], inLine)
      : { type: 'text', value: piece.source, position: piece.position }
  if (piece.type === 'open' && (piece.isSelfClosing || VOID.has(piece.name)))
    return elementNode(piece, piece.position, [], inLine || PHRASING.has(piece.name))
  const html: Html = {
    type: 'html',
    kind: piece.type,
    name: piece.name,
    value: piece.source,
    isInline: inLine,
    position: piece.position,
  }
  return html
}

const tagNode = (
  { tag }: TagPiece,
  position: Position,
  isClosed: boolean,
  children: readonly Node[],
  inLine: boolean,
): Tag => ({
  type: 'tag',
  name: tag.name,
  attributes: tag.attributes,
  argument: tag.argument,
  isClosed,
  isInline: inLine,
  ranges: tag.ranges,
  children,
  position,
})

const elementNode = (
  { name, attributes, ranges }: Open,
  position: Position,
  children: readonly Node[],
  inLine: boolean,
): Element => ({
  type: 'element',
  name,
  attributes: firstOfEach(attributes),
  isInline: inLine,
  ranges: firstOfEach(ranges),
  children,
  position,
})

const textOf = ({ value, position }: Extract<Piece, { type: 'text' }>, isPreformatted: boolean): Node => ({
  type: 'text',
  value: isPreformatted ? value : value.replace(/[ \t\r\n\f]+/g, ' '),
  position,
})

// Literal tags and the text around them read as one text.
function append(nodes: Node[], node: Node): void {
  const last = nodes.at(-1)
  if (node.type === 'text' && last?.type === 'text' && last.position.end === node.position.start)
    nodes[nodes.length - 1] = {
      type: 'text',
      value: last.value + node.value,
      position: { start: last.position.start, end: node.position.end },
    }
  else nodes.push(node)
}
