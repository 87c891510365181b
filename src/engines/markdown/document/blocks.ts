// Blocks of Markdown as blocks of the model. GitBook's tags are in tags.ts, HTML is in elements.ts.
import { lineImagesOf, tableBlocks } from '../blocks/document.ts'
import { blockOf } from '../reading/reading.ts'
import {
  flatMapRuns,
  type List,
  type Node,
  type Paragraph,
  type Block as Source,
  toBlocks,
} from '../syntax/syntax.ts'
import { codeBlock } from './code.ts'
import type { Conversion } from './conversion.ts'
import { isBlockElement, quoted, readElement } from './elements.ts'
import { heading } from './headings.ts'
import { readLine, textOfHtml } from './inlines.ts'
import { listOf } from './lists.ts'
import { type Block, block, paragraph, text } from './model.ts'
import { readTag } from './tags.ts'

/**
 * The nodes of one container as blocks; inlines among them are gathered into paragraphs. A level of the tree makes
 * at most one level of the model (an expandable makes two, but is never in another), so the bound of the tree,
 * 100 levels, keeps documents below the bound of the checker.
 */
export function readBlocks(nodes: readonly Node[], conversion: Conversion): Block[] {
  return toBlocks(nodes).flatMap(node => readBlock(node, conversion))
}

function readBlock(node: Source, conversion: Conversion): Block[] {
  switch (node.type) {
    case 'paragraph':
      return readParagraph(node, conversion)
    case 'heading':
      return [heading(node, node.depth, {}, conversion)]
    case 'thematicBreak':
      return [block('divider', {})]
    case 'blockquote':
      return quoted(node.children, conversion)
    case 'list':
      return conversion.remember(node, readList(node, conversion))
    case 'code':
      return [codeBlock(node.value, node.lang === null ? {} : { syntax: node.lang })]
    case 'math':
      return [block('math', { formula: node.value })]
    case 'table':
      return conversion.remember(node, tableBlocks(node, conversion))
    case 'tag':
      return readTag(node, node, conversion)
    case 'element':
      return readElement(node, conversion)
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
function readParagraph(node: Paragraph, conversion: Conversion): Block[] {
  const pictures = lineImagesOf(node.children, conversion)
  if (pictures !== undefined) return pictures
  return flatMapRuns(
    node.children,
    child => !isBlock(child),
    run => {
      const line = readLine(run, conversion)
      return line.length === 0 ? [] : [paragraph(line)]
    },
    // The others passed `isBlock`; the type of a paragraph's children does not include them.
    child => readBlock(child as Source, conversion),
  )
}

/** Whether a node is a block of the model even in a line. */
const isBlock = (node: Node): boolean =>
  node.type === 'tag' ? blockOf(node) !== undefined : node.type === 'element' && isBlockElement(node)

function readList(node: List, conversion: Conversion): Block[] {
  const items = node.children.map(item => ({
    blocks: conversion.blocks(item.children),
    checked: item.checked,
  }))
  return listOf(items, node.ordered ? (node.start ?? 1) : undefined)
}
