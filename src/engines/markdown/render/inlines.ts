// Inlines without words of their own, as HTML, and the tags of marks and footnotes.

import type { Inline, InlineData, Mark } from '../document/document.ts'
import { isDerived } from '../reading/reading.ts'
import { emojiName, footnoteLink, inOneLine, renderEmoji } from '../syntax/syntax.ts'
import { filled } from './gitbook-tags.ts'
import { htmlAttribute, htmlText, startTag } from './quoting.ts'
import type { Rendering } from './rendering.ts'

/** The HTML of an inline; the words between its tags are separate, because they are read as Markdown. */
export type InlineHtml = { readonly open: string; readonly words: string; readonly close: string }

const inlineOf = (open: string, words: string, close: string): InlineHtml => ({ open, words, close })

/** An inline in HTML, which Markdown also uses for inlines without a notation of its own. */
export function inlineHtml(node: Inline, rendering: Rendering): InlineHtml | undefined {
  switch (node.type) {
    case 'inline-image':
      return imageHtml(node.data, rendering)
    case 'emoji':
      return inlineOf(emojiSpan(node.data.code), '', '')
    case 'icon':
      return inlineOf(iconHtml(node.data), '', '')
    case 'expression':
      return inlineOf('<code class="expression">', inOneLine(node.data.expression), '</code>')
    case 'inline-math':
      return node.data.formula === ''
        ? undefined
        : inlineOf('<span class="math">', inOneLine(node.data.formula), '</span>')
    case 'mention': {
      const destination = rendering.write(node.data.ref)
      if (destination === undefined) return undefined
      const open = startTag('a', { 'data-mention': true, href: destination })
      return inlineOf(open, labelOf(destination), '</a>')
    }
    case 'button':
      return buttonHtml(node.data, rendering)
    default:
      return undefined
  }
}

/** The last part of a destination, which a mention shows to readers of the plain Markdown. */
export function labelOf(destination: string): string {
  const label = inOneLine(destination.slice(destination.replace(/\/$/, '').lastIndexOf('/') + 1)).trim()
  return isDerived(label, destination) ? label : ''
}

export function mediaOf(
  { ref, refDark }: Pick<InlineData<'inline-image'>, 'ref' | 'refDark'>,
  rendering: Rendering,
): { src: string | undefined; dark: string | undefined } {
  return { src: rendering.write(ref), dark: refDark === undefined ? undefined : rendering.write(refDark) }
}

/** An image element, in a `<picture>` if it has a dark twin. */
export const pictureHtml = (img: string, dark: string | undefined): string =>
  dark === undefined
    ? img
    : `<picture><source ${htmlAttribute('srcset', dark)} media="(prefers-color-scheme: dark)">${img}</picture>`

function imageHtml(data: InlineData<'inline-image'>, rendering: Rendering): InlineHtml {
  const { src, dark } = mediaOf(data, rendering)
  if (src === undefined) return inlineOf('', data.caption ?? data.alt ?? '', '')
  const { alt = '', caption, size } = data
  const img = startTag('img', { src, alt, title: filled(caption), 'data-size': size })
  return inlineOf(pictureHtml(img, dark), '', '')
}

function emojiSpan(code: string): string {
  const name = code.toLowerCase()
  const open = startTag('span', { 'data-gb-custom-inline': true, 'data-tag': 'emoji', 'data-code': name })
  return `${open}${htmlText(renderEmoji(name) ?? '')}</span>`
}

/** `:rocket:` if the emoji has a name and nothing beside it would make the name part of a word. */
export function emojiShortcode(code: string, before: string, after: string): string | undefined {
  const name = emojiName(code.toLowerCase())
  const touches = /[\p{L}\p{N}:]/u
  return name === undefined || touches.test(before) || touches.test(after) ? undefined : `:${name}:`
}

function iconHtml({ icon, color }: InlineData<'icon'>): string {
  const name = inOneLine(icon).trim().replace(/\s+/g, '-')
  const style = color === undefined || color === 'default' ? '' : ` style="color:${color};"`
  // The name between colons is what readers of the plain Markdown see.
  const sign = /^[a-z0-9-]+$/.test(name) ? `:${name}:` : ''
  return `<i ${htmlAttribute('class', `fa-${name}`)}${style}>${sign}</i>`
}

function buttonHtml(data: InlineData<'button'>, rendering: Rendering): InlineHtml | undefined {
  const label = inOneLine(data.label)
  // The schema does not define what an action holds.
  const action = data.action as { action?: unknown; query?: unknown } | undefined
  const look = { class: `button ${data.kind}`, 'data-icon': filled(data.icon), 'data-size': data.size }
  if (data.ref !== undefined) {
    const href = rendering.write(data.ref)
    // A button that leads nowhere becomes its label.
    if (href === undefined) return inlineOf('', label, '')
    return inlineOf(startTag('a', { href, ...look }), label, '</a>')
  }
  if (typeof action?.action !== 'string') return inlineOf('', label, '')
  const query = typeof action.query === 'string' ? action.query : undefined
  const asks = { 'data-action': action.action, 'data-query': query }
  return inlineOf(startTag('button', { type: 'button', ...look, ...asks }), label, '</button>')
}

const TAGS: Readonly<Record<Exclude<Mark['type'], 'color'>, string>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
}

/** The tags around words that have a mark. */
export function markTags(mark: Mark): readonly [open: string, close: string] {
  if (mark.type !== 'color') return [`<${TAGS[mark.type]}>`, `</${TAGS[mark.type]}>`]
  const { text, background } = mark.data
  const ink = text === 'default' ? '' : `color:${text};`
  const paper = background === 'default' ? '' : `background-color:${background};`
  return [`<mark style="${ink}${paper}">`, '</mark>']
}

export const footnoteAnchor = (identifier: string): string =>
  startTag('a', { 'data-footnote-ref': true, href: footnoteLink(identifier) })
