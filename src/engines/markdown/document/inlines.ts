// Lines of text: Markdown's inlines as leaves with marks and as inlines. HTML in lines is in line-elements.ts.
import {
  childrenOf,
  type Html,
  isHtmlName,
  type Link,
  linkedFootnote,
  type Node,
  plainLine,
  splitEmojis,
  type Tag,
} from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { writeElement } from './line-elements.ts'
import { isDerived, putEmoji, putImage, putLink } from './links.ts'
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
    case 'image':
      putImage({ src: node.url, alt: node.alt, title: node.title ?? undefined }, line, conversion)
      return
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

/** Variables of the space, the page and the visitor; braces around anything else are text, as in GitBook. */
const EXPRESSION = /\{\{\s*((?:space|page|visitor)\.[^{}\n]{1,1000})\}\}/g

function writeText(value: string, line: Line, style: Style): void {
  const flowing = value.replace(/(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*/g, ' ')
  // Words in code do not name emojis or variables.
  if (style.marks.some(mark => mark.type === 'code')) {
    line.write(flowing, style.marks)
    return
  }
  let from = 0
  if (flowing.includes('{{')) {
    for (const match of flowing.matchAll(EXPRESSION)) {
      writeWords(flowing.slice(from, match.index), line, style)
      line.put(inline('expression', { expression: (match[1] ?? '').trimEnd() }))
      from = match.index + match[0].length
    }
  }
  writeWords(flowing.slice(from), line, style)
}

function writeWords(value: string, line: Line, style: Style): void {
  for (const part of splitEmojis(value)) {
    if ('code' in part) putEmoji(part.code, line, style)
    else line.write(part.text, style.marks)
  }
}

function writeTag(node: Tag, line: Line, style: Style, conversion: Conversion): void {
  const destination = node.attributes.url ?? node.attributes.src
  if (typeof destination === 'string') {
    putLink(node.children, destination, line, style, conversion)
    return
  }
  const [open, close] = textOfTag(node)
  line.write(open, style.marks)
  conversion.write(node.children, line, style)
  line.write(close, style.marks)
}

function writeLink(node: Link, line: Line, style: Style, conversion: Conversion): void {
  const footnote = linkedFootnote(node.url)
  const body = footnote === undefined ? undefined : conversion.footnote(footnote)
  if (footnote !== undefined && body !== undefined) {
    const inner = new Line()
    conversion.write(node.children, inner, style)
    inner.annotateAll(body)
    line.appendNoted(inner, footnote)
    return
  }
  if (node.title === 'mention' && isDerived(plainLine(node.children), node.url)) {
    line.put(inline('mention', { ref: conversion.reference(node.url) }))
  } else putLink(node.children, node.url, line, style, conversion)
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

/** A tag as text: how it opens and, if it was closed, how it closes. */
export function textOfTag(node: Tag): [open: string, close: string] {
  const argument = node.argument.trim()
  return [
    `{% ${node.name}${argument === '' ? '' : ` ${argument}`} %}`,
    node.isClosed ? `{% end${node.name} %}` : '',
  ]
}
