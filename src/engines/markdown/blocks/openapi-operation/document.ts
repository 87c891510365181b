// An operation in a rich document: of a specification by its name, or of a file in the repository or on the web.
import { defined } from '../../../../base/objects.ts'
import { block, type ReadBlock, specOf, titled } from '../../document/converting.ts'
import { captionOf } from '../../reading/reading.ts'

export const operation: ReadBlock<'openapi-operation'> = (part, conversion) => {
  const { data, tag } = part
  const { path, method, spec, src } = data
  const source = spec ?? src
  if (path === undefined || method === undefined || source === undefined)
    return [
      ...titled(`${method?.toUpperCase() ?? ''} ${path ?? ''}`.trim()),
      ...conversion.blocks(tag.children),
    ]
  const meta = { id: conversion.anchor(`${method} ${path}`) }
  const caption = conversion.blocks(captionOf(part, source))
  if (spec !== undefined) {
    const ref = specOf(conversion, spec)
    const { headless } = data
    return [block('openapi-operation', defined({ path, method, ref, headless }), { meta }), ...caption]
  }
  const { expanded, fullWidth } = data
  const ref = conversion.referenceOf('file', source, 'file') ?? ({ kind: 'url', url: source } as const)
  return [block('swagger', defined({ path, method, ref, expanded, fullWidth }), { meta }), ...caption]
}
