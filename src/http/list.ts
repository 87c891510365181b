// Shapes shared by every resource: lists, timestamps, nullable things.
import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'
import { LIMIT_ITEMS_DEFAULT, LIMIT_ITEMS_MAX } from '../base/list-limits.ts'

export const PageToken = Type.Optional(
  Type.String({ maxLength: 2048, description: 'Where to continue: `next.page` of the previous answer.' }),
)

/** `page` and `limit` of a list, with the list's own filters beside them. */
export const PageOf = <P extends TProperties>(filters: P) =>
  Type.Object({
    page: PageToken,
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMIT_ITEMS_MAX,
        description: `Items in one answer; ${LIMIT_ITEMS_DEFAULT} when absent.`,
      }),
    ),
    ...filters,
  })

export const Paging = PageOf({})
export type Paging = Static<typeof Paging>

/** The list envelope: `next` is absent on the last page; `count` is the length of the whole list. */
export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    count: Type.Integer({ minimum: 0, description: 'Length of the whole list for these filters.' }),
    next: Type.Optional(Type.Object({ page: Type.String() })),
  })

export type List<T> = { items: T[]; count: number; next?: { page: string } }

/** A page of rows as a list of wire objects; `rest` are the arguments of `toItem` before the row. */
export const toList = <Row, Item, Rest extends readonly unknown[]>(
  rows: { items: readonly Row[]; count: number; next?: string | undefined },
  toItem: (...given: [...Rest, Row]) => Item,
  ...rest: Rest
): List<Item> => ({
  items: rows.items.map(row => toItem(...rest, row)),
  count: rows.count,
  ...(rows.next === undefined ? {} : { next: { page: rows.next } }),
})

export const Timestamp = Type.String({ format: 'date-time' })
export const dates = { createdAt: Timestamp, updatedAt: Timestamp }
/** A web address: nothing that a browser would execute. */
export const Url = Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' })
// As browsers read it (URL Standard): slashes and backslashes before the host are skipped, and what is before @ is a
// user and a password.
export const SHOWN_URL_PATTERN = '^https?://[^\\s/?#@\\\\]+(?:[/?#].*)?$'
/** An address that somebody sets and others are shown or sent to: it has no user and no password in it. */
export const ShownUrl = Type.String({ format: 'uri', maxLength: 2048, pattern: SHOWN_URL_PATTERN })
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of a fixed set of strings, as a plain JSON Schema `enum`. */
export const OneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  })

/** A named schema becomes a component of the OpenAPI document, referenced by name. */
export const named = <T extends TSchema>(name: string, schema: T): T => Object.assign(schema, { title: name })

/** A named object schema. */
export const model = <P extends TProperties>(name: string, properties: P, options?: TObjectOptions) =>
  named(name, Type.Object(properties, options))

/** The characters of an id. */
export const ID_PATTERN = '^[^\\x00-\\x1f/]+$'

/** An id as a path parameter. A value that cannot be an id is answered like an unknown id. */
export const Id = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: ID_PATTERN, description })
