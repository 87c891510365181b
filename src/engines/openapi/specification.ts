// An OpenAPI or Swagger document as it is kept: one document with everything that it refers to, in OpenAPI 3.1, and
// what is wrong with it.
import { bundleWithDiagnostics } from '@scalar/json-magic/bundle'
import { upgrade } from '@scalar/openapi-upgrader'
import { validate } from '@scalar/openapi-validator'

/** `code` is stable; `message` names the place, as a JSON pointer, where there is one. */
export type SpecificationError = { readonly code: string; readonly message: string }

export type Specification =
  | { readonly isUsable: true; readonly document: object; readonly errors: readonly SpecificationError[] }
  | { readonly isUsable: false; readonly code: string; readonly errors: readonly SpecificationError[] }

export type Loaded =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

const ERRORS_MAX = 100
const MESSAGE_CHARACTERS_MAX = 500
// What the libraries, and most clients, go through call by call.
const DEPTH_MAX = 200

/**
 * @param value the document, parsed; it is changed
 * @param origin the address that it came from, which references are relative to; absent for a text
 * @param load reads another document by its absolute address
 */
export async function readSpecification(
  value: unknown,
  origin: string | undefined,
  load: (url: string) => Promise<Loaded>,
): Promise<Specification> {
  if (!isObject(value)) return unusable('NOT_A_SPECIFICATION', 'The document is no map of names to values.')
  const version = value.openapi ?? value.swagger
  if (typeof version !== 'string' || !/^(?:2\.0|3\.[0-2])(?:\.|$)/.test(version))
    return unusable(
      'UNSUPPORTED_VERSION',
      'The document names no version that is read: "swagger": "2.0", or "openapi": "3.0", "3.1" or "3.2".',
    )
  if (isDeeper(value, DEPTH_MAX))
    return unusable('TOO_DEEP', `The document nests deeper than ${DEPTH_MAX} levels.`)
  const errors: SpecificationError[] = []
  const bundled = hasOutsideReferences(value) ? await withReferences(value, origin, load, errors) : value
  if (isDeeper(bundled, DEPTH_MAX))
    return unusable('TOO_DEEP', `The document and what it refers to nest deeper than ${DEPTH_MAX} levels.`)
  const checked = await validate(structuredClone(bundled))
  for (const { message, path } of checked.errors ?? []) {
    if (errors.length === ERRORS_MAX) break
    errors.push({ code: 'INVALID', message: cut(path ? `${path}: ${message}` : message) })
  }
  return { isUsable: true, document: upgrade(bundled, '3.1') as object, errors }
}

async function withReferences(
  value: Record<string, unknown>,
  origin: string | undefined,
  load: (url: string) => Promise<Loaded>,
  errors: SpecificationError[],
): Promise<Record<string, unknown>> {
  const fail = (url: string, message: string) => {
    if (errors.length < ERRORS_MAX)
      errors.push({ code: 'REFERENCE_FAILED', message: cut(`${url}: ${message}`) })
    return { ok: false } as const
  }
  const { document, diagnostics } = await bundleWithDiagnostics(value, {
    traversal: 'document',
    treeShake: false,
    ...(origin === undefined ? {} : { origin }),
    plugins: [
      {
        type: 'loader',
        validate: () => true,
        exec: async url => {
          if (!/^https?:\/\//i.test(url)) return fail(url, 'only addresses with http or https are followed.')
          const loaded = await load(url)
          if (!loaded.ok) return fail(url, loaded.message)
          if (isDeeper(loaded.value, DEPTH_MAX)) return fail(url, `it nests deeper than ${DEPTH_MAX} levels.`)
          return { ok: true, data: loaded.value, raw: loaded.text }
        },
      },
    ],
  })
  for (const { kind, reference, pointer } of diagnostics)
    if (kind === 'missing-target') fail(reference, `it leads to nothing, from ${pointer}.`)
  return document as Record<string, unknown>
}

const unusable = (code: string, message: string): Specification => ({
  isUsable: false,
  code,
  errors: [{ code, message }],
})

const cut = (text: string): string => text.slice(0, MESSAGE_CHARACTERS_MAX)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Level by level, so that what is as deep as it is long is no danger. */
function isDeeper(value: unknown, levels: number): boolean {
  const seen = new Set<object>()
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null || seen.has(one)) continue
      seen.add(one)
      for (const inner of Object.values(one)) next.push(inner)
    }
    level = next
  }
  return false
}

/** Whether something refers to another document: most do not, and following references is what costs. */
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
