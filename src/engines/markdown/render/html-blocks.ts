// Paragraphs and headings as elements of HTML, for those that keep to a side, and for cells.
import { type BlockOf, lineIn } from '../document/document.ts'
import { type HtmlPart, htmlOf } from './html-line.ts'
import type { Rendering } from './rendering.ts'

type Words = BlockOf<'paragraph' | 'heading-1' | 'heading-2' | 'heading-3'>

/** GitBook's `#` is the page's title, so the first level of headings is `##`. */
export const headingLevel = (type: Words['type']): number =>
  type === 'heading-3' ? 4 : type === 'heading-2' ? 3 : 2

export const headingHtml = (block: Words, rendering: Rendering): string =>
  htmlOf(elementParts(`h${headingLevel(block.type)}`, block), rendering)

export const paragraphHtml = (block: Words, rendering: Rendering): string =>
  htmlOf(elementParts('p', block), rendering)

/** A paragraph or a heading as an element, with its side. */
export function elementParts(name: string, block: Words): HtmlPart[] {
  const { align } = block.data ?? {}
  const side =
    align === undefined ? '' : ` align="${{ start: 'left', center: 'center', end: 'right' }[align]}"`
  return [`<${name}${side}>`, { line: lineIn(block) }, `${anchorOf(block)}</${name}>`]
}

/** A heading's own anchor, after its words. */
export function anchorOf(block: Words): string {
  const id = block.type === 'paragraph' ? undefined : block.data.id
  return id === undefined ? '' : ` <a href="#${id}" id="${id}"></a>`
}
