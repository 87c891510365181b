// OpenAPI documents: read with the documents they refer to, and rendered for storage.

import { createHash } from 'node:crypto'
import { messageOf } from '../base/errors.ts'
import { isSpelledOtherwise, parseWritten } from '../base/written-numbers.ts'
import { parseYaml } from '../engines/markdown/syntax/syntax.ts'
import { markNumber, writeMarked } from '../engines/openapi/marked-numbers.ts'
import {
  type Loaded,
  readSpecification,
  type SpecificationError,
  type Unread,
  type Unusable,
  unusable,
} from '../engines/openapi/specification.ts'
import type { Task } from './task.ts'

type Input = {
  readonly text: string
  /** The address it was fetched from, if any. */
  readonly origin?: string | undefined
  /** The documents it refers to that have been read, by absolute address. */
  readonly documents: ReadonlyMap<string, OtherDocument>
  readonly charactersMax: number
}

export type OtherDocument =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

export type ReadSpecification =
  | {
      readonly isUsable: true
      /** The document in OpenAPI 3.1, as JSON. */
      readonly json: Uint8Array<ArrayBuffer>
      /** SHA-256 of `json`, 64 hex digits. */
      readonly hash: string
      readonly format: 'json' | 'yaml'
      readonly errors: readonly SpecificationError[]
    }
  | Unusable

/** The caller reads what `unread` names, then runs the task again: a thread that waited for it would hold up others. */
export const specification: Task<Input, ReadSpecification | Unread> = async ({
  text,
  origin,
  documents,
  charactersMax,
}) => {
  const parsed = parse(text, charactersMax)
  if (!parsed.ok) return unusable('PARSE_ERROR', parsed.message)
  const load = (url: string): Loaded | undefined => {
    const found = documents.get(url)
    return found?.ok ? parse(found.text, charactersMax) : found
  }
  const read = await readSpecification(parsed.value, origin, load)
  if ('unread' in read || !read.isUsable) return read
  const written = writeJson(read.document)
  if (written === undefined)
    return unusable(
      'TOO_LARGE',
      `In OpenAPI 3.1 the document has more than ${DOCUMENT_CHARACTERS_MAX} characters.`,
    )
  const json = new Uint8Array(Buffer.from(written))
  const hash = createHash('sha256').update(json).digest('hex')
  return { isUsable: true, json, hash, format: parsed.format, errors: read.errors }
}

// Twice what is read: OpenAPI 3 repeats in each operation what Swagger 2 states once.
const DOCUMENT_CHARACTERS_MAX = 80 * 1024 * 1024

/** Undefined if the result is longer than allowed, or than a string can be. */
function writeJson(document: object): string | undefined {
  try {
    const written = writeMarked(document)
    return written.length > DOCUMENT_CHARACTERS_MAX ? undefined : written
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Handwritten YAML may share parts by hundreds of aliases. Their expanded size is checked before it is written. */
const ALIASES_MAX = 5_000

type Parsed = (Loaded & { ok: true; format: 'json' | 'yaml' }) | Extract<Loaded, { ok: false }>

function parse(text: string, charactersMax: number): Parsed {
  // Descriptions are full of brackets that mean nothing, so depth is checked after parsing.
  const bounds = { charactersMax, nestingMax: Number.POSITIVE_INFINITY, aliasesMax: ALIASES_MAX, readNumber }
  const bare = text.replace(/^\ufeff/, '')
  if (bare.trimStart().startsWith('{')) {
    try {
      return { ok: true, format: 'json', text, value: parseWritten(bare, markNumber) }
    } catch (error) {
      // A map in braces may also be YAML; invalid text is reported as JSON.
      const yaml = parseYaml(bare, bounds)
      if (yaml.value === undefined) return { ok: false, message: `It is not JSON: ${messageOf(error)}` }
      return { ok: true, format: 'yaml', text, value: yaml.value }
    }
  }
  const { value, problems } = parseYaml(bare, bounds)
  if (value !== undefined) return { ok: true, format: 'yaml', text, value }
  const [problem] = problems
  const line = problem?.line === undefined ? '' : ` (line ${problem.line})`
  return { ok: false, message: `It is neither JSON nor YAML${line}: ${problem?.message ?? 'it is empty'}` }
}

/** YAML also writes signs and other bases (YAML 1.2 §10.3.2), which JSON does not have. */
function readNumber(source: string, value: number): unknown {
  const written = /^0[xo][\da-fA-F]{1,40}$/.test(source) ? String(BigInt(source)) : source.replace(/^\+/, '')
  return isSpelledOtherwise(written) ? markNumber(written) : value
}
