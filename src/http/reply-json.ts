// The JSON of an answer: of a value what the schema of the answer names. A field that it does not name cannot pass.
//
// Nothing is compiled for it: code made for each schema took up to 60 ms when an operation answered for the first time,
// in which nobody else was answered.
import type { TSchema } from 'typebox'
import { fieldsOfSchema, NO_FIELDS, type SchemaFields } from './schema-fields.ts'

/** Answers have the shape that their operation declares: it is not checked here, in tests every answer is. */
export function replyWriter(schema: TSchema): (value: unknown) => string {
  const known = fieldsOfSchema(schema)
  return value => JSON.stringify(pick(known, value))
}

function pick(known: SchemaFields | undefined, value: unknown): unknown {
  if (known === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const { items } = known
    return items === undefined ? value : value.map(item => pick(items, item))
  }
  const object = value as Readonly<Record<string, unknown>>
  if (known.discriminated !== undefined)
    return pick(known.discriminated.words.get(object[known.discriminated.by]) ?? NO_FIELDS, value)
  const { fields, values } = known
  if (fields !== undefined) return pickFields(fields, object)
  return values === undefined
    ? value
    : Object.fromEntries(Object.entries(object).map(([name, inside]) => [name, pick(values, inside)]))
}

function pickFields(
  fields: ReadonlyMap<string, SchemaFields | undefined>,
  object: Readonly<Record<string, unknown>>,
): object {
  const picked: Record<string, unknown> = {}
  for (const [name, known] of fields) {
    const value = object[name]
    if (value !== undefined) picked[name] = pick(known, value)
  }
  return picked
}
