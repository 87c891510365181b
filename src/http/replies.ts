// Answers of an operation: their status and headers, and the JSON of their value.

import type { TSchema } from 'typebox'
import { isObject } from '../base/objects.ts'
import { fieldsOfSchema, NO_FIELDS, type SchemaFields } from './schema-fields.ts'

/** An answer as it is sent. */
export interface Rendered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export const asJson = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Rendered => ({ status, headers: { ...headers, 'content-type': JSON_TYPE }, body })

/** A value with its status and headers. */
export class Answer<T> {
  readonly status: number
  readonly body: T | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, body: T | undefined, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A JSON document to be kept as a file, written piece by piece as the client reads it. */
export class Download {
  readonly fileName: string
  readonly pieces: AsyncIterable<string>
  /** `fileName`: without quotes and backslashes. */
  constructor(fileName: string, pieces: AsyncIterable<string>) {
    this.fileName = fileName
    this.pieces = pieces
  }
}

/** 201 with the location of the created thing, taken from the body. */
export const created = <T extends { urls: { location: string } }>(body: T): Answer<T> =>
  createdAt(body.urls.location, body)

/** 201 with the location of the created thing, which the body does not contain. */
export const createdAt = <T>(location: string, body: T): Answer<T> => new Answer(201, body, { location })

/**
 * The answer to a DELETE, whether or not there was something to delete. The public interface distinguishes the two
 * (205 and 204); the specification says 204 for both, and so does Octavo.
 */
export const deleted = (): Answer<never> => new Answer<never>(204, undefined)

/** For callers with `context.prefersMinimal`; the operation lists `return=minimal` in `supportedHeaders`. */
export const minimal = (): Answer<never> =>
  new Answer<never>(MINIMAL_STATUS, undefined, { 'preference-applied': 'return=minimal' })
export const MINIMAL_STATUS = 204

/**
 * Writes the fields of a value that the reply schema names: no other field can get out. Answers have the shape that
 * their operation declares; this is not checked here, but tests check every answer.
 *
 * Nothing is compiled: generated code took up to 60 ms at an operation's first answer, and blocked everybody else.
 */
export function replyWriter(schema: TSchema): (value: unknown) => string {
  const known = fieldsOfSchema(schema)
  return value => JSON.stringify(pick(known, value))
}

function pick(known: SchemaFields | undefined, value: unknown): unknown {
  if (known === undefined) return value
  if (Array.isArray(value)) {
    const { items } = known
    return items === undefined ? value : value.map(item => pick(items, item))
  }
  if (!isObject(value)) return value
  if (known.discriminated !== undefined)
    return pick(known.discriminated.words.get(value[known.discriminated.by]) ?? NO_FIELDS, value)
  const { fields, values } = known
  if (fields !== undefined) return pickFields(fields, value)
  return values === undefined
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, pick(values, inside)]))
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
