// The parts of a specification that a page may show: an operation, a webhook or a schema, each as a small document with
// only what it refers to, so that showing one does not read the whole specification.

import { entriesOf, isObject, ownMember } from '../../base/objects.ts'
import { findPathItem, ITEM_GROUPS, METHODS, pathItems } from './path-items.ts'
import { pathOf, toStep, valueAt } from './pointers.ts'

/** A part of a specification, as a page names it. Methods are in lower case. */
export type PartName =
  | readonly ['operation', method: string, path: string]
  | readonly ['webhook', method: string, name: string]
  | readonly ['schema', name: string]

/** Characters of JSON. */
const PART_CHARACTERS_MAX = 200_000
/** The total length of a specification's parts, and their number. */
const PARTS_CHARACTERS_MAX = 200_000_000
const PARTS_MAX = 10_000

type Json = Readonly<Record<string, unknown>>

/** Every part of the document, in order, as many as the bounds allow. */
export function* partsOf(document: unknown): Generator<readonly [name: PartName, json: string]> {
  let left = PARTS_CHARACTERS_MAX
  let count = 0
  for (const name of namesIn(document)) {
    const json = findPart(document, name)
    if (json === undefined) continue
    left -= json.length
    count += 1
    if (left < 0 || count > PARTS_MAX) return
    yield [name, json]
  }
}

function* namesIn(document: unknown): Generator<PartName> {
  for (const { kind, path, item } of pathItems(document))
    for (const method of METHODS) if (isObject(ownMember(item, method))) yield [kind, method, path]
  for (const [name] of entriesOf(ownMember(ownMember(document, 'components'), 'schemas')))
    yield ['schema', name]
}

/**
 * The part as JSON, or undefined if the document does not have it or it alone is too long. It is a document in OpenAPI
 * 3.1 with one operation, one webhook or one schema, whose name is in `x-schema`; `x-cut` says that it refers to more
 * than a part may hold, and `x-try` that readers may send it. The document is in OpenAPI 3.1.
 */
export function findPart(document: unknown, name: PartName): string | undefined {
  const frame = { openapi: '3.1.1', info: ownMember(document, 'info') ?? {} } as const
  if (name[0] === 'schema') {
    const schema = ownMember(ownMember(ownMember(document, 'components'), 'schemas'), name[1])
    if (schema === undefined) return undefined
    return closed(
      document,
      frame,
      { 'x-schema': name[1] },
      { $ref: `#/components/schemas/${toStep(name[1])}` },
    )
  }
  const [kind, method, path] = name
  const item = findPathItem(document, kind, path)
  const operation = ownMember(item, method)
  if (!isObject(item) || !isObject(operation)) return undefined
  const { callbacks: _, ...shown } = operation
  const kept = { [method]: shown, ...(item.parameters === undefined ? {} : { parameters: item.parameters }) }
  const servers = operation.servers ?? item.servers ?? ownMember(document, 'servers')
  const security = ownMember(document, 'security')
  return closed(
    document,
    {
      ...frame,
      ...(servers === undefined ? {} : { servers }),
      ...(security === undefined ? {} : { security }),
      ...(kind === 'operation' && ![document, item, operation].some(isUntried) ? { 'x-try': true } : {}),
    },
    { [ITEM_GROUPS[kind]]: Object.fromEntries([[path, kept]]) },
    kept,
  )
}

/** Whether its author does not want readers to send it. */
const isUntried = (value: unknown): boolean => ownMember(value, 'x-hideTryItPanel') === true

/** The part with everything that `from` refers to, nearest first, as far as there is room. */
function closed(document: unknown, frame: Json, part: Json, from: unknown): string | undefined {
  const base = JSON.stringify({ ...frame, ...part })
  if (base.length > PART_CHARACTERS_MAX) return undefined
  let left = PART_CHARACTERS_MAX - base.length
  let isCut = false
  const reached: Record<string, unknown> = {}
  const seen = new Set<string>()
  const waiting = [...referencesIn(from)]
  for (const reference of waiting) {
    if (seen.has(reference)) continue
    seen.add(reference)
    const path = pathOf(reference)
    const value = path.length < 2 || path.length > 20 ? undefined : valueAt(document, path)
    if (value === undefined) continue
    const { length, references } = measured(value)
    const size = length + reference.length
    if (size > left) {
      isCut = true
      continue
    }
    left -= size
    place(reached, path, value)
    for (const next of references) if (!seen.has(next)) waiting.push(next)
  }
  const { components = {}, ...elsewhere } = reached
  const schemes = ownMember(ownMember(document, 'components'), 'securitySchemes')
  const withSchemes =
    schemes !== undefined && measured(schemes).length <= left
      ? { securitySchemes: schemes, ...(isObject(components) ? components : {}) }
      : components
  return JSON.stringify({
    ...elsewhere,
    ...frame,
    ...part,
    components: withSchemes,
    ...(isCut ? { 'x-cut': true } : {}),
  })
}

type Measured = { readonly length: number; readonly references: readonly string[] }
// Many parts refer to the same values.
const known = new WeakMap<object, Measured>()

/** The length of a value as JSON, and what it refers to. */
function measured(value: unknown): Measured {
  if (typeof value !== 'object' || value === null) return { length: String(value).length, references: [] }
  const found = known.get(value) ?? {
    length: JSON.stringify(value).length,
    references: [...new Set(referencesIn(value))],
  }
  known.set(value, found)
  return found
}

/** References within the document, in order. */
function* referencesIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner: [string, unknown][] = Object.entries(next)
    for (const [key, one] of inner.reverse()) {
      if (key === '$ref' && typeof one === 'string' && one.startsWith('#/')) yield one
      else if (one !== null && one !== undefined) waiting.push(one)
    }
  }
}

/** Does nothing if a placed value already contains it. Lists on the path become maps: pointers read both. */
function place(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = root
  for (const step of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, step) ? at[step] : undefined
    const next = isObject(inner) ? { ...inner } : {}
    if (inner !== undefined && !isObject(inner)) return
    define(at, step, next)
    at = next
  }
  define(at, path.at(-1) ?? '', value)
}

/** `__proto__` is a name like any other. */
const define = (on: object, name: string, value: unknown): void =>
  void Object.defineProperty(on, name, { value, enumerable: true, writable: true, configurable: true })
