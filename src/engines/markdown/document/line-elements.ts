// HTML in lines: marks, links, buttons, icons and the other forms in which GitBook writes its inlines.
import { defined } from '../../../base/objects.ts'
import { type Button, buttonOf } from '../attributes/attributes.ts'
import {
  type Element,
  footnoteOf,
  hasClass,
  isCell,
  isFootnoteElement,
  isNamed,
  plainLine,
} from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { darkTwin, isDerived, putEmoji, putImage, putLink } from './links.ts'
import { type Inline, inline, type PlainMark } from './model.ts'
import { colored, colorsOf, marked, type Style } from './style.ts'

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
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
}
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
  const { name, attributes, children } = node
  if (isSilent(name)) return
  const img = name === 'picture' ? children.find(child => isNamed(child, 'img')) : node
  const icon = name === 'i' ? iconOf(node) : undefined
  const button = buttonOf(node)
  const emoji = attributes['data-tag'] === 'emoji' ? attributes['data-code'] : undefined
  if (name === 'br') line.breakLine(style.marks)
  else if (img?.name === 'img') {
    const { src = '', alt, title, 'data-size': size } = img.attributes
    putImage({ src, alt, title, size, dark: darkTwin(node) }, line, conversion)
  } else if (name === 'span' && hasClass(node, 'math')) {
    const formula = plainLine(children)
    if (formula !== '') line.put(inline('inline-math', { formula }))
  } else if (name === 'a') writeAnchor(node, line, style, conversion)
  else if (name === 'button' && button !== undefined) putButton(button, node, line, conversion)
  else if (name === 'mark') conversion.write(children, line, colored(style, attributes.style))
  else if (icon !== undefined) line.put(icon)
  else if (name === 'code' && hasClass(node, 'expression'))
    line.put(inline('expression', { expression: plainLine(children) }))
  else if (emoji !== undefined) putEmoji(emoji.toLowerCase(), line, style)
  else {
    if (BREAKING.has(name) && !line.isBlank) line.breakLine([])
    const mark = MARK_OF[name]
    conversion.write(children, line, mark === undefined ? style : marked(style, mark))
    // Cells of a row are separate words.
    if (isCell(node)) line.write(' ', style.marks)
  }
}

function writeAnchor(node: Element, line: Line, style: Style, conversion: Conversion): void {
  const { attributes, children } = node
  const { href } = attributes
  const button = buttonOf(node)
  if (button !== undefined) putButton(button, node, line, conversion)
  else if (isFootnoteElement(node)) {
    const inner = new Line()
    conversion.write(children, inner, style)
    const body = conversion.footnote(footnoteOf(node))
    if (body !== undefined) inner.annotateAll(body)
    line.append(inner)
  } else if (href === undefined || isAnchorOnly(node)) conversion.write(children, line, style)
  else if (Object.hasOwn(attributes, 'data-mention') && isDerived(plainLine(children), href)) {
    line.put(inline('mention', { ref: conversion.reference(href) }))
  } else putLink(children, href, line, style, conversion)
}

/** `<a href="#setup" id="setup"></a>` marks a place and shows nothing. */
const isAnchorOnly = (node: Element): boolean =>
  node.name === 'a' && node.attributes.id !== undefined && node.children.length === 0

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

/** Class names that say how an icon is drawn, not which one it is. */
const ICON_STYLES: ReadonlySet<string> = new Set(
  'fa-solid fa-regular fa-light fa-thin fa-duotone fa-brands'.split(' '),
)

function iconOf({ attributes }: Element): Inline | undefined {
  const classes = (attributes.class ?? '').split(/\s+/)
  const icon = classes.find(name => name.startsWith('fa-') && name.length > 3 && !ICON_STYLES.has(name))
  if (icon === undefined) return undefined
  return inline('icon', defined({ icon: icon.slice(3), color: colorsOf(attributes.style)?.text }))
}
