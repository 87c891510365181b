// HTML blocks as GitBook writes them; any other HTML becomes its text, in the nearest form of the model.
import { customTag, sideOf } from '../attributes/attributes.ts'
import { childrenOf, type Element, isNamed, type Node, plainLine } from '../syntax/syntax.ts'
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import { readPre } from './code.ts'
import type { Conversion } from './conversion.ts'
import { heading } from './headings.ts'
import { readFigures } from './images.ts'
import { readLine } from './inlines.ts'
import { isSilent } from './line-elements.ts'
import { listOf } from './lists.ts'
import { type Block, type BlockData, block, fragment, paragraph } from './model.ts'
import { areHeld, expandableApart, fitBlocks, wrapRuns } from './schema-fitting.ts'
import { readHtmlTable } from './tables.ts'
import { isBlockTag, readTag } from './tags.ts'

type ReadElement = (node: Element, conversion: Conversion) => Block[]

const readContent: ReadElement = ({ children }, conversion) => conversion.blocks(children)

const readHeading: ReadElement = (node, conversion) => [
  heading(node, Number(node.name[1]), alignOf(node), conversion),
]

const readDivision: ReadElement = (node, conversion) =>
  readFigures(node, conversion) ?? aligned(conversion.blocks(node.children), alignOf(node))

const readPicture: ReadElement = (node, conversion) =>
  readFigures({ ...node, name: 'div', attributes: {}, children: [node] }, conversion) ?? []

const READERS: { readonly [name: string]: ReadElement } = {
  details: readDetails,
  table: (node, conversion) => conversion.remember(node, readHtmlTable(node, conversion)),
  pre: (node, conversion) => [readPre(node, conversion)],
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
  return asTag === undefined ? isBlockName(node.name) : isBlockTag(asTag)
}

const isBlockName = (name: string): boolean => Object.hasOwn(READERS, name) && READERS[name] !== readPicture

export function readElement(node: Element, conversion: Conversion): Block[] {
  if (isSilent(node.name)) return []
  const asTag = customTag(node)
  if (asTag !== undefined) return readTag(asTag, conversion)
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

function readDetails(node: Element, conversion: Conversion): Block[] {
  const summary = node.children.find(child => isNamed(child, 'summary'))
  const line = readLine(summary === undefined ? [] : childrenOf(summary), conversion)
  const title = [paragraph(line)]
  const body = fitBlocks(
    conversion.blocks(node.children.filter(child => child !== summary)),
    ALLOWED_CHILDREN['expandable-body'],
  )
  if (!areHeld(body, ALLOWED_CHILDREN['expandable-body'])) {
    conversion.problem('unfitting', node, 'an expandable holds what it may not, and is shown open')
    return expandableApart(title, body)
  }
  const fragments = [
    fragment('expandable-title', title, 'expandable-title'),
    fragment('expandable-body', body.length === 0 ? [paragraph([])] : body, 'expandable-body'),
  ]
  const data: BlockData<'expandable'> = Object.hasOwn(node.attributes, 'open')
    ? { defaultExpanded: true }
    : {}
  const id = conversion.anchor(summary === undefined ? '' : plainLine([summary]))
  return [block('expandable', data, { fragments, meta: { id } })]
}

/** A frame or player is an embed of its source if that is on the web; its content stays. */
function readPlayer(node: Element, conversion: Conversion): Block[] {
  const source = node.children.find(child => isNamed(child, 'source'))
  const src = node.attributes.src ?? source?.attributes.src
  const inside = conversion.blocks(node.children)
  if (src === undefined || !/^(?:https?:)?\/\//i.test(src)) return inside
  return [block('embed', { url: src.startsWith('//') ? `https:${src}` : src }), ...inside]
}

function readHtmlList(node: Element, conversion: Conversion): Block[] {
  const strays: Node[] = []
  const items = node.children.flatMap(child => {
    if (isNamed(child, 'li')) return [{ blocks: conversion.blocks(child.children), checked: null }]
    strays.push(child)
    return []
  })
  const first = Number.parseInt(node.attributes.start ?? '1', 10)
  const start = Number.isSafeInteger(first) && first >= 0 ? first : 1
  return [...listOf(items, node.name === 'ol' ? start : undefined), ...conversion.blocks(strays)]
}
