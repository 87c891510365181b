// Blocks as HTML for table cells, as GitBook writes them. Blocks without a form in HTML are Markdown between blank
// lines.
import { type Block, type BlockOf, blocksIn, lineIn } from '../document/document.ts'
import { codeHtml } from './code.ts'
import { type HtmlPart, htmlOf } from './html-line.ts'
import { isList } from './lists.ts'
import { imagesParts } from './pictures.ts'
import type { Rendering } from './rendering.ts'

const IN_HTML: ReadonlySet<string> = new Set([
  ...['paragraph', 'heading-1', 'heading-2', 'heading-3', 'list-ordered', 'list-unordered', 'list-item'],
  ...['code', 'images', 'image', 'blockquote', 'divider'],
])

/** Whether blocks have a form in HTML, and all blocks within them. */
export const areHtml = (blocks: readonly Block[]): boolean =>
  blocks.every(one => IN_HTML.has(one.type) && (isFlat(one) || areHtml(blocksIn(one))))

/** Whether blocks can be written between pipes, where text that is literal in HTML would be read as Markdown. */
export const arePipeable = (blocks: readonly Block[]): boolean =>
  areHtml(blocks) && blocks.every(one => one.type !== 'code' && (isFlat(one) || arePipeable(blocksIn(one))))

const isFlat = (block: Block): boolean =>
  !(isList(block) || block.type === 'list-item' || block.type === 'blockquote')

export const cellHtml = (blocks: readonly Block[], rendering: Rendering): string =>
  htmlOf(cellParts(blocks, rendering), rendering)

/** The content of a cell: a single line of words has no paragraph around it. */
export function cellParts(blocks: readonly Block[], rendering: Rendering): HtmlPart[] {
  const [only, ...others] = blocks
  if (others.length === 0 && only?.type === 'paragraph' && only.data?.align === undefined)
    return [{ line: lineIn(only) }]
  return blocks.flatMap(one => blockParts(one, rendering))
}

function blockParts(block: Block, rendering: Rendering): HtmlPart[] {
  switch (block.type) {
    case 'paragraph':
      return wordsParts('p', block)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return wordsParts(`h${headingLevel(block.type)}`, block)
    case 'list-unordered':
      return ['<ul>', ...itemsParts(block, rendering), '</ul>']
    case 'list-ordered': {
      const { start } = block.data
      const isUsual = start === undefined || start === 1 || !Number.isSafeInteger(start) || start < 0
      return [`<ol${isUsual ? '' : ` start="${start}"`}>`, ...itemsParts(block, rendering), '</ol>']
    }
    case 'blockquote':
      return ['<blockquote>', ...blocksIn(block).flatMap(one => blockParts(one, rendering)), '</blockquote>']
    case 'code':
      return [codeHtml(block, rendering)]
    case 'images':
      return imagesParts(block, rendering)
    case 'divider':
      return ['<hr>']
    default:
      return []
  }
}

const itemsParts = (list: Block, rendering: Rendering): HtmlPart[] =>
  blocksIn(list).flatMap(item => ['<li>', ...cellParts(blocksIn(item), rendering), '</li>'])

type Words = BlockOf<'paragraph' | 'heading-1' | 'heading-2' | 'heading-3'>

/** GitBook's `#` is the page's title, so the first level of headings is `##`. */
export const headingLevel = (type: Words['type']): number =>
  type === 'heading-3' ? 4 : type === 'heading-2' ? 3 : 2

export const headingHtml = (block: Words, rendering: Rendering): string =>
  htmlOf(wordsParts(`h${headingLevel(block.type)}`, block), rendering)

export const paragraphHtml = (block: Words, rendering: Rendering): string =>
  htmlOf(wordsParts('p', block), rendering)

/** A paragraph or a heading as an element, with its side. */
function wordsParts(name: string, block: Words): HtmlPart[] {
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
