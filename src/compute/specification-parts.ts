// The parts of a specification that pages may show, made once for each version.
import { deflateRawSync } from 'node:zlib'
import { sha256 } from '../base/canonical.ts'
import { parseWritten } from '../base/written-numbers.ts'
import { type PartName, partsOf } from '../engines/openapi/parts.ts'
import { type SizeOf, specificationOutline } from './specification-outline.ts'
import type { Task } from './task.ts'

/** `key` is the `partKey` of its name; `body` is its JSON, compressed. */
export type StoredPart = { readonly key: string; readonly body: Uint8Array<ArrayBuffer> }

/** The SHA-256 as 64 hex digits, since a path may be too long for an index. */
export const partKey = (name: PartName): string => sha256(JSON.stringify(name))

/** The key of the outline, a `SpecificationOutline` as JSON, stored beside the parts. No part has this key. */
export const OUTLINE_KEY = sha256('["pages"]')

/**
 * All parts, and the outline as the last one.
 *
 * @param json the document in OpenAPI 3.1
 */
export const specificationParts: Task<
  { readonly json: Uint8Array; readonly slug: string },
  readonly StoredPart[]
> = ({ json, slug }) => {
  const document = parseWritten(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'))
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
