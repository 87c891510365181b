// HTML blocks as GitBook writes them; any other HTML becomes its text, in the nearest form of the model.
import { expandableOf, figuresOf, lineImagesOf, tableBlocks } from '../blocks/document.ts'
import { blockOf, firstNumberOf, playerOf, sideOf } from '../reading/reading.ts'
import { customTag, type Element, isNamed, type Node } from '../syntax/syntax.ts'
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import { codeOf } from './code.ts'
import type { Conversion } from './conversion.ts'
import { heading } from './headings.ts'
import { readLine } from './inlines.ts'
import { isSilent } from './line-elements.ts'
import { listOf } from './lists.ts'
import { type Block, type BlockData, block, paragraph } from './model.ts'
import { wrapRuns } from './schema-fitting.ts'
import { readTag } from './tags.ts'

type ReadElement = (node: Element, conversion: Conversion) => Block[]

const readContent: ReadElement = ({ children }, conversion) => conversion.blocks(children)

const readHeading: ReadElement = (node, conversion) => [
  heading(node, Number(node.name[1]), alignOf(node), conversion),
]

const readDivision: ReadElement = (node, conversion) =>
  figuresOf(node, conversion) ?? aligned(conversion.blocks(node.children), alignOf(node))

const readPicture: ReadElement = (node, conversion) =>
  lineImagesOf([node], conversion) ?? lineOf(node, conversion)

const READERS: { readonly [name: string]: ReadElement } = {
  details: expandableOf,
  table: (node, conversion) => conversion.remember(node, tableBlocks(node, conversion)),
  pre: (node, conversion) => [codeOf(node, conversion)],
  hr: () => [block('divider', {})],
  iframe: readPlayer,
  video: readPlayer,
  audio: readPlayer,
  ul: readHtmlList,
  ol: readHtmlList,
  blockquote: ({ children }, conversion) => quoted(children, conversion),
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, readHeading])),
  figure: readDivision,
  div: readDivision,
  p: readDivision,
  img: readPicture,
  picture: readPicture,
  center: ({ children }, conversion) => aligned(conversion.blocks(children), { align: 'center' }),
  section: readContent,
  article: readContent,
}

/** Whether an element is a block of the model even in a line. */
export const isBlockElement = (node: Element): boolean => {
  const asTag = customTag(node)
  return asTag === undefined ? isBlockName(node.name) : blockOf(node) !== undefined
}

const isBlockName = (name: string): boolean => Object.hasOwn(READERS, name) && READERS[name] !== readPicture

export function readElement(node: Element, conversion: Conversion): Block[] {
  if (isSilent(node.name)) return []
  const asTag = customTag(node)
  if (asTag !== undefined) return readTag(node, asTag, conversion)
  if (Object.hasOwn(READERS, node.name)) return READERS[node.name]?.(node, conversion) ?? []
  return isLine(node) ? lineOf(node, conversion) : readContent(node, conversion)
}

/** A quote; blocks that no quote may hold come out between its parts. */
export const quoted = (nodes: readonly Node[], conversion: Conversion): Block[] =>
  wrapRuns(conversion.blocks(nodes), ALLOWED_CHILDREN.blockquote, inside =>
    block('blockquote', {}, { nodes: inside }),
  )

/** Elements that are always part of a line; alone they make a paragraph. */
const isLine = (node: Element): boolean =>
  ['a', 'button', 'mark', 'span', 'strong', 'b', 'em', 'i', 'code', 'kbd', 'sup', 'sub', 'del', 's'].includes(
    node.name,
  ) && node.children.every(child => child.type !== 'element' || !isBlockElement(child))

function lineOf(node: Element, conversion: Conversion): Block[] {
  const line = readLine([node], conversion)
  return line.length === 0 ? [] : [paragraph(line)]
}

type Align = Pick<BlockData<'paragraph'>, 'align'>

function alignOf(node: Element): Align {
  const align = sideOf(node)
  return align === undefined ? {} : { align }
}

/** Aligns the blocks that can be aligned and have no alignment of their own. */
const aligned = (blocks: readonly Block[], align: Align): Block[] =>
  align.align === undefined
    ? [...blocks]
    : blocks.map(one => {
        const takes =
          one.type === 'paragraph' ||
          one.type === 'heading-1' ||
          one.type === 'heading-2' ||
          one.type === 'heading-3'
        // Of the same type as before; spreading a union loses which data belongs to which type.
        return takes ? ({ ...one, data: { ...align, ...one.data } } as Block) : one
      })

/** A player of a file is the file, any other one an embed of its address; its content stays. */
function readPlayer(node: Element, conversion: Conversion): Block[] {
  const src = playerOf(node)?.src
  const inside = conversion.blocks(node.children)
  if (src === undefined) return inside
  const ref = conversion.referenceOf('file', src, 'file')
  return [ref === undefined ? block('embed', { url: src }) : block('file', { ref }), ...inside]
}

function readHtmlList(node: Element, conversion: Conversion): Block[] {
  const strays: Node[] = []
  const items = node.children.flatMap(child => {
    if (isNamed(child, 'li')) return [{ blocks: conversion.blocks(child.children), checked: null }]
    strays.push(child)
    return []
  })
  // The model has no negative numbers.
  const first = firstNumberOf(node)
  const start = first >= 0 ? first : 1
  return [...listOf(items, node.name === 'ol' ? start : undefined), ...conversion.blocks(strays)]
}
