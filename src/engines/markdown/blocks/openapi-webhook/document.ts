// A webhook in a rich document.
import { defined } from '../../../../base/objects.ts'
import { block, type ReadBlock, specOf, titled } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'

export const webhook: ReadBlock<'openapi-webhook'> = (part, conversion) => {
  const { name, method, headless, spec } = part.data
  const caption = conversion.blocks(captionOf(part, spec))
  if (spec === undefined || name === undefined || method === undefined) return [...titled(name), ...caption]
  const meta = { id: conversion.anchor(`${method} ${name}`) }
  const ref = specOf(conversion, spec)
  return [block('openapi-webhook', defined({ name, method, ref, headless }), { meta }), ...caption]
}
