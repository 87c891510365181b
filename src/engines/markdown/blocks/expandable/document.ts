// An expandable as a block of the document.
import {
  ALLOWED_CHILDREN,
  areHeld,
  type Block,
  block,
  type Conversion,
  expandableApart,
  fitBlocks,
  fragment,
  paragraph,
  readLine,
} from '../../document/converting.ts'
import { type Element, plainLine } from '../../syntax/syntax.ts'
import { readExpandable } from './reading.ts'

export function expandableOf(node: Element, conversion: Conversion): Block[] {
  const { title, body, isOpen } = readExpandable(node)
  const head = [paragraph(readLine(title, conversion))]
  const blocks = fitBlocks(conversion.blocks(body), ALLOWED_CHILDREN['expandable-body'])
  if (!areHeld(blocks, ALLOWED_CHILDREN['expandable-body'])) {
    conversion.problem('unfitting', node, 'an expandable holds what it may not, and is shown open')
    return expandableApart(head, blocks)
  }
  const fragments = [
    fragment('expandable-title', head, 'expandable-title'),
    fragment('expandable-body', blocks.length === 0 ? [paragraph([])] : blocks, 'expandable-body'),
  ]
  const meta = { id: conversion.placeOf(node) ?? conversion.anchor(plainLine(title)) }
  return [block('expandable', isOpen ? { defaultExpanded: true } : {}, { fragments, meta })]
}
