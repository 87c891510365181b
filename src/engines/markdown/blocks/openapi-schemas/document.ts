// Schemas in a rich document.
import { defined } from '../../../../base/objects.ts'
import { block, type ReadBlock, specOf, titled } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'

export const schemas: ReadBlock<'openapi-schemas'> = (part, conversion) => {
  const { schemas, grouped, spec } = part.data
  const caption = conversion.blocks(captionOf(part, spec))
  if (spec === undefined) return [...titled(schemas.join(', ')), ...caption]
  const meta = { id: conversion.anchor(schemas.join(' ')) }
  return [
    block('openapi-schemas', defined({ schemas, grouped, ref: specOf(conversion, spec) }), { meta }),
    ...caption,
  ]
}
