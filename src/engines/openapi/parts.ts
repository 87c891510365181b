// What of a specification a page may show on its own: an operation, a webhook or a schema, each as a small document with
// what it refers to and nothing else, so that whoever shows one never reads the whole.

/** A place in a specification, as a page names it. Methods are in lower case. */
export type PartName =
  | readonly ['operation', method: string, path: string]
  | readonly ['webhook', method: string, name: string]
  | readonly ['schema', name: string]

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const

/** Characters of JSON. */
const PART_CHARACTERS_MAX = 200_000
/** Of all parts of a specification, and how many they are. */
const PARTS_CHARACTERS_MAX = 200_000_000
const PARTS_MAX = 10_000

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Json)[key] : undefined
const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : [])

/** Every part that the document has, in its order; the last are left out where they are more than is kept. */
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
  for (const [kind, group] of [
    ['operation', 'paths'],
    ['webhook', 'webhooks'],
  ] as const) {
    const items = own(document, group)
    for (const path of keysOf(items))
      for (const method of METHODS)
        if (isObject(own(itemOf(document, own(items, path)), method))) yield [kind, method, path]
  }
  for (const name of keysOf(own(own(document, 'components'), 'schemas'))) yield ['schema', name]
}

/**
 * The part as JSON, or undefined where the document has none or it alone is too long. It is a document in OpenAPI 3.1
 * with one operation, one webhook or one schema, whose name is in `x-schema`; `x-cut` says that it refers to more than a
 * part may hold, and `x-try` that readers may send it. The document is in OpenAPI 3.1.
 */
export function findPart(document: unknown, name: PartName): string | undefined {
  const frame = { openapi: '3.1.1', info: own(document, 'info') ?? {} } as const
  if (name[0] === 'schema') {
    const schema = own(own(own(document, 'components'), 'schemas'), name[1])
    if (schema === undefined) return undefined
    return closed(
      document,
      frame,
      { 'x-schema': name[1] },
      { $ref: `#/components/schemas/${escaped(name[1])}` },
    )
  }
  const [kind, method, path] = name
  const group = kind === 'operation' ? 'paths' : 'webhooks'
  const item = itemOf(document, own(own(document, group), path))
  const operation = own(item, method)
  if (!isObject(item) || !isObject(operation)) return undefined
  const { callbacks: _, ...shown } = operation
  const kept = { [method]: shown, ...(item.parameters === undefined ? {} : { parameters: item.parameters }) }
  const servers = operation.servers ?? item.servers ?? own(document, 'servers')
  const security = own(document, 'security')
  return closed(
    document,
    {
      ...frame,
      ...(servers === undefined ? {} : { servers }),
      ...(security === undefined ? {} : { security }),
      ...(kind === 'operation' && ![document, item, operation].some(isUntried) ? { 'x-try': true } : {}),
    },
    { [group]: Object.fromEntries([[path, kept]]) },
    kept,
  )
}

/** Whether its author wants no reader to send it. */
const isUntried = (value: unknown): boolean => own(value, 'x-hideTryItPanel') === true

/** A path may be a reference to another one. */
function itemOf(document: unknown, item: unknown): unknown {
  const reference = own(item, '$ref')
  return typeof reference === 'string' ? pointTo(document, pathOf(reference)) : item
}

/** The part with all that `from` leads to, nearest first, as far as there is room. */
function closed(document: unknown, frame: Json, part: Json, from: unknown): string | undefined {
  const base = JSON.stringify({ ...frame, ...part })
  if (base.length > PART_CHARACTERS_MAX) return undefined
  let left = PART_CHARACTERS_MAX - base.length
  let isCut = false
  const reached: Record<string, unknown> = {}
  const seen = new Set<string>()
  const waiting = [...referencesIn(from)]
  for (let at = 0; at < waiting.length; at++) {
    const reference = waiting[at] as string
    if (seen.has(reference)) continue
    seen.add(reference)
    const path = pathOf(reference)
    const value = path.length < 2 || path.length > 20 ? undefined : pointTo(document, path)
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
  const schemes = own(own(document, 'components'), 'securitySchemes')
  const withSchemes =
    schemes !== undefined && measured(schemes).length <= left
      ? { securitySchemes: schemes, ...(components as Json) }
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
// Many parts refer to the same.
const known = new WeakMap<object, Measured>()

/** Characters as JSON, and what it refers to. */
function measured(value: unknown): Measured {
  if (typeof value !== 'object' || value === null) return { length: String(value).length, references: [] }
  const found = known.get(value) ?? {
    length: JSON.stringify(value).length,
    references: [...new Set(referencesIn(value))],
  }
  known.set(value, found)
  return found
}

/** References within the document, in the order they stand. */
function* referencesIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.entries(next)
    for (let at = inner.length - 1; at >= 0; at--) {
      const [key, one] = inner[at] as [string, unknown]
      if (key === '$ref' && typeof one === 'string' && one.startsWith('#/')) yield one
      else if (one !== null && one !== undefined) waiting.push(one)
    }
  }
}

/** RFC 6901, in its URI fragment spelling. */
const pathOf = (reference: string): string[] =>
  reference
    .slice(2)
    .split('/')
    .map(step => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const escaped = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')

const pointTo = (root: unknown, path: readonly string[]): unknown => path.reduce<unknown>(own, root)

/** Where something stands below what is placed already, it is there. Lists on the way are maps here: pointers read both. */
function place(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = root
  for (const step of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, step) ? at[step] : undefined
    const next = isObject(inner) ? { ...inner } : {}
    if (inner !== undefined && !isObject(inner)) return
    define(at, step, next)
    at = next
  }
  define(at, path.at(-1) as string, value)
}

/** `__proto__` is a name like others. */
const define = (on: object, name: string, value: unknown): void =>
  void Object.defineProperty(on, name, { value, enumerable: true, writable: true, configurable: true })
