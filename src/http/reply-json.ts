// The JSON of an answer: of a value what the schema of the answer names. A field that it does not name cannot pass.
//
// Nothing is compiled for it: code made for each schema took up to 60 ms when an operation answered for the first time,
// in which nobody else was answered.
import type { TSchema } from 'typebox'
import { type Known, knownTo, NOTHING } from './known.ts'

/** Answers have the shape that their operation declares: it is not checked here, in tests every answer is. */
export function replyWriter(schema: TSchema): (value: unknown) => string {
  const known = knownTo(schema)
  return value => JSON.stringify(pick(known, value))
}

function pick(known: Known | undefined, value: unknown): unknown {
  if (known === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const { items } = known
    return items === undefined ? value : value.map(item => pick(items, item))
  }
  const object = value as Readonly<Record<string, unknown>>
  if (known.told !== undefined) return pick(known.told.words.get(object[known.told.by]) ?? NOTHING, value)
  const { fields, values } = known
  if (fields !== undefined) return pickFields(fields, object)
  return values === undefined
    ? value
    : Object.fromEntries(Object.entries(object).map(([name, inside]) => [name, pick(values, inside)]))
}

function pickFields(
  fields: ReadonlyMap<string, Known | undefined>,
  object: Readonly<Record<string, unknown>>,
): object {
  const picked: Record<string, unknown> = {}
  for (const [name, known] of fields) {
    const value = object[name]
    if (value !== undefined) picked[name] = pick(known, value)
  }
  return picked
}
