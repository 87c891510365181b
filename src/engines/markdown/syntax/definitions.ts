// Footnotes and the destinations of links, which a page defines in one place and refers to from others.
import { type Definition, type Element, type FootnoteDefinition, type Node, type Root, walk } from './ast.ts'

/** The footnotes of a page at any depth, in the order of the source. */
export function footnotesOf(root: Root): FootnoteDefinition[] {
  const found: FootnoteDefinition[] = []
  walk(root, node => {
    if (node.type === 'footnoteDefinition') found.push(node)
  })
  return found
}

/** The definitions of links by their identifiers; the first of several counts. */
export function linkDefinitionsOf(root: Root): Map<string, Definition> {
  const found = new Map<string, Definition>()
  walk(root, node => {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node)
  })
  return found
}

type FootnoteElement = Element & { readonly attributes: { readonly 'data-footnote-ref': string } }
/** `<a data-footnote-ref href="#user-content-fn-1">`, GitBook's form for words with a footnote. */
export const isFootnoteElement = (node: Node): node is FootnoteElement =>
  node.type === 'element' && node.attributes['data-footnote-ref'] !== undefined

export const footnoteOf = ({ attributes }: Element): string =>
  (attributes.href ?? '').replace(/^#(?:user-content-)?fn-?/, '')

const LINK = '#user-content-fn-'

/** The footnote in `[two words](#user-content-fn-1)[^1]`; undefined for any other destination. */
export const linkedFootnote = (url: string): string | undefined =>
  url.startsWith(LINK) ? url.slice(LINK.length) : undefined

export const footnoteLink = (identifier: string): string => LINK + identifier
