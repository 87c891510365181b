// The values that the nodes of a rich document carry: references, lengths, colours, marks, and the data of tables.
// Members marked "later" were added after version 0.146.0 of the public document schema.
import { type TObject, type TProperties, Type } from 'typebox'
import { COLORS, IMAGE_FITS, VERTICAL_ALIGNMENTS } from '../schema/schema.ts'

const optional = Type.Optional
/** Data objects are open: a client that is newer than these rules keeps its extra members. */
export const data = <T extends TProperties>(properties: T): TObject<T> => Type.Object(properties)

const space = { space: optional(Type.String()) }

/** The kinds of reference a document may hold, by `kind`. */
export const REFERENCES = {
  url: data({ kind: Type.Literal('url'), url: Type.String() }),
  file: data({ kind: Type.Literal('file'), file: Type.String(), ...space }),
  page: data({ kind: Type.Literal('page'), page: Type.String(), ...space }),
  anchor: data({
    kind: Type.Literal('anchor'),
    anchor: Type.String(),
    page: optional(Type.String()),
    ...space,
  }),
  user: data({ kind: Type.Literal('user'), user: Type.String() }),
  collection: data({ kind: Type.Literal('collection'), collection: Type.String() }),
  space: data({ kind: Type.Literal('space'), space: Type.String() }),
  'reusable-content': data({
    kind: Type.Literal('reusable-content'),
    reusableContent: Type.String(),
    ...space,
  }),
  openapi: data({ kind: Type.Literal('openapi'), spec: Type.String() }),
  tag: data({ kind: Type.Literal('tag'), tag: Type.String(), ...space }), // later
}

type AnyReference = { [K in keyof typeof REFERENCES]: Type.Static<(typeof REFERENCES)[K]> }
export const anyRef = Type.Unsafe<AnyReference[keyof AnyReference]>(Type.Union(Object.values(REFERENCES)))
export const mediaRef = Type.Union([REFERENCES.url, REFERENCES.file])

/** A link target as documents spell it; `url` with the destination as written when nothing was found. */
export type Reference = Type.Static<typeof anyRef>
export type MediaReference = Type.Static<typeof mediaRef>

export const length = Type.Union([Type.Number(), data({ unit: Type.String(), value: Type.Number() })])
export const align = Type.Enum(['start', 'center', 'end'])

export const color = Type.Enum(COLORS)

export const MARKS = {
  bold: undefined,
  italic: undefined,
  code: undefined,
  keyboard: undefined,
  strikethrough: undefined,
  superscript: undefined,
  subscript: undefined,
  color: data({ text: color, background: color }),
}

// Tables.

const base = { id: Type.String(), title: Type.String() }
const column = <const T extends string, P extends TProperties>(type: T, extras: P) =>
  data({ ...base, type: Type.Literal(type), ...extras })

export const TABLE_COLUMNS = {
  text: column('text', {
    textAlignment: Type.Enum(['center', 'right', 'left']),
    verticalAlignment: Type.Enum(VERTICAL_ALIGNMENTS),
  }),
  number: column('number', {}),
  checkbox: column('checkbox', {}),
  files: column('files', {}),
  'content-ref': column('content-ref', {}),
  image: column('image', {}),
  users: column('users', { multiple: Type.Boolean() }),
  rating: column('rating', { max: Type.Number() }),
  select: column('select', {
    multiple: Type.Boolean(),
    options: Type.Array(data({ value: Type.String(), label: Type.String(), color: Type.String() })),
  }),
}

type AnyColumn = { [K in keyof typeof TABLE_COLUMNS]: Type.Static<(typeof TABLE_COLUMNS)[K]> }
const anyColumn = Type.Unsafe<AnyColumn[keyof AnyColumn]>(Type.Union(Object.values(TABLE_COLUMNS)))

const tableValue = Type.Union([
  Type.Number(),
  Type.String(),
  Type.Null(),
  Type.Boolean(),
  Type.Array(Type.String()),
  anyRef,
  data({
    ref: mediaRef,
    objectFit: optional(Type.Enum(IMAGE_FITS)),
    alt: optional(Type.String()),
  }),
])

const tableView = Type.Union([
  data({
    type: Type.Literal('grid'),
    columns: Type.Array(Type.String()),
    columnWidths: optional(Type.Record(Type.String(), Type.Number())),
    hideHeader: Type.Boolean(),
    useNewSizing: optional(Type.Boolean()),
    stickyHeader: optional(Type.Boolean()), // later
    stickyFirstColumn: optional(Type.Boolean()), // later
  }),
  data({
    type: Type.Literal('cards'),
    cardSize: Type.Enum(['medium', 'large']),
    columns: Type.Array(Type.String()),
    targetDefinition: optional(Type.String()),
    coverDefinition: optional(Type.String()),
    coverDefinitionDark: optional(Type.String()),
    hideColumnTitle: optional(Type.Boolean()),
    wrap: optional(Type.Boolean()), // later
  }),
])

export const tableData = data({
  view: tableView,
  records: Type.Record(
    Type.String(),
    data({ orderIndex: Type.String(), values: Type.Record(Type.String(), tableValue) }),
  ),
  definition: Type.Record(Type.String(), anyColumn),
  fullWidth: optional(Type.Boolean()),
  search: optional(Type.Boolean()), // later
})
