// The parts of a specification that pages may show, made once for each version of it.
import { deflateRawSync } from 'node:zlib'
import { sha256 } from '../base/canonical.ts'
import { type PartName, partsOf } from '../engines/openapi/parts.ts'
import { type SizeOf, specificationOutline } from './specification-outline.ts'
import type { Task } from './task.ts'

/** `key` is what `partKey` says of its name; `body` is its JSON, compressed. */
export type StoredPart = { readonly key: string; readonly body: Uint8Array<ArrayBuffer> }

/** By SHA-256, 64 hex digits: a path may be longer than an index takes. */
export const partKey = (name: PartName): string => sha256(JSON.stringify(name))

/** Of the pages that a space may have for it, `SpecificationOutline` as JSON: beside the parts, and no name of one. */
export const OUTLINE_KEY = sha256('["pages"]')

/**
 * All parts, and the outline as the last.
 *
 * @param json the document in OpenAPI 3.1
 */
export const specificationParts: Task<
  { readonly json: Uint8Array; readonly slug: string },
  readonly StoredPart[]
> = ({ json, slug }) => {
  const document: unknown = JSON.parse(
    Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'),
  )
  const sizes = new Map<string, number>()
  const parts = Array.from(partsOf(document), ([name, part]) => {
    const key = partKey(name)
    sizes.set(key, part.length)
    return { key, body: compressed(part) }
  })
  const sizeOf: SizeOf = name => sizes.get(partKey(name)) ?? 0
  const outline = JSON.stringify(specificationOutline(document, slug, sizeOf))
  return [...parts, { key: OUTLINE_KEY, body: compressed(outline) }]
}

/** 1: half the time of the default, for a tenth more bytes. */
const LEVEL = 1

export const compressed = (json: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(deflateRawSync(Buffer.from(json), { level: LEVEL }))
