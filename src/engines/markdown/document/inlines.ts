// Lines of text: Markdown's inlines as leaves with marks and as inlines. HTML in lines is in line-elements.ts.
import { addressIn, blockOf, pictureOf, readLink } from '../reading/reading.ts'
import {
  childrenOf,
  type Html,
  isHtmlName,
  type Link,
  type Node,
  splitEmojis,
  splitExpressions,
  type Tag,
  trimEndOf,
  variableOf,
  writtenTag,
} from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { writeElement } from './line-elements.ts'
import { putEmoji, putImage, putLink, putMention } from './links.ts'
import { trimMarkEdges } from './mark-edges.ts'
import { type Inline, inline, type PlainMark, type Text } from './model.ts'
import { marked, PLAIN, type Style } from './style.ts'

/** Nodes as one line, without white space at the ends; blocks among them become parts of the line. */
export function readLine(nodes: readonly Node[], conversion: Conversion): (Text | Inline)[] {
  const line = new Line()
  conversion.write(nodes, line, PLAIN)
  return trimMarkEdges(line.finish())
}

/** Writes nodes to a line in a style. */
export function writeNodes(nodes: readonly Node[], line: Line, style: Style, conversion: Conversion): void {
  for (const node of nodes) write(node, line, style, conversion)
}

function write(node: Node, line: Line, style: Style, conversion: Conversion): void {
  switch (node.type) {
    case 'text':
      writeText(node.value, line, style)
      return
    case 'strong':
      writeMarked('bold', node, line, style, conversion)
      return
    case 'emphasis':
      writeMarked('italic', node, line, style, conversion)
      return
    case 'delete':
      writeMarked('strikethrough', node, line, style, conversion)
      return
    case 'inlineCode':
      line.write(node.value, marked(style, 'code').marks)
      return
    case 'inlineMath':
    case 'math':
      line.put(inline('inline-math', { formula: node.value }))
      return
    case 'break':
      line.breakLine(style.marks)
      return
    case 'image': {
      const picture = pictureOf(node)
      if (picture !== undefined) putImage(picture, line, conversion)
      return
    }
    case 'link':
      writeLink(node, line, style, conversion)
      return
    case 'footnoteReference':
      writeFootnote(node.identifier, node.label, line, conversion)
      return
    case 'element':
      writeElement(node, line, style, conversion)
      return
    case 'tag':
      writeTag(node, line, style, conversion)
      return
    case 'html':
      line.write(textOfHtml(node), style.marks)
      return
    case 'code':
      writeApart(() => line.write(node.value, marked(style, 'code').marks), line)
      return
    case 'yaml':
    case 'definition':
    case 'footnoteDefinition':
    case 'thematicBreak':
      return
    default:
      // A block inside a line: its words continue the line after a break.
      writeApart(() => conversion.write(childrenOf(node), line, style), line)
  }
}

function writeApart(content: () => void, line: Line): void {
  if (!line.isBlank) line.breakLine([])
  content()
}

function writeMarked(type: PlainMark, node: Node, line: Line, style: Style, conversion: Conversion): void {
  conversion.write(childrenOf(node), line, marked(style, type))
}

const LINE_END = /\r\n?|\n/

/** Lines in one: the white space around a line end is layout. */
function inFlow(value: string): string {
  if (!LINE_END.test(value)) return value
  const lines = value.split(LINE_END).map((line, nth) => (nth === 0 ? line : line.replace(/^[ \t]+/, '')))
  return lines.map((line, nth) => (nth < lines.length - 1 ? trimEndOf(line) : line)).join(' ')
}

function writeText(value: string, line: Line, style: Style): void {
  const flowing = inFlow(value)
  // Words in code do not name emojis or variables.
  if (style.marks.some(mark => mark.type === 'code')) {
    line.write(flowing, style.marks)
    return
  }
  for (const part of splitExpressions(flowing)) {
    if ('expression' in part) line.put(inline('expression', { expression: part.expression }))
    else writeWords(part.text, line, style)
  }
}

function writeWords(value: string, line: Line, style: Style): void {
  for (const part of splitEmojis(value)) {
    if ('code' in part) putEmoji(part.code, line, style)
    else line.write(part.text, style.marks)
  }
}

/** `{% vars.name %}` as the expression that means the same. */
export const variableInline = (name: string): Inline =>
  inline('expression', { expression: `space.vars.${name}` })

function writeTag(node: Tag, line: Line, style: Style, conversion: Conversion): void {
  const variable = variableOf(node)
  if (variable !== undefined) {
    line.put(variableInline(variable))
    return
  }
  const block = blockOf(node)
  const destination = block && addressIn(block)
  if (destination !== undefined) {
    putLink(node.children, destination, line, style, conversion)
    return
  }
  const [open, close] = writtenTag(node)
  line.write(open, style.marks)
  conversion.write(node.children, line, style)
  line.write(close, style.marks)
}

function writeLink(node: Link, line: Line, style: Style, conversion: Conversion): void {
  const link = readLink(node)
  const body = link.kind === 'footnote' ? conversion.footnote(link.identifier) : undefined
  if (link.kind === 'footnote' && body !== undefined) {
    const inner = new Line()
    conversion.write(node.children, inner, style)
    inner.annotateAll(body)
    line.appendNoted(inner, link.identifier)
  } else if (link.kind === 'mention') putMention(link.href, line, conversion)
  else if (link.kind === 'words') conversion.write(node.children, line, style)
  else putLink(node.children, node.url, line, style, conversion)
}

/** Attaches the footnote to the words before it; one that is not possible here stays visible as its label. */
function writeFootnote(identifier: string, label: string, line: Line, conversion: Conversion): void {
  if (line.isNoted(identifier)) return
  const body = conversion.footnote(identifier)
  if (body === undefined) line.write(`[^${label}]`, [])
  else line.annotate(label, body)
}

/** Comments, declarations and stray tags that HTML knows have no text; any other tag is text: `<your-key>`. */
export function textOfHtml(node: Html): string {
  if (node.kind === 'comment' || node.kind === 'declaration') return ''
  return isHtmlName(node.name) ? '' : node.value
}
