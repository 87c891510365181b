// What links are, in Markdown and in HTML: links, mentions, buttons, words with a footnote.

import { isOn } from '../schema/schema.ts'
import {
  type Element,
  footnoteOf,
  isFootnoteElement,
  type Link,
  linkedFootnote,
  plainLine,
} from '../syntax/syntax.ts'
import { type Button, buttonOf } from './buttons.ts'

type ReadLink =
  | { readonly kind: 'button'; readonly button: Button }
  | { readonly kind: 'footnote'; readonly identifier: string }
  /** A link without words shows its address. */
  | { readonly kind: 'link' | 'mention'; readonly href: string }
  /** Leads nowhere: a place to link to, or words alone. */
  | { readonly kind: 'words' }

const WORDS: ReadLink = { kind: 'words' }

/** A mention's words come from its destination, perhaps behind an `@`; any other label makes it a link. */
export const isDerived = (label: string, destination: string): boolean =>
  label === 'Broken link' || destination.toLowerCase().includes(label.toLowerCase().replace(/^@/, ''))

/** `[words](url "mention")`, `[words](#user-content-fn-1)`. */
export function readLink({ url: href, title, children }: Link): ReadLink {
  const identifier = linkedFootnote(href)
  if (identifier !== undefined) return { kind: 'footnote', identifier }
  if (children.length === 0 && href.startsWith('#')) return WORDS
  return { kind: title === 'mention' && isDerived(plainLine(children), href) ? 'mention' : 'link', href }
}

/** `<a>` and `<button>`: `<a href data-mention>`, `<a data-footnote-ref href="#user-content-fn-1">`, `<a class="button">`. */
export function readAnchor(node: Element): ReadLink {
  const { attributes, children, name } = node
  const { href = '' } = attributes
  const button = buttonOf(node)
  if (button !== undefined) return { kind: 'button', button }
  if (name === 'a' && isFootnoteElement(node)) return { kind: 'footnote', identifier: footnoteOf(node) }
  if (href.trim() === '') return WORDS
  if (isOn(attributes['data-mention']) && isDerived(plainLine(children), href))
    return { kind: 'mention', href }
  // An empty link to a place, or an anchor itself, such as that of a heading.
  const isPlace = href.startsWith('#') || (attributes.id ?? attributes.name) !== undefined
  return children.length === 0 && isPlace ? WORDS : { kind: 'link', href }
}
