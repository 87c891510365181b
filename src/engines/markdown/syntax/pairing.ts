// Turns a flat run of siblings, some of them opening and closing tags, into a tree.
//
// `{% tags %}` are paired first and HTML second, inside them, so that an HTML tag without its end cannot tear a hint
// apart. What finds no partner becomes a leaf: a tag that may be alone, a void element, a stray piece of HTML, or text.
import {
  type Content,
  type Element,
  isInline,
  type LoneTag,
  type Position,
  spanOf,
  type Tag,
  type Text,
  toBlocks,
} from './ast.ts'
import { firstOfEach, mayStandAlone, type TagText } from './tag-text.ts'

export type Token =
  /** Built when its depth is known. */
  | { readonly type: 'node'; readonly build: (depth: number) => Content }
  /** Text between HTML tags, its white space as it was written. */
  | { readonly type: 'text'; readonly value: string; readonly position: Position }
  | TagToken
  | OpenToken
  | { readonly type: 'close'; readonly name: string; readonly source: string; readonly position: Position }
  /** Between two blocks of the source: a paragraph ends here. */
  | { readonly type: 'boundary' }

type TagToken = {
  readonly type: 'tag'
  readonly tag: TagText
  readonly source: string
  readonly position: Position
}
type OpenToken = {
  readonly type: 'open'
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  readonly ranges: readonly (readonly [string, Position])[]
  readonly isSelfClosing: boolean
  readonly source: string
  readonly position: Position
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/))

const VOID = setOf('area base br col embed hr img input link meta param source track wbr')

// Elements whose end tag people and exporters leave out, and the start tags that end them.
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
  }).map(([name, next]) => [name, setOf(next)]),
)

// Inline elements, even in a block of HTML.
const PHRASING = setOf(
  `a abbr b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark math meter picture
  progress q ruby s samp select small span strike strong sub sup svg textarea time tt u var wbr`,
)

// White space between the children of these is never seen.
const STRUCTURAL = setOf(
  'audio colgroup datalist details dl figure menu ol optgroup picture select table tbody tfoot thead tr ul video',
)

const PREFORMATTED = setOf('pre textarea script style')

/** The element or tag that is open, or the top, which has no `opened`. */
type Frame = {
  readonly depth: number
  readonly opened?: { readonly token: OpenToken | TagToken; readonly parent: Frame } & Ends
  readonly isPreformatted: boolean
  readonly children: Content[]
  /** How many of the children are before the last boundary. */
  settled: number
}
/** Indices of the token that closes an element, or of the one before which it ends. */
type Ends = { readonly closedBy: number | undefined; readonly endsBefore: number | undefined }

/** Where in the tree siblings are. No element or tag is opened at `depthMax` or below: there they stay as written. */
type Place = {
  readonly inLine: boolean
  readonly depth: number
  readonly depthMax: number
  /** Takes the tags that become text. */
  readonly loneTags: LoneTag[]
}

/** Builds the nodes of `tokens`, which are siblings. */
export function pair(tokens: readonly Token[], { inLine, depth, depthMax, loneTags }: Place): Content[] {
  const partners = pairTags(tokens)
  const impliedEnds = pairHtml(tokens, partners)
  const top: Frame = { depth, isPreformatted: false, children: [], settled: 0 }
  let frame = top
  const close = ({ token, parent }: NonNullable<Frame['opened']>, end?: Position): void => {
    const { children } = frame
    frame = parent
    append(frame.children, nodeOf(token, children, end, inLine))
  }

  for (const [index, token] of tokens.entries()) {
    while (frame.opened?.endsBefore === index) close(frame.opened)
    const isInside = frame !== top
    if (token.type === 'boundary') settle(frame)
    else if (token.type === 'node') {
      const node = token.build(frame.depth)
      // Between the tags of an element a comment does not end the line.
      append(frame.children, node.type === 'html' && isInside ? { ...node, isInline: true } : node)
    } else if (token.type === 'text') append(frame.children, textOf(token, frame.isPreformatted))
    else if (token.type === 'close' || (token.type === 'tag' && token.tag.isEnd)) {
      if (frame.opened?.closedBy === index) close(frame.opened, token.position)
      else append(frame.children, leafOf(token, inLine || isInside, loneTags))
    } else {
      const [closedBy, endsBefore] = [partners[index], impliedEnds.get(index)]
      if ((closedBy ?? endsBefore) === undefined || frame.depth + 1 >= depthMax)
        append(frame.children, leafOf(token, inLine || isInside, loneTags))
      else
        frame = {
          depth: frame.depth + 1,
          opened: { token, parent: frame, closedBy, endsBefore },
          isPreformatted: frame.isPreformatted || (token.type === 'open' && PREFORMATTED.has(token.name)),
          children: [],
          settled: 0,
        }
    }
  }
  while (frame.opened) close(frame.opened)
  return top.children
}

/** Turns the lines since the last boundary into paragraphs, if the element may hold any. */
function settle(frame: Frame): void {
  const token = frame.opened?.token
  const name = token?.type === 'open' ? token.name : ''
  if (STRUCTURAL.has(name) || PHRASING.has(name) || frame.isPreformatted) return
  const last = frame.children.at(-1)
  if (last && frame.children.length > frame.settled && isInline(last))
    for (const block of toBlocks(frame.children.splice(frame.settled))) frame.children.push(block)
  frame.settled = frame.children.length
}

/** For each opening `{% tag %}` the index of its end, and for each such end the index of its opening. */
function pairTags(tokens: readonly Token[]): (number | undefined)[] {
  const partners: (number | undefined)[] = []
  const opened = new OpenNames()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'tag') continue
    const { name, isEnd } = token.tag
    if (!isEnd) opened.push(name, index)
    else
      for (const { isPartner, index: start } of opened.popTo(name))
        if (isPartner) {
          partners[start] = index
          partners[index] = start
        }
  }
  return partners
}

/**
 * Adds the pairs of HTML tags to `partners`. Returns, for elements whose end is implied, the index they end before.
 * Inside a paired `{% tag %}` only what was opened there can be closed.
 */
function pairHtml(tokens: readonly Token[], partners: (number | undefined)[]): Map<number, number> {
  const impliedEnds = new Map<number, number>()
  const outer: OpenNames[] = []
  let opened = new OpenNames()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'tag' && partners[index] !== undefined) {
      if (!token.tag.isEnd) outer.push(opened)
      opened = (token.tag.isEnd ? outer.pop() : undefined) ?? new OpenNames()
    } else if (token.type === 'open') {
      for (let last = opened.last; last && ENDED_BY.get(last.name)?.has(token.name); last = opened.last) {
        impliedEnds.set(last.index, index)
        opened.pop()
      }
      if (!token.isSelfClosing && !VOID.has(token.name)) opened.push(token.name, index)
    } else if (token.type === 'close')
      for (const { isPartner, name, index: start } of opened.popTo(token.name)) {
        if (isPartner) partners[start] = index
        else if (ENDED_BY.has(name)) impliedEnds.set(start, index)
      }
  }
  return impliedEnds
}

type OpenName = { readonly name: string; readonly index: number }

/** A stack of open tags that finds a name in constant time. */
class OpenNames {
  readonly #stack: OpenName[] = []
  readonly #counts = new Map<string, number>()

  get last(): OpenName | undefined {
    return this.#stack.at(-1)
  }
  push(name: string, index: number): void {
    this.#stack.push({ name, index })
    this.#count(name, 1)
  }
  pop(): OpenName | undefined {
    const last = this.#stack.pop()
    if (last) this.#count(last.name, -1)
    return last
  }
  /** Pops everything down to the last tag of that name, its partner; nothing if the name is not open. */
  *popTo(name: string): Generator<OpenName & { readonly isPartner: boolean }> {
    if (!this.#counts.get(name)) return
    for (let last = this.pop(); last; last = this.pop()) {
      const isPartner = last.name === name
      yield { ...last, isPartner }
      if (isPartner) return
    }
  }
  #count(name: string, change: 1 | -1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + change)
  }
}

/** A tag or an element with its children; `end` is its end tag where it has one. */
function nodeOf(
  token: OpenToken | TagToken,
  children: Content[],
  end: Position | undefined,
  inLine: boolean,
): Tag | Element {
  const position = {
    start: token.position.start,
    end: (end ?? children.at(-1)?.position ?? token.position).end,
  }
  if (token.type === 'tag')
    return tagOf(token.tag, true, position, inLine ? children : toBlocks(children), inLine)
  const seen = STRUCTURAL.has(token.name)
    ? children.filter(node => node.type !== 'text' || node.value.trim() !== '')
    : children
  return elementOf(token, position, seen, inLine || (PHRASING.has(token.name) && seen.every(isInline)))
}

function leafOf(
  token: Exclude<Token, { type: 'node' | 'text' | 'boundary' }>,
  inLine: boolean,
  loneTags: LoneTag[],
): Content {
  const { source, position } = token
  if (token.type === 'tag') {
    const { name, isEnd } = token.tag
    if (!isEnd && mayStandAlone(name)) return tagOf(token.tag, false, position, [], inLine)
    loneTags.push({ name, isEnd, position })
    return { type: 'text', value: source, position }
  }
  const { type, name } = token
  if (type === 'open' && (token.isSelfClosing || VOID.has(name)))
    return elementOf(token, position, [], inLine || PHRASING.has(name))
  return { type: 'html', kind: type, name, value: source, isInline: inLine, position }
}

const tagOf = (
  { name, attributes, argument, word, ranges }: TagText,
  isClosed: boolean,
  position: Position,
  children: readonly Content[],
  isInline: boolean,
): Tag => ({ type: 'tag', name, attributes, argument, word, isClosed, isInline, ranges, children, position })

const elementOf = (
  { name, attributes, ranges }: OpenToken,
  position: Position,
  children: readonly Content[],
  isInline: boolean,
): Element => ({
  type: 'element',
  name,
  attributes: firstOfEach(attributes),
  isInline,
  ranges: firstOfEach(ranges),
  children,
  position,
})

const textOf = ({ value, position }: Extract<Token, { type: 'text' }>, isPreformatted: boolean): Text => ({
  type: 'text',
  value: isPreformatted ? value : value.replace(/[ \t\r\n\f]+/g, ' '),
  position,
})

/** Adds a node; text that continues the last text is joined to it. */
function append(nodes: Content[], node: Content): void {
  const last = nodes.at(-1)
  if (node.type !== 'text' || last?.type !== 'text' || last.position.end !== node.position.start)
    nodes.push(node)
  else
    nodes[nodes.length - 1] = { type: 'text', value: last.value + node.value, position: spanOf(last, node) }
}
