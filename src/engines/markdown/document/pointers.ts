// GitBook's tags that point at something: what they lead to, and the caption they may hold.
import { defined } from '../../../base/objects.ts'
import {
  ENDPOINT_ATTRIBUTES,
  readAttributes,
  TAG_ATTRIBUTES,
  TARGET_ATTRIBUTES,
} from '../attributes/attributes.ts'
import { parseReusableAddress } from '../page/page.ts'
import { includedPath, type Tag } from '../syntax/syntax.ts'
import type { Conversion, ReadTag } from './conversion.ts'
import { type Block, block, inline, paragraph, text } from './model.ts'
import { titled } from './schema-fitting.ts'

/** Tags that point at something; their content is a caption, or a repetition of the destination. */
export const POINTERS: { readonly [name: string]: ReadTag } = {
  embed: readEmbed,
  file: readFile,
  'content-ref': readContentRef,
  'page-ref': readContentRef,
  include: readInclude,
  'openapi-operation': readOperation,
  'openapi-schemas': readOpenapiSchemas,
  'openapi-webhook': readOpenapiWebhook,
  openapi: readOperation,
  swagger: readOperation,
}

/** The content of a pointer, unless it is a single link, which only repeats its destination. */
function captionOf(tag: Tag, conversion: Conversion): Block[] {
  const shown = tag.children.filter(child => child.type !== 'text' || child.value.trim() !== '')
  const [only] = shown
  if (shown.length === 1 && only !== undefined) {
    const inside = only.type === 'paragraph' ? only.children : [only]
    if (inside.length === 1 && inside[0]?.type === 'link') return []
  }
  return conversion.blocks(tag.children)
}

function readEmbed(tag: Tag, conversion: Conversion): Block[] {
  const { url, ...look } = readAttributes(tag.attributes, TAG_ATTRIBUTES.embed)
  const caption = captionOf(tag, conversion)
  return url === undefined ? caption : [block('embed', { url, ...look }), ...caption]
}

function readFile(tag: Tag, conversion: Conversion): Block[] {
  const { src } = readAttributes(tag.attributes, TARGET_ATTRIBUTES.file)
  const caption = captionOf(tag, conversion)
  if (src === undefined) return caption
  const ref = conversion.referenceOf('file', src, 'file')
  if (ref !== undefined) return [block('file', { ref }), ...caption]
  conversion.problem('unresolved', tag, `no file was found for ${src.slice(0, 200)}`)
  return [linkTo(conversion, src), ...caption]
}

/** A destination that has no block of its own, as a link that shows it. */
const linkTo = (conversion: Conversion, destination: string): Block =>
  paragraph([inline('link', { ref: conversion.reference(destination) }, { nodes: [text(destination)] })])

/** `{% content-ref url="…" %}`, and its older form `{% page-ref page="…" %}`. */
function readContentRef(tag: Tag, conversion: Conversion): Block[] {
  const { url } = readAttributes(tag.attributes, TARGET_ATTRIBUTES['content-ref'])
  const caption = captionOf(tag, conversion)
  return url === undefined ? caption : [block('content-ref', { ref: conversion.reference(url) }), ...caption]
}

function readInclude(tag: Tag, conversion: Conversion): Block[] {
  const path = includedPath(tag)
  if (path === '') return conversion.blocks(tag.children)
  const elsewhere = parseReusableAddress(path)
  const ref =
    elsewhere === undefined
      ? conversion.referenceOf('reusable-content', path, 'include')
      : { kind: 'reusable-content' as const, ...elsewhere }
  if (ref !== undefined) return [block('reusable-content', { ref }), ...conversion.blocks(tag.children)]
  conversion.problem('unresolved', tag, `no reusable content was found for ${path.slice(0, 200)}`)
  return [linkTo(conversion, path), ...conversion.blocks(tag.children)]
}

/** A specification is named by its slug, which is its reference if the caller knows no other. */
const specOf = (conversion: Conversion, spec: string) =>
  conversion.referenceOf('openapi', spec, 'openapi') ?? ({ kind: 'openapi', spec } as const)

/** An endpoint of a description: of a specification by its name, or of a file in the repository or on the web. */
function readOperation(tag: Tag, conversion: Conversion): Block[] {
  const { spec, src } = readAttributes(tag.attributes, TARGET_ATTRIBUTES.description)
  const { path, method } = readAttributes(tag.attributes, ENDPOINT_ATTRIBUTES.endpoint)
  const source = spec ?? src
  if (path === undefined || method === undefined || source === undefined)
    return readEndpointPart(tag, conversion)
  const meta = { id: conversion.anchor(`${method} ${path}`) }
  if (spec !== undefined) {
    const { headless } = readAttributes(tag.attributes, TAG_ATTRIBUTES['openapi-operation'])
    const data = defined({ path, method, ref: specOf(conversion, spec), headless })
    return [block('openapi-operation', data, { meta }), ...captionOf(tag, conversion)]
  }
  const { expanded, fullWidth } = readAttributes(tag.attributes, TAG_ATTRIBUTES.swagger)
  const ref = conversion.referenceOf('file', source, 'file') ?? ({ kind: 'url', url: source } as const)
  return [
    block('swagger', defined({ path, method, ref, expanded, fullWidth }), { meta }),
    ...captionOf(tag, conversion),
  ]
}

function readOpenapiSchemas(tag: Tag, conversion: Conversion): Block[] {
  const { schemas, ...look } = readAttributes(tag.attributes, TAG_ATTRIBUTES['openapi-schemas'])
  const { spec } = readAttributes(tag.attributes, TARGET_ATTRIBUTES.description)
  const caption = captionOf(tag, conversion)
  if (spec === undefined) return [...titled(schemas.join(', ')), ...caption]
  const meta = { id: conversion.anchor(schemas.join(' ')) }
  const data = { schemas, ...look, ref: specOf(conversion, spec) }
  return [block('openapi-schemas', data, { meta }), ...caption]
}

function readOpenapiWebhook(tag: Tag, conversion: Conversion): Block[] {
  const { name, method, ...look } = readAttributes(tag.attributes, TAG_ATTRIBUTES['openapi-webhook'])
  const { spec } = readAttributes(tag.attributes, TARGET_ATTRIBUTES.description)
  const caption = captionOf(tag, conversion)
  if (spec === undefined || name === undefined || method === undefined) return [...titled(name), ...caption]
  const meta = { id: conversion.anchor(`${method} ${name}`) }
  const data = { name, method, ref: specOf(conversion, spec), ...look }
  return [block('openapi-webhook', data, { meta }), ...caption]
}

function endpoint({ attributes }: Tag): Block[] {
  const { method = '', baseUrl = '', path = '' } = readAttributes(attributes, ENDPOINT_ATTRIBUTES.endpoint)
  return titled(`${method.toUpperCase()} ${baseUrl}${path}`.trim())
}

/** GitBook's older notation for endpoints: parameters and answers, each with a title and a text. */
export function readEndpointPart(tag: Tag, conversion: Conversion): Block[] {
  const title = Object.values(readAttributes(tag.attributes, ENDPOINT_ATTRIBUTES.words)).join(' ')
  return [...endpoint(tag), ...titled(title), ...conversion.blocks(tag.children)]
}

/** `{% @integration/block … %}`: the attributes are its properties. */
export function readIntegration(tag: Tag, conversion: Conversion): Block[] {
  const [integration = '', name = ''] = tag.name.slice(1).split('/')
  const props = { ...tag.attributes }
  const data = {
    integration,
    block: name,
    props,
    ...readAttributes(tag.attributes, TAG_ATTRIBUTES.integration),
  }
  return [block('integration', data), ...captionOf(tag, conversion)]
}
