// Blocks one after the other, each in the form in which GitBook writes it.
import type { Block, Inline, Node, Text } from '../document/document.ts'
import { readable } from '../syntax/syntax.ts'
import { renderCode } from './code.ts'
import { anchorOf, headingHtml, headingLevel, paragraphHtml } from './html-blocks.ts'
import { isList, markerOf, renderList } from './lists.ts'
import { markdownLine } from './markdown-line.ts'
import { drawingHtml, imagesHtml } from './pictures.ts'
import {
  renderContentRef,
  renderEmbed,
  renderFile,
  renderInclude,
  renderIntegration,
  renderOpenapi,
  renderSwagger,
} from './pointers.ts'
import type { Joint, Lines, Rendering } from './rendering.ts'
import { renderTable } from './tables.ts'
import {
  renderColumns,
  renderExpandable,
  renderHint,
  renderIf,
  renderPrompt,
  renderStepper,
  renderTabs,
  renderUpdates,
} from './tag-blocks.ts'

/**
 * The lines of blocks that stand in one container, with a blank line between each two. Blocks that say nothing, such
 * as empty paragraphs, are left out. It goes as deep as the document does, which the checker bounds.
 */
export function renderBlocks(nodes: readonly Node[], rendering: Rendering, joint: Joint = {}): Lines {
  const all: Lines = []
  /** The marker of the list above, when that is what stands above. */
  let before: string | undefined
  for (const node of nodes as readonly Block[]) {
    const isFirst = all.length === 0
    const marker = isList(node)
      ? markerOf(node, rendering, before, isFirst ? joint.marker?.at(-1) : undefined)
      : undefined
    const lines =
      isList(node) && marker !== undefined
        ? indented(renderList(node, marker, rendering), isFirst ? 0 : furtherIn(node, rendering, joint))
        : renderBlock(node, rendering, isFirst ? joint.marker : undefined)
    if (lines.length === 0) continue
    if (!isFirst && joint.isTight !== true) all.push('')
    for (const line of lines) all.push(line)
    before = marker
  }
  return all
}

/** How many spaces further in than it has to be a list is in its item, as somebody wrote it. */
function furtherIn(list: Block, rendering: Rendering, { column }: Joint): number {
  const style = rendering.listStyle(list)
  const spaces = style === undefined || column === undefined ? 0 : style.column - column
  return spaces > 0 && spaces <= SPACES_MAX ? spaces : 0
}

/** More would be code. */
const SPACES_MAX = 3

const indented = (lines: Lines, spaces: number): Lines =>
  spaces === 0 ? lines : lines.map(line => (line === '' ? '' : ' '.repeat(spaces) + line))

const asLines = (text: string): Lines => (text === '' ? [] : text.split('\n'))

function renderBlock(node: Block, rendering: Rendering, marker: string | undefined): Lines {
  switch (node.type) {
    case 'paragraph':
      if (node.data?.align !== undefined) return [paragraphHtml(node, rendering)]
      return asLines(markdownLine(wordsOf(node), rendering))
    case 'heading-1':
    case 'heading-2':
    case 'heading-3': {
      if (node.data.align !== undefined) return [headingHtml(node, rendering)]
      const sign = '#'.repeat(headingLevel(node.type))
      const words = markdownLine(wordsOf(node), rendering, 'heading')
      return [`${sign}${words === '' ? '' : ` ${words}`}${anchorOf(node)}`]
    }
    case 'code':
      return renderCode(node, rendering)
    case 'math':
      return renderMath(node.data.formula)
    case 'divider':
      // Behind a marker of the same sign it would be a line across the page.
      return [marker === '*' ? '---' : '***']
    case 'blockquote':
      return rendering.blocks(node.nodes ?? []).map(line => (line === '' ? '>' : `> ${line}`))
    case 'images':
      return asLines(imagesHtml(node, rendering))
    case 'drawing':
      return asLines(drawingHtml(node, rendering))
    case 'table':
      return renderTable(node, rendering)
    case 'hint':
      return renderHint(node, rendering)
    case 'tabs':
      return renderTabs(node, rendering)
    case 'stepper':
      return renderStepper(node, rendering)
    case 'columns':
      return renderColumns(node, rendering)
    case 'expandable':
      return renderExpandable(node, rendering)
    case 'if':
      return renderIf(node, rendering)
    case 'updates':
      return renderUpdates(node, rendering)
    case 'prompt':
      return renderPrompt(node, rendering)
    case 'embed':
      return renderEmbed(node)
    case 'file':
      return renderFile(node, rendering)
    case 'content-ref':
      return renderContentRef(node, rendering)
    case 'reusable-content':
      return renderInclude(node, rendering)
    case 'integration':
      return renderIntegration(node)
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
      return renderOpenapi(node, rendering)
    case 'swagger':
      return renderSwagger(node, rendering)
    default:
      // Items stand in their containers alone, which write them.
      return []
  }
}

const wordsOf = (node: Block): (Text | Inline)[] => (node.nodes ?? []) as (Text | Inline)[]

/** A formula between lines of dollars, more of them than any line of it begins with. */
function renderMath(formula: string): Lines {
  const lines = readable(formula).split('\n')
  let length = 2
  for (const line of lines) length = Math.max(length, (/^[ \t]{0,3}(\$+)/.exec(line)?.[1]?.length ?? 0) + 1)
  const fence = '$'.repeat(length)
  return [fence, ...(formula === '' ? [] : lines), fence]
}
