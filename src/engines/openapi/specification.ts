// An OpenAPI or Swagger document as it is stored: one OpenAPI 3.1 document with everything that it refers to, and what
// is wrong with it.

import { bundleWithDiagnostics } from '@scalar/json-magic/bundle'
import { upgrade } from '@scalar/openapi-upgrader'
import { validate } from '@scalar/openapi-validator'
import { messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/objects.ts'
import { withDoubles } from './marked-numbers.ts'

/** `code` is stable; `message` names the place, as a JSON pointer, if there is one. */
export type SpecificationError = { readonly code: string; readonly message: string }

export type Specification =
  | { readonly isUsable: true; readonly document: object; readonly errors: readonly SpecificationError[] }
  | Unusable
export type Unusable = { readonly isUsable: false; readonly errors: readonly SpecificationError[] }

/** The absolute addresses of other documents that have to be read first. */
export type Unread = { readonly unread: readonly string[] }

export type Loaded =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

const ERRORS_MAX = 100
const MESSAGE_CHARACTERS_MAX = 500
// The libraries, and most clients, recurse into each level.
const DEPTH_MAX = 200
// YAML that is written once and aliased in many places is expanded in each of them.
const CHARACTERS_MAX = 40 * 1024 * 1024

/**
 * @param value the document, parsed, with numbers that a double cannot hold as `markNumber` marks them; it is changed
 * @param origin the address that it came from, which references are relative to; absent for a text
 * @param load another document by its absolute address; undefined where that is not read yet
 */
export async function readSpecification(
  value: unknown,
  origin: string | undefined,
  load: (url: string) => Loaded | undefined,
): Promise<Specification | Unread> {
  if (!isObject(value)) return unusable('NOT_A_SPECIFICATION', 'The document is no map of names to values.')
  const version = value.openapi ?? value.swagger
  if (typeof version !== 'string' || !/^(?:2\.0|3\.[0-2])(?:\.|$)/.test(version))
    return unusable(
      'UNSUPPORTED_VERSION',
      'The document names no version that is read: "swagger": "2.0", or "openapi": "3.0", "3.1" or "3.2".',
    )
  const beyond = boundOf(value)
  if (beyond !== undefined) return unusable(beyond.code, `The document ${beyond.message}.`)
  const errors: SpecificationError[] = []
  const unread: string[] = []
  const bundled = hasOutsideReferences(value)
    ? await withReferences(value, origin, load, { errors, unread })
    : value
  if (unread.length > 0) return { unread }
  const together = boundOf(bundled)
  if (together !== undefined)
    return unusable(together.code, `The document, with what it refers to, ${together.message}.`)
  errors.push(...(await check(bundled)).slice(0, ERRORS_MAX - errors.length))
  try {
    // Its type is the union of the versions; it is read member by member.
    return { isUsable: true, document: upgrade(bundled, '3.1') as object, errors }
  } catch (error) {
    const message = `The document cannot be read as what it says it is: ${messageOf(error)}.`
    return { isUsable: false, errors: [...errors, { code: 'NOT_UPGRADED', message: cut(message) }] }
  }
}

/** What is wrong with a document. A document that the library cannot process is wrong too. */
async function check(document: object): Promise<SpecificationError[]> {
  try {
    const { errors = [] } = await validate(withDoubles(document))
    return errors
      .slice(0, ERRORS_MAX)
      .map(({ message, path }) => ({ code: 'INVALID', message: cut(path ? `${path}: ${message}` : message) }))
  } catch (error) {
    return [{ code: 'INVALID', message: cut(`The document cannot be checked: ${messageOf(error)}.`) }]
  }
}

async function withReferences(
  value: Record<string, unknown>,
  origin: string | undefined,
  load: (url: string) => Loaded | undefined,
  { errors, unread }: { readonly errors: SpecificationError[]; readonly unread: string[] },
): Promise<Record<string, unknown>> {
  const fail = (url: string, message: string) => {
    if (errors.length < ERRORS_MAX)
      errors.push({ code: 'REFERENCE_FAILED', message: cut(`${url}: ${message}`) })
    return { ok: false } as const
  }
  const bundling = bundleWithDiagnostics(value, {
    traversal: 'document',
    treeShake: false,
    ...(origin === undefined ? {} : { origin }),
    plugins: [
      {
        type: 'loader',
        validate: () => true,
        exec: async url => {
          if (!/^https?:\/\//i.test(url)) return fail(url, 'only addresses with http or https are followed.')
          const loaded = load(url)
          if (loaded === undefined) {
            unread.push(url)
            return { ok: false }
          }
          if (!loaded.ok) return fail(url, loaded.message)
          const beyond = boundOf(loaded.value)
          if (beyond !== undefined) return fail(url, `it ${beyond.message}.`)
          return { ok: true, data: loaded.value, raw: loaded.text }
        },
      },
    ],
  })
  try {
    const { document, diagnostics } = await bundling
    for (const { kind, reference, pointer } of diagnostics)
      if (kind === 'missing-target') fail(reference, `it leads to nothing, from ${pointer}.`)
    // A root that is not an object was already refused.
    return document as Record<string, unknown>
  } catch (error) {
    fail('References', `one of them cannot be followed, and so none is: ${messageOf(error)}.`)
    return value
  }
}

export const unusable = (code: string, message: string): Unusable => ({
  isUsable: false,
  errors: [{ code, message }],
})

const cut = (text: string): string => text.slice(0, MESSAGE_CHARACTERS_MAX)

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The bound that a document exceeds; `message` says how. */
function boundOf(value: unknown): SpecificationError | undefined {
  if (isDeeper(value, DEPTH_MAX))
    return { code: 'TOO_DEEP', message: `nests deeper than ${DEPTH_MAX} levels` }
  if (isLonger(value, CHARACTERS_MAX))
    return { code: 'TOO_LARGE', message: `is longer than ${CHARACTERS_MAX} characters, written out` }
  return undefined
}

/** Visits a value level by level, so that any depth is safe. A value that contains itself is endlessly deep. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = new Set([value].filter(isContainer))
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > levels) return true
    const next = new Set<object>()
    for (const one of level) for (const inner of Object.values(one)) if (isContainer(inner)) next.add(inner)
    level = next
  }
  return false
}

/** Whether a value takes more characters, not counting escapes and numbers; only for values that `isDeeper` passed. */
function isLonger(value: unknown, characters: number): boolean {
  // A value that is used in many places is measured once, and its length is added for each.
  const known = new Map<object, number>()
  const lengthOf = (one: object): number => {
    let length = known.get(one)
    if (length !== undefined) return length
    length = 0
    const isList = Array.isArray(one)
    for (const [name, inner] of Object.entries(one)) {
      length += 1 + (isList ? 0 : name.length)
      if (typeof inner === 'string') length += inner.length
      else if (isContainer(inner)) length += lengthOf(inner)
    }
    known.set(one, length)
    return length
  }
  return isContainer(value) && lengthOf(value) > characters
}

/** Whether something refers to another document: most do not, and following references is expensive. */
function hasOutsideReferences(value: object): boolean {
  const seen = new Set<object>()
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    for (const [key, inner] of Object.entries(next)) {
      if (key === '$ref' && typeof inner === 'string' && !inner.startsWith('#')) return true
      if (inner !== null && inner !== undefined) waiting.push(inner)
    }
  }
  return false
}
