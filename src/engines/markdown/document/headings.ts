// Headings and their anchors.

import { ownAnchor } from '../page/page.ts'
import { ANCHOR } from '../schema/schema.ts'
import { type Element, type Heading, plainLine } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { readLine } from './inlines.ts'
import { type Block, type BlockData, block, text } from './model.ts'

/**
 * A heading. GitBook's `#` is the page's title, so `##` is the first level of the model; so is a `#` in a body, and
 * everything from `####` on is of the third and last level. An anchor in the source is its id.
 */
export function heading(
  node: Heading | Element,
  depth: number,
  data: BlockData<'heading-1'>,
  conversion: Conversion,
): Block {
  const type = depth <= 2 ? 'heading-1' : depth === 3 ? 'heading-2' : 'heading-3'
  const anchor = ownAnchor(node)
  const own = anchor !== undefined && ANCHOR.test(anchor) ? { id: anchor } : {}
  const line = readLine(node.children, conversion)
  const nodes = line.length === 0 ? [text('')] : line
  return block(
    type,
    { ...data, ...own },
    { nodes, meta: { id: conversion.placeOf(node) ?? conversion.anchor(plainLine([node])) } },
  )
}
