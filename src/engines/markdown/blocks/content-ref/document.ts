// A link as a card, in a rich document.
import { block, type ReadBlock } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'
import { addressOf } from './address.ts'

export const contentRef: ReadBlock<'content-ref'> = (card, conversion) => {
  const url = addressOf(card)
  const caption = conversion.blocks(captionOf(card, url))
  return url === undefined ? caption : [block('content-ref', { ref: conversion.reference(url) }), ...caption]
}
