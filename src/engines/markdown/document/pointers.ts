// GitBook's tags that point at something: what they lead to, and the caption they may hold.
import { parseReusableAddress } from '../page/page.ts'
import { includedPath, type Tag } from '../syntax/syntax.ts'
import type { Conversion, ReadTag } from './conversion.ts'
import { type Block, block, inline, paragraph, text } from './model.ts'
import { titled } from './schema-fitting.ts'
import { readAttributes, wordOf } from './tag-attributes.ts'

/** Tags that point at something; their content is a caption, or a repetition of the destination. */
export const POINTERS: { readonly [name: string]: ReadTag } = {
  embed: readEmbed,
  file: readFile,
  'content-ref': readContentRef,
  'page-ref': readContentRef,
  include: readInclude,
  'openapi-operation': readOpenapiOperation,
  'openapi-schemas': readOpenapiSchemas,
  'openapi-webhook': readOpenapiWebhook,
  openapi: readSwagger,
  swagger: readSwagger,
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
  const { url, ...look } = readAttributes(tag, 'embed')
  const caption = captionOf(tag, conversion)
  return url === undefined ? caption : [block('embed', { url, ...look }), ...caption]
}

function readFile(tag: Tag, conversion: Conversion): Block[] {
  const src = wordOf(tag, 'src')
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
  const url = wordOf(tag, tag.name === 'page-ref' ? 'page' : 'url')
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

function readOpenapiOperation(tag: Tag, conversion: Conversion): Block[] {
  const { path, method, ...look } = readAttributes(tag, 'openapi-operation')
  const spec = wordOf(tag, 'spec')
  const caption = captionOf(tag, conversion)
  if (spec === undefined || path === undefined || method === undefined) return [...endpoint(tag), ...caption]
  const meta = { id: conversion.anchor(`${method} ${path}`) }
  const data = { path, method, ref: specOf(conversion, spec), ...look }
  return [block('openapi-operation', data, { meta }), ...caption]
}

function readOpenapiSchemas(tag: Tag, conversion: Conversion): Block[] {
  const { schemas, ...look } = readAttributes(tag, 'openapi-schemas')
  const spec = wordOf(tag, 'spec')
  const caption = captionOf(tag, conversion)
  if (spec === undefined) return [...titled(schemas.join(', ')), ...caption]
  const meta = { id: conversion.anchor(schemas.join(' ')) }
  const data = { schemas, ...look, ref: specOf(conversion, spec) }
  return [block('openapi-schemas', data, { meta }), ...caption]
}

function readOpenapiWebhook(tag: Tag, conversion: Conversion): Block[] {
  const { name, method, ...look } = readAttributes(tag, 'openapi-webhook')
  const spec = wordOf(tag, 'spec')
  const caption = captionOf(tag, conversion)
  if (spec === undefined || name === undefined || method === undefined) return [...titled(name), ...caption]
  const meta = { id: conversion.anchor(`${method} ${name}`) }
  const data = { name, method, ref: specOf(conversion, spec), ...look }
  return [block('openapi-webhook', data, { meta }), ...caption]
}

/** An endpoint of a specification in the repository or on the web. */
function readSwagger(tag: Tag, conversion: Conversion): Block[] {
  const { path, method, ...look } = readAttributes(tag, 'swagger')
  const src = wordOf(tag, 'src')
  if (src === undefined || path === undefined || method === undefined)
    return readEndpointPart(tag, conversion)
  const ref = conversion.referenceOf('file', src, 'file') ?? ({ kind: 'url', url: src } as const)
  const meta = { id: conversion.anchor(`${method} ${path}`) }
  return [block('swagger', { path, method, ref, ...look }, { meta }), ...captionOf(tag, conversion)]
}

const endpoint = (tag: Tag): Block[] =>
  titled(
    [wordOf(tag, 'method')?.toUpperCase(), `${wordOf(tag, 'baseUrl') ?? ''}${wordOf(tag, 'path') ?? ''}`]
      .join(' ')
      .trim(),
  )

/** GitBook's older notation for endpoints: parameters and answers, each with a title and a text. */
export function readEndpointPart(tag: Tag, conversion: Conversion): Block[] {
  const names = ['name', 'status', 'type', 'summary', 'title', 'description']
  const title = names.flatMap(name => wordOf(tag, name) ?? []).join(' ')
  return [...endpoint(tag), ...titled(title), ...conversion.blocks(tag.children)]
}

/** `{% @integration/block … %}`: the attributes are its properties. */
export function readIntegration(tag: Tag, conversion: Conversion): Block[] {
  const [integration = '', name = ''] = tag.name.slice(1).split('/')
  const props = { ...tag.attributes }
  const data = { integration, block: name, props, ...readAttributes(tag, 'integration') }
  return [block('integration', data), ...captionOf(tag, conversion)]
}
