// What blocks that are written as tags share on their way into a rich document.
import type { BlockName } from '../blocks/schemas.ts'
import { type ContainerName, itemsOf, type TagBlock } from '../reading/reading.ts'
import { heldBy } from './allowed-children.ts'
import type { Conversion } from './conversion.ts'
import { type Block, type BlockData, type BlockType, block, inline, paragraph, text } from './model.ts'
import { areHeld, blocksIn, fitBlocks, sections } from './schema-fitting.ts'

/** A container of blocks always has one: editors need a place for the cursor. */
export const orEmpty = (blocks: Block[]): Block[] => (blocks.length === 0 ? [paragraph([])] : blocks)

/** The data of an item's block, and its meta. */
type ItemData = { readonly data: object; readonly meta?: { [name: string]: string } }

/**
 * A container of items if every item holds only what it may; otherwise the items one after the other, each under its
 * title, so that nothing is under another item's title. Anything else in the container follows it.
 */
export function readItems<N extends ContainerName>(
  container: TagBlock<N>,
  conversion: Conversion,
  [type, itemType]: readonly [container: BlockType, item: BlockType],
  dataOf: (item: ReturnType<typeof itemsOf<N>>['items'][number]) => ItemData,
): Block[] {
  const { items, rest } = itemsOf(container)
  const others = conversion.blocks(rest)
  if (items.length === 0) return others
  const [first] = items
  const holds = first === undefined ? [] : heldBy(first.name as BlockName)
  const blocks = items.map(item => {
    const nodes = orEmpty(fitBlocks(conversion.blocks(item.tag.children), holds))
    const { data, meta } = dataOf(item)
    // The caller gives the data of the block's type.
    return block(
      itemType,
      data as BlockData<typeof itemType>,
      meta === undefined ? { nodes } : { nodes, meta },
    )
  })
  if (blocks.every(item => areHeld(blocksIn(item), holds)))
    return [block(type, container.data as BlockData<typeof type>, { nodes: blocks }), ...others]
  const message = `{% ${container.tag.name} %} holds what it may not, and is shown one part after the other`
  conversion.problem('unfitting', container.tag, message)
  return [...sections(blocks), ...others]
}

/** A destination that has no block of its own, as a link that shows it. */
export const linkTo = (conversion: Conversion, destination: string): Block =>
  paragraph([inline('link', { ref: conversion.reference(destination) }, { nodes: [text(destination)] })])

/** A specification is named by its slug, which is its reference if the caller knows no other. */
export const specOf = (conversion: Conversion, spec: string) =>
  conversion.referenceOf('openapi', spec, 'openapi') ?? ({ kind: 'openapi', spec } as const)
