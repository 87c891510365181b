// Reads an OpenAPI document into the data that the reference shows. Documents are untrusted: reading one always ends,
// within bounds and without an exception; malformed parts are left out.

import { sha256 } from '../../../base/canonical.ts'
import { entriesOf, type Fields, isObject, listOf, ownMember, textOf } from '../../../base/objects.ts'
import { pathOf, valueAt } from '../../../engines/openapi/pointers.ts'

export interface Parameter {
  readonly name: string
  readonly where: string
  readonly isRequired: boolean
  readonly isDeprecated: boolean
  /** For a list in a query: whether each value repeats the name. */
  readonly isExploded: boolean
  readonly description: string
  readonly schema: unknown
  /** Those with names, else the one without, besides those of the schema. */
  readonly examples: readonly NamedExample[]
}

export interface NamedExample {
  /** Its summary, or its name; empty for the one example of a parameter that has no name. */
  readonly title: string
  readonly value: unknown
}

/** A body of one content type; JSON first if there is a choice. */
export interface Content {
  readonly contentType: string
  readonly schema: unknown
  /** The document's own example, or the first of those with names; absent if there is none. */
  readonly example?: unknown
  /** All of those with names. */
  readonly named?: readonly NamedExample[]
  /** The same body in other content types. */
  readonly others?: readonly Content[]
}

export interface RequestBody extends Partial<Content> {
  readonly isRequired: boolean
  readonly description: string
}

export interface Reply extends Partial<Content> {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly description: string
  readonly headers: readonly { readonly name: string; readonly description: string }[]
}

export interface Operation {
  /** Unique in the document and safe in a path: the operationId, or an id made from method and path. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly isDeprecated: boolean
  readonly signIn: 'required' | 'optional' | 'none'
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly replies: readonly Reply[]
}

export interface Group {
  readonly name: string
  readonly description: string
  readonly operations: readonly Operation[]
}

export interface ApiDocument {
  readonly title: string
  /** `Octavo API`: the title, which says "API" exactly once. */
  readonly name: string
  readonly version: string
  readonly description: string
  /** Without a slash at the end; empty if the document names no server. */
  readonly baseUrl: string
  readonly groups: readonly Group[]
  readonly operations: readonly Operation[]
  readonly schemas: ReadonlyMap<string, unknown>
  /** The replies that operations share, by status. */
  readonly sharedReplies: readonly Reply[]
  /** Follows local references; undefined if the target does not exist. */
  resolve(value: unknown): unknown
  /** Hash of the document's bytes as JSON. */
  readonly hash: string
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']
const OPERATIONS_MAX = 2000
const PARAMETERS_MAX = 100
const REFERENCES_FOLLOWED_MAX = 16
const CONTENT_TYPES_MAX = 20
const EXAMPLES_MAX = 50
const UNTAGGED = 'Other'

/** The last part of a local reference to a component: `#/components/schemas/Space` → `Space`. */
export function modelName(schema: unknown): string | undefined {
  const reference = isObject(schema) ? textOf(schema.$ref) : ''
  return /^#\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(reference)?.[1]
}

export function readDocument(root: unknown): ApiDocument {
  const resolve = resolver(root)
  const info = ownMember(root, 'info')
  const title = textOf(ownMember(info, 'title')) || 'API'
  const operations = readOperations(root, resolve)
  const components = ownMember(root, 'components')
  return {
    title,
    name: /\bAPI\b/i.test(title) ? title : `${title} API`,
    version: textOf(ownMember(info, 'version')),
    description: textOf(ownMember(info, 'description')),
    baseUrl: textOf(ownMember(listOf(ownMember(root, 'servers'))[0], 'url')).replace(/(?<!\/)\/+$/, ''),
    groups: groupByTag(operations, listOf(ownMember(root, 'tags'))),
    operations,
    schemas: new Map(entriesOf(ownMember(components, 'schemas') ?? ownMember(root, 'definitions'))),
    sharedReplies: entriesOf(ownMember(components, 'responses')).map(([name, reply]) =>
      readReply(/\d{3}$/.exec(name)?.[0] ?? name, reply, resolve),
    ),
    resolve,
    hash: sha256(JSON.stringify(root) ?? ''),
  }
}

function resolver(root: unknown): (value: unknown) => unknown {
  return value => {
    let found = value
    for (let hops = 0; hops < REFERENCES_FOLLOWED_MAX; hops++) {
      const reference = ownMember(found, '$ref')
      if (typeof reference !== 'string') return found
      found = reference.startsWith('#/') ? valueAt(root, pathOf(reference)) : undefined
    }
    return undefined
  }
}

type Resolve = (value: unknown) => unknown

function readOperations(root: unknown, resolve: Resolve): Operation[] {
  const operations: Operation[] = []
  const taken = new Set<string>()
  for (const [path, reference] of entriesOf(ownMember(root, 'paths'))) {
    const item = resolve(reference)
    for (const method of METHODS) {
      const operation = resolve(ownMember(item, method))
      if (!isObject(operation) || operations.length >= OPERATIONS_MAX) continue
      const id = unique(idOf(operation, method, path), taken)
      const shared = listOf(ownMember(item, 'parameters'))
      operations.push({
        id,
        method: method.toUpperCase(),
        path,
        ...readOperation(root, operation, shared, resolve),
      })
    }
  }
  return operations
}

const idOf = (operation: Fields, method: string, path: string): string =>
  (textOf(operation.operationId) || `${method}${path}`)
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '') || 'operation'

function unique(id: string, taken: Set<string>): string {
  let free = id
  for (let n = 2; taken.has(free); n++) free = `${id}-${n}`
  taken.add(free)
  return free
}

function readOperation(root: unknown, operation: Fields, shared: readonly unknown[], resolve: Resolve) {
  const parameters = new Map<string, Parameter>()
  for (const value of [...shared, ...listOf(operation.parameters)].slice(0, PARAMETERS_MAX)) {
    const parameter = readParameter(resolve(value), resolve)
    if (parameter !== undefined) parameters.set(`${parameter.where} ${parameter.name}`, parameter)
  }
  return {
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    tag: textOf(listOf(operation.tags)[0]) || UNTAGGED,
    isDeprecated: operation.deprecated === true,
    signIn: readSignIn(operation.security ?? ownMember(root, 'security')),
    parameters: [...parameters.values()],
    body: readBody(resolve(operation.requestBody), resolve),
    replies: entriesOf(operation.responses).map(([status, reply]) => readReply(status, reply, resolve)),
  }
}

/** Alternatives of which one has to hold; an empty one requires nothing. */
function readSignIn(security: unknown): Operation['signIn'] {
  const alternatives = listOf(security)
  if (alternatives.length === 0) return 'none'
  const free = alternatives.filter(one => entriesOf(one).length === 0)
  return free.length === 0 ? 'required' : free.length === alternatives.length ? 'none' : 'optional'
}

function readParameter(value: unknown, resolve: Resolve): Parameter | undefined {
  const name = textOf(ownMember(value, 'name'))
  if (!isObject(value) || name === '') return undefined
  const content = Object.values(isObject(value.content) ? value.content : {})[0]
  const named = readNamed(value.examples ?? ownMember(content, 'examples'), resolve)
  const example = value.example ?? ownMember(content, 'example')
  return {
    name,
    where: textOf(value.in) || 'query',
    isRequired: value.required === true || value.in === 'path',
    isDeprecated: value.deprecated === true,
    isExploded: value.explode !== false && (value.style === undefined || value.style === 'form'),
    description: textOf(value.description),
    // Before OpenAPI 3 a parameter was its own schema.
    schema: value.schema ?? ownMember(content, 'schema') ?? value,
    examples: named.length > 0 || example === undefined ? named : [{ title: '', value: example }],
  }
}

function readBody(value: unknown, resolve: Resolve): RequestBody | undefined {
  if (!isObject(value)) return undefined
  return {
    isRequired: value.required === true,
    description: textOf(value.description),
    ...readContent(value.content, resolve),
  }
}

function readReply(status: string, reference: unknown, resolve: Resolve): Reply {
  const value = resolve(reference)
  const headers = entriesOf(ownMember(value, 'headers')).map(([name, header]) => ({
    name,
    description: textOf(ownMember(resolve(header), 'description')),
  }))
  const schema = ownMember(value, 'schema')
  const content = schema === undefined ? readContent(ownMember(value, 'content'), resolve) : { schema }
  return { status, description: textOf(ownMember(value, 'description')), headers, ...content }
}

function readContent(content: unknown, resolve: Resolve): Content | undefined {
  const entries = entriesOf(content).slice(0, CONTENT_TYPES_MAX)
  const chosen = entries.find(([type]) => /^application\/(?:[\w.+-]+\+)?json\b/.test(type)) ?? entries[0]
  if (chosen === undefined) return undefined
  const others = entries.filter(one => one !== chosen).map(one => readMedia(one, resolve))
  return { ...readMedia(chosen, resolve), ...(others.length === 0 ? {} : { others }) }
}

function readMedia([contentType, media]: readonly [string, unknown], resolve: Resolve): Content {
  const named = readNamed(ownMember(media, 'examples'), resolve)
  const example = ownMember(media, 'example') ?? named[0]?.value
  return {
    contentType,
    schema: ownMember(media, 'schema'),
    ...(example === undefined ? {} : { example }),
    ...(named.length === 0 ? {} : { named }),
  }
}

const readNamed = (examples: unknown, resolve: Resolve): NamedExample[] =>
  entriesOf(examples)
    .slice(0, EXAMPLES_MAX)
    .flatMap(([name, reference]) => {
      const one = resolve(reference)
      const value = ownMember(one, 'value')
      return value === undefined ? [] : [{ title: textOf(ownMember(one, 'summary')) || name, value }]
    })

/** Tags in the order of the document, then those that only operations name. */
function groupByTag(operations: readonly Operation[], tags: readonly unknown[]): Group[] {
  const groups = new Map<string, { description: string; operations: Operation[] }>()
  for (const tag of tags) {
    const name = textOf(ownMember(tag, 'name'))
    if (name !== '') groups.set(name, { description: textOf(ownMember(tag, 'description')), operations: [] })
  }
  for (const operation of operations) {
    const group = groups.get(operation.tag) ?? { description: '', operations: [] }
    group.operations.push(operation)
    groups.set(operation.tag, group)
  }
  return [...groups].map(([name, group]) => ({ name, ...group })).filter(group => group.operations.length > 0)
}
