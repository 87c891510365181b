// Blocks of Markdown as blocks of the model. GitBook's tags are in tags.ts, HTML is in elements.ts.
import {
  type Blockquote,
  type List,
  type Node,
  type Paragraph,
  type Block as Source,
  toBlocks,
} from '../syntax/syntax.ts'
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import { codeBlock } from './code.ts'
import type { Conversion, Read } from './conversion.ts'
import { isBlockElement, readElement } from './elements.ts'
import { heading } from './headings.ts'
import { toDrawing, toImages } from './images.ts'
import { readLine, textOfHtml } from './inlines.ts'
import { listOf } from './lists.ts'
import { type Block, block, paragraph, text } from './model.ts'
import { wrapRuns } from './schema-fitting.ts'
import { readPipeTable } from './tables.ts'
import { isBlockTag, readTag } from './tags.ts'

/**
 * The nodes of one container as blocks; inlines among them gather into paragraphs. A level of the tree makes
 * at most one level of the model (an expandable makes two, but is never in another), so the bound of the tree,
 * 100 levels, keeps documents below the bound of the checker.
 */
export function readBlocks(nodes: readonly Node[], conversion: Conversion): Block[] {
  const read: Read = children => readBlocks(children, conversion)
  return toBlocks(nodes).flatMap(node => readBlock(node, conversion, read))
}

function readBlock(node: Source, conversion: Conversion, read: Read): Block[] {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node, conversion, read)
    case 'heading':
      return [heading(node, node.depth, {}, conversion)]
    case 'thematicBreak':
      return [block('divider', {})]
    case 'blockquote':
      return readBlockquote(node, read)
    case 'list':
      return conversion.remember(node, readList(node, read))
    case 'code':
      return [codeBlock(node.value, node.lang === null ? {} : { syntax: node.lang })]
    case 'math':
      return [block('math', { formula: node.value })]
    case 'table':
      return conversion.remember(node, readPipeTable(node, conversion, read))
    case 'tag':
      return readTag(node, conversion, read)
    case 'element':
      return readElement(node, conversion, read)
    case 'html': {
      const words = textOfHtml(node).trim()
      return words === '' ? [] : [paragraph([text(words)])]
    }
    case 'yaml':
    case 'definition':
    case 'footnoteDefinition':
      return []
  }
}

/**
 * A paragraph, cut at each block in its line (a hint written in one line, a figure in text). A paragraph of
 * nothing but images is an image block.
 */
function readParagraph(node: Paragraph, conversion: Conversion, read: Read): Block[] {
  const pictures = toDrawing(node.children, conversion) ?? toImages(node.children, conversion)
  if (pictures !== undefined) return [pictures]
  const parts: Block[][] = []
  let run: Node[] = []
  const close = (): void => {
    const line = readLine(run, conversion)
    if (line.length > 0) parts.push([paragraph(line)])
    run = []
  }
  for (const child of node.children) {
    if (child.type === 'tag' && isBlockTag(child)) {
      close()
      parts.push(readTag(child, conversion, read))
    } else if (child.type === 'element' && isBlockElement(child)) {
      close()
      parts.push(readElement(child, conversion, read))
    } else run.push(child)
  }
  close()
  return parts.flat()
}

function readBlockquote(node: Blockquote, read: Read): Block[] {
  return wrapRuns(read(node.children), ALLOWED_CHILDREN.blockquote, nodes =>
    block('blockquote', {}, { nodes }),
  )
}

function readList(node: List, read: Read): Block[] {
  const items = node.children.map(item => ({ blocks: read(item.children), checked: item.checked }))
  return listOf(items, node.ordered ? (node.start ?? 1) : undefined)
}
