// The field names that a schema declares, as a tree for walking a value.
import { discriminatorOf, literalsOf } from './discriminated-union.ts'
import { ID_PATTERN } from './list.ts'

/** The fields of an object or a list. Undefined in place of one: it is not checked. */
export type SchemaFields = {
  readonly fields?: ReadonlyMap<string, SchemaFields | undefined>
  /** The fields that identify a target rather than say what to do with it. */
  readonly addresses: ReadonlySet<string>
  readonly items?: SchemaFields | undefined
  /** For an object whose names are data. */
  readonly values?: SchemaFields | undefined
  /** The alternatives of a discriminated union; `fields` is absent then. */
  readonly discriminated?: {
    readonly by: string
    readonly words: ReadonlyMap<unknown, SchemaFields | undefined>
  }
}

export const NO_FIELDS: SchemaFields = { fields: new Map(), addresses: new Set() }

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
}

// Most schemas occur in many others, so the result is computed once.
const found = new WeakMap<Schema, { readonly known: SchemaFields | undefined }>()

/** The fields that a schema declares. The fields of alternatives without a discriminator are merged. */
export function fieldsOfSchema(schema: Schema): SchemaFields | undefined {
  const before = found.get(schema)
  if (before !== undefined) return before.known
  const known = fieldsOfAny([schema])
  found.set(schema, { known })
  return known
}

/** `schemas`: the alternatives for one value. */
function fieldsOfAny(schemas: readonly Schema[], isTold = false): SchemaFields | undefined {
  const [only, ...others] = schemas
  const by = others.length === 0 && only?.anyOf !== undefined ? discriminatorOf(only.anyOf) : undefined
  if (only?.anyOf !== undefined && by !== undefined) {
    const words = only.anyOf.flatMap(alternative => {
      const known = fieldsOfAny([alternative], true)
      return literalsOf(alternative, by).map(word => [word, known] as const)
    })
    return { addresses: new Set(), discriminated: { by, words: new Map(words) } }
  }
  if (schemas.some(({ anyOf }) => anyOf !== undefined))
    return fieldsOfAny(schemas.flatMap(schema => schema.anyOf ?? [schema]))
  const lists = schemas.flatMap(({ items }) => items ?? [])
  const items = lists.length === 0 ? undefined : fieldsOfAny(lists)
  const fields = schemas.some(isMap) ? undefined : fieldsOf(schemas)
  const maps = schemas.flatMap(({ patternProperties = {} }) => Object.values(patternProperties))
  const values = maps.length === 0 ? undefined : fieldsOfAny(maps)
  if (fields === undefined) return (items ?? values) && { addresses: new Set(), items, values }
  const addresses = isTold ? addressesOf(schemas) : []
  return { fields, addresses: new Set(addresses), items }
}

/** An object whose names are data: every name is known. */
const isMap = ({ patternProperties, additionalProperties = false }: Schema): boolean =>
  patternProperties !== undefined || additionalProperties !== false

function fieldsOf(schemas: readonly Schema[]): Map<string, SchemaFields | undefined> | undefined {
  const objects = schemas.flatMap(({ properties }) => (properties === undefined ? [] : [properties]))
  if (objects.length === 0) return undefined
  const meanings = new Map<string, Schema[]>()
  for (const properties of objects)
    for (const [name, schema] of Object.entries(properties))
      meanings.set(name, [...(meanings.get(name) ?? []), schema])
  return new Map(
    [...meanings].map(([name, meant]) => {
      const [only, ...others] = meant
      return [name, only !== undefined && others.length === 0 ? fieldsOfSchema(only) : fieldsOfAny(meant)]
    }),
  )
}

const addressesOf = (schemas: readonly Schema[]): string[] =>
  schemas
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .filter(([, schema]) => schema.const !== undefined || schema.pattern === ID_PATTERN)
    .map(([name]) => name)
