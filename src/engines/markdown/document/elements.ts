// HTML blocks as GitBook writes them, and what other HTML comes to: its text, in the nearest form the model has.
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

const BLOCK_NAMES: ReadonlySet<string> = new Set(
  `details figure table pre hr iframe video audio ul ol blockquote div p h1 h2 h3 h4 h5 h6 section article
  center`.split(/\s+/),
)

/** Whether an element is a block of the model even in a line. */
export const isBlockElement = (node: Element): boolean => BLOCK_NAMES.has(node.name)

export function readElement(node: Element, conversion: Conversion): Block[] {
  const { name, children } = node
  if (isSilent(name)) return []
  switch (name) {
    case 'details':
      return readDetails(node, conversion)
    case 'table':
      return conversion.remember(node, readHtmlTable(node, conversion))
    case 'pre':
      return [readPre(node, conversion)]
    case 'hr':
      return [block('divider', {})]
    case 'iframe':
    case 'video':
    case 'audio':
      return readPlayer(node, conversion)
    case 'ul':
    case 'ol':
      return readHtmlList(node, conversion)
    case 'blockquote':
      return quoted(children, conversion)
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return [heading(node, Number(name[1]), alignOf(node), conversion)]
    case 'figure':
    case 'div':
    case 'p':
      return readFigures(node, conversion) ?? aligned(conversion.blocks(children), alignOf(node))
    case 'img':
    case 'picture':
      return readFigures({ ...node, name: 'div', attributes: {}, children: [node] }, conversion) ?? []
    case 'center':
      return aligned(conversion.blocks(children), { align: 'center' })
    default:
      return isLine(node) ? lineOf(node, conversion) : conversion.blocks(children)
  }
}

/** What is quoted; what no quote may hold comes out between its parts. */
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

function alignOf({ attributes }: Element): Align {
  const side = attributes.align ?? /text-align:\s*(\w+)/.exec(attributes.style ?? '')?.[1]
  if (side === 'center') return { align: 'center' }
  if (side === 'right' || side === 'end') return { align: 'end' }
  return side === 'left' || side === 'start' ? { align: 'start' } : {}
}

/** The blocks with an alignment on those that have one and were not aligned more closely. */
const aligned = (blocks: readonly Block[], align: Align): Block[] =>
  align.align === undefined
    ? [...blocks]
    : blocks.map(one => {
        const takes =
          one.type === 'paragraph' ||
          one.type === 'heading-1' ||
          one.type === 'heading-2' ||
          one.type === 'heading-3'
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

/** A frame or player is an embed of its source, when that is on the web; its content stays. */
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
