// Tabs in a rich document.
import { type ReadBlock, readItems, titled } from '../../document/converting.ts'

export const tabs: ReadBlock<'tabs'> = (container, conversion) =>
  readItems(container, conversion, ['tabs', 'tabs-item'], ({ data, node }) => ({
    data,
    meta: { id: conversion.placeOf(node) ?? conversion.anchor(data.title ?? '') },
  }))

export const tab: ReadBlock<'tab'> = ({ data, tag }, conversion) => [
  ...titled(data.title),
  ...conversion.blocks(tag.children),
]
