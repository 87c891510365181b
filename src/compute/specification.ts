// OpenAPI documents: read, with what they refer to, and written as they are kept.
import { createHash } from 'node:crypto'
import { readYaml } from '../engines/markdown/yaml.ts'
import { type Loaded, readSpecification, type SpecificationError } from '../engines/openapi/specification.ts'
import type { Task } from './task.ts'

type Input = {
  readonly text: string
  /** The address that it came from, where it came from one. */
  readonly origin?: string | undefined
  readonly charactersMax: number
}

export type Question = { readonly url: string }
export type Answer =
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
  | { readonly isUsable: false; readonly errors: readonly SpecificationError[] }

/** Asks for every document that this one refers to, by its absolute address, once each. */
export const specification: Task<Input, ReadSpecification, Question, Answer> = async (
  { text, origin, charactersMax },
  ask,
) => {
  const parsed = parse(text, charactersMax)
  if (!parsed.ok) return unusable('PARSE_ERROR', parsed.message)
  const load = async (url: string): Promise<Loaded> => {
    const answer = await ask({ url })
    return answer.ok ? parse(answer.text, charactersMax) : answer
  }
  const read = await readSpecification(parsed.value, origin, inTurns(load))
  if (!read.isUsable) return read
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

// Twice what is read: OpenAPI 3 says at each operation what Swagger 2 says once.
const DOCUMENT_CHARACTERS_MAX = 80 * 1024 * 1024

/** Undefined where it is longer than may be, or than a text can be. */
function writeJson(document: object): string | undefined {
  try {
    const written = JSON.stringify(document)
    return written.length > DOCUMENT_CHARACTERS_MAX ? undefined : written
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const unusable = (code: string, message: string): ReadSpecification => ({
  isUsable: false,
  errors: [{ code, message }],
})

/** A task asks one question at a time. */
function inTurns(load: (url: string) => Promise<Loaded>): (url: string) => Promise<Loaded> {
  let last: Promise<unknown> = Promise.resolve()
  return url => {
    const mine = last.then(() => load(url))
    last = mine.catch(() => {})
    return mine
  }
}

type Parsed = (Loaded & { ok: true; format: 'json' | 'yaml' }) | Extract<Loaded, { ok: false }>

function parse(text: string, charactersMax: number): Parsed {
  // Descriptions are full of brackets that mean nothing; how deep a document is, is looked at once it is read.
  const bounds = { charactersMax, nestingMax: Number.POSITIVE_INFINITY }
  const bare = text.replace(/^\ufeff/, '')
  if (bare.trimStart().startsWith('{')) {
    try {
      return { ok: true, format: 'json', text, value: JSON.parse(bare) }
    } catch (error) {
      // A map in braces may be YAML all the same; what is none is told of as JSON.
      const yaml = readYaml(bare, bounds)
      if (yaml.value === undefined)
        return { ok: false, message: `It is no JSON: ${(error as Error).message}` }
      return { ok: true, format: 'yaml', text, value: yaml.value }
    }
  }
  const { value, problems } = readYaml(bare, bounds)
  if (value !== undefined) return { ok: true, format: 'yaml', text, value }
  const [problem] = problems
  const line = problem?.line === undefined ? '' : ` (line ${problem.line})`
  return { ok: false, message: `It is neither JSON nor YAML${line}: ${problem?.message ?? 'it is empty'}` }
}
