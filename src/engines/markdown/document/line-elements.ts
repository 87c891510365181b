// HTML in lines: marks, links, buttons, icons and the other forms in which GitBook writes its inlines.
import { defined } from '../../../base/objects.ts'
import { type Button, emojiOf, type Icon, iconOf, pictureOf, readAnchor } from '../reading/reading.ts'
import { type Element, expressionOf, hasClass, isCell, plainLine } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { putEmoji, putImage, putLink, putMention } from './links.ts'
import { type Inline, inline, type PlainMark } from './model.ts'
import { colored, marked, type Style } from './style.ts'

const MARK_OF: { readonly [name: string]: PlainMark } = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  cite: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  samp: 'code',
  tt: 'code',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
}
const COLOURED: ReadonlySet<string> = new Set(['mark', 'span', 'font'])
/** Elements whose text is not for people. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'svg'])
/** Blocks: in a line they begin a new one. */
const BREAKING: ReadonlySet<string> = new Set(
  `p div li ul ol h1 h2 h3 h4 h5 h6 table tr pre blockquote section article header footer figure figcaption details
  summary dl dt dd`.split(/\s+/),
)

export const isSilent = (name: string): boolean => SILENT.has(name)

/** Writes an element in a line. */
export function writeElement(node: Element, line: Line, style: Style, conversion: Conversion): void {
  const { name, children } = node
  if (isSilent(name)) return
  const picture = pictureOf(node)
  const icon = iconOf(node)
  const emoji = emojiOf(node)
  const expression = name === 'code' ? expressionOf(node) : undefined
  if (name === 'br') line.breakLine(style.marks)
  else if (picture !== undefined) putImage(picture, line, conversion)
  else if (name === 'span' && hasClass(node, 'math')) {
    const formula = plainLine(children)
    if (formula !== '') line.put(inline('inline-math', { formula }))
  } else if (name === 'a' || name === 'button') writeAnchor(node, line, style, conversion)
  else if (icon !== undefined) line.put(iconInline(icon))
  else if (expression !== undefined) line.put(inline('expression', { expression }))
  else if (emoji !== undefined) putEmoji(emoji, line, style)
  else if (COLOURED.has(name)) conversion.write(children, line, colored(style, node))
  else {
    if (BREAKING.has(name) && !line.isBlank) line.breakLine([])
    const mark = MARK_OF[name]
    conversion.write(children, line, mark === undefined ? style : marked(style, mark))
    // Cells of a row are separate words.
    if (isCell(node)) line.write(' ', style.marks)
  }
}

function writeAnchor(node: Element, line: Line, style: Style, conversion: Conversion): void {
  const link = readAnchor(node)
  switch (link.kind) {
    case 'button':
      putButton(link.button, node, line, conversion)
      return
    case 'footnote': {
      const inner = new Line()
      conversion.write(node.children, inner, style)
      const body = conversion.footnote(link.identifier)
      if (body !== undefined) inner.annotateAll(body)
      line.append(inner)
      return
    }
    case 'mention':
      putMention(link.href, line, conversion)
      return
    case 'link':
      putLink(node.children, link.href, line, style, conversion)
      return
    case 'words':
      conversion.write(node.children, line, style)
  }
}

function putButton(
  { href, action, query, icon, size, isSecondary }: Button,
  { children }: Element,
  line: Line,
  conversion: Conversion,
): void {
  const kind = isSecondary ? 'secondary' : 'primary'
  const look = defined({ label: plainLine(children), kind, icon: icon?.slice(0, 50), size } as const)
  const does =
    href === undefined ? { action: defined({ action, query }) } : { ref: conversion.reference(href) }
  line.put(inline('button', { ...look, ...does }))
}

const iconInline = ({ name, colour }: Icon): Inline =>
  inline('icon', defined({ icon: name, color: colour === 'default' ? undefined : colour }))
