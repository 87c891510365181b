// Types of the API for the workspace's client, in the shape of openapi-typescript, written from docs/openapi.json. They
// are not committed: `npm ci` and `npm run check` write them.
//   node tools/api-types.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DOCUMENT = 'docs/openapi.json'
const TYPES = 'src/web/data/api.d.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}
type Reply = { readonly $ref?: string; readonly content?: Content }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses: Readonly<Record<string, Reply>>
}
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Reply>>
  }
}

/** A module with `paths` and `components`, as openapi-fetch reads them. */
export function renderApiTypes(document: ApiDocument): string {
  const paths = Object.entries(document.paths).map(([path, methods]) =>
    property(
      path,
      object(Object.entries(methods).map(([method, one]) => property(method, operation(document, one)))),
    ),
  )
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    property(name, toType(schema)),
  )
  return [
    '// Written by tools/api-types.ts from docs/openapi.json.',
    `export interface paths ${lines(paths)}`,
    `export interface components { schemas: ${lines(schemas)} }`,
    '',
  ].join('\n')
}

function operation(document: ApiDocument, { parameters = [], requestBody, responses }: Operation): string {
  const { parameters: shared = {}, responses: sharedReplies = {} } = document.components
  const all = parameters.map(one => (one.$ref === undefined ? one : lookUp(shared, one.$ref)))
  const places = ['path', 'query', 'header'].flatMap(place => {
    const those = all.filter(one => one.in === place)
    if (those.length === 0) return []
    const fields = those.map(one => property(one.name, toType(one.schema ?? {}), one.required !== true))
    return property(place, object(fields), !those.some(one => one.required))
  })
  const replies = Object.entries(responses).map(([status, one]) => {
    const reply = one.$ref === undefined ? one : lookUp(sharedReplies, one.$ref)
    // A number, as openapi-fetch reads statuses.
    return `${status}: ${withContent(reply.content)}`
  })
  const body = requestBody === undefined ? undefined : withContent(requestBody.content)
  return object([
    property('parameters', object(places)),
    ...(body === undefined ? [] : [property('requestBody', body, requestBody?.required !== true)]),
    property('responses', object(replies)),
  ])
}

function lookUp<T>(named: Readonly<Record<string, T>>, ref: string): T {
  const one = named[nameOf(ref)]
  if (one === undefined) throw new Error(`${DOCUMENT} has no ${ref}`)
  return one
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function withContent(content: Content = {}): string {
  const types = Object.entries(content).map(([type, { schema }]) => property(type, toType(schema ?? {})))
  return types.length === 0 ? '{ content?: never }' : `{ content: ${object(types)} }`
}

const property = (name: string, type: string, isOptional = false): string =>
  `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}`

const object = (properties: readonly string[]): string => `{ ${properties.join('; ')} }`
const lines = (properties: readonly string[]): string => `{\n${properties.join('\n')}\n}`
const union = (types: readonly string[]): string => [...new Set(types)].map(one => `(${one})`).join(' | ')

function toType(schema: Schema): string {
  if (schema.$ref !== undefined) return `components['schemas'][${JSON.stringify(nameOf(schema.$ref))}]`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(one => JSON.stringify(one)))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return union(alternatives.map(toType))
  if (schema.allOf !== undefined) return schema.allOf.map(one => `(${toType(one)})`).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map(type => toType({ ...schema, type })))
  return ofOneType(schema)
}

function ofOneType(schema: Schema): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${toType(schema.items ?? {})})[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType(schema: Schema): string {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema
  const others = [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  const fields = Object.entries(properties).map(([name, one]) =>
    property(name, toType(one), !required.includes(name)),
  )
  if (others.length === 0)
    return fields.length === 0 && additionalProperties !== false
      ? '{ [name: string]: unknown }'
      : object(fields)
  const map = `{ [name: string]: ${union(others.map(toType))} }`
  return fields.length === 0 ? map : `${object(fields)} & ${map}`
}

export function writeApiTypes(): void {
  writeFileSync(
    ROOT + TYPES,
    renderApiTypes(JSON.parse(readFileSync(ROOT + DOCUMENT, 'utf8')) as ApiDocument),
  )
}

if (import.meta.main) writeApiTypes()
