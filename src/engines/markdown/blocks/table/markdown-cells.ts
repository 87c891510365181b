// Blocks in the cells of a table, as HTML. Blocks without a form in HTML are Markdown between blank lines.
import { type Block, blocksIn, lineIn } from '../../document/document.ts'
import {
  elementParts,
  type HtmlPart,
  headingLevel,
  htmlOf,
  isList,
  type Rendering,
} from '../../render/tagging.ts'
import { codeHtml } from '../code/markdown.ts'
import { imagesParts } from '../images/markdown.ts'

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
      return elementParts('p', block)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return elementParts(`h${headingLevel(block.type)}`, block)
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
