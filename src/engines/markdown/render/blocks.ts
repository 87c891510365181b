// Blocks one after the other, each in the form that GitBook writes.
import { MARKDOWN } from '../blocks/markdown.ts'
import { type Block, type BlockOf, type BlockType, type ItemType, lineIn } from '../document/document.ts'
import { readable } from '../syntax/syntax.ts'
import { anchorOf, headingHtml, headingLevel, paragraphHtml } from './html-blocks.ts'
import { isList, type List, markerOf, renderList } from './lists.ts'
import { markdownLine } from './markdown-line.ts'
import type { BlockRenderers, ItemContext, Lines, Rendering } from './rendering.ts'
import { asLines } from './tagging.ts'

/**
 * The lines of a container's blocks, separated by blank lines. Blocks that say nothing, such as empty paragraphs, are
 * left out. It recurses as deep as the document, which the checker bounds.
 */
export function renderBlocks(nodes: readonly Block[], rendering: Rendering, item: ItemContext = {}): Lines {
  const all: Lines = []
  /** The marker of the list directly above, if there is one. */
  let before: string | undefined
  for (const node of nodes) {
    const isFirst = all.length === 0
    const marker = isList(node)
      ? markerOf(node, rendering, before, isFirst ? item.marker?.at(-1) : undefined)
      : undefined
    const lines =
      isList(node) && marker !== undefined
        ? indented(
            renderList(node, marker, rendering),
            isFirst && item.column !== 0 ? 0 : furtherIn(node, rendering, item),
          )
        : renderBlock(node, rendering, isFirst ? item.marker : undefined)
    if (lines.length === 0) continue
    if (!isFirst && item.isTight !== true) all.push('')
    for (const line of lines) all.push(line)
    before = marker
  }
  return all
}

/** How many spaces more than needed somebody indented a list in its item or on the page. */
function furtherIn(list: Block, rendering: Rendering, { column }: ItemContext): number {
  const style = rendering.listStyle(list)
  const spaces = style === undefined || column === undefined ? 0 : style.column - column
  return spaces > 0 && spaces <= SPACES_MAX ? spaces : 0
}

/** More would be code. */
const SPACES_MAX = 3

const indented = (lines: Lines, spaces: number): Lines =>
  spaces === 0 ? lines : lines.map(line => (line === '' ? '' : ' '.repeat(spaces) + line))

// Items are written by their containers, and lists with their markers.
type Renderers = Required<Omit<BlockRenderers, ItemType | List['type']>>

const RENDERERS: Renderers = {
  paragraph: (block, rendering) =>
    block.data?.align === undefined
      ? asLines(markdownLine(lineIn(block), rendering))
      : [paragraphHtml(block, rendering)],
  'heading-1': renderHeading,
  'heading-2': renderHeading,
  'heading-3': renderHeading,
  math: ({ data }) => renderMath(data.formula),
  // After a marker with the same character, the two would be a thematic break.
  divider: (_block, _rendering, marker) => [marker === '*' ? '---' : '***'],
  blockquote: ({ nodes }, rendering) =>
    rendering.blocks(nodes).map(line => (line === '' ? '>' : `> ${line}`)),
  ...MARKDOWN,
}

function renderBlock(block: Block, rendering: Rendering, marker: string | undefined): Lines {
  // The table holds a renderer for each type; TypeScript cannot tell that they match.
  const render = (RENDERERS as Partial<Record<BlockType, RenderBlock>>)[block.type]
  return render?.(block, rendering, marker) ?? []
}

type RenderBlock = (block: Block, rendering: Rendering, marker: string | undefined) => Lines

function renderHeading(block: BlockOf<'heading-1' | 'heading-2' | 'heading-3'>, rendering: Rendering): Lines {
  if (block.data.align !== undefined) return [headingHtml(block, rendering)]
  const sign = '#'.repeat(headingLevel(block.type))
  const words = markdownLine(lineIn(block), rendering, 'heading')
  return [`${sign}${words === '' ? '' : ` ${words}`}${anchorOf(block)}`]
}

/** A formula between lines of dollars, more of them than any line of it begins with. */
function renderMath(formula: string): Lines {
  const lines = readable(formula).split('\n')
  let length = 2
  for (const line of lines) length = Math.max(length, (/^[ \t]{0,3}(\$+)/.exec(line)?.[1]?.length ?? 0) + 1)
  const fence = '$'.repeat(length)
  return [fence, ...(formula === '' ? [] : lines), fence]
}
