// What written attributes mean, and how their values are written: every output of a page reads them here.
import { type Defined, ownMember } from '../../../base/objects.ts'
import type { Attribute, Kind } from './kinds.ts'
import { type Length, parseLength, renderLength } from './lengths.ts'

/** A value as written; a bare key is `true`. */
export type Written = string | boolean

type AttributeTable = { readonly [name: string]: Attribute }

type Values = {
  required: string
  optional: string
  word: string
  flag: boolean
  answer: boolean
  count: number
  length: NonNullable<ReturnType<typeof parseLength>>
  names: string[]
  tags: string[]
  address: string
  reference: string
}
type ValueOf<A> = A extends { kind: 'choice'; values: readonly (infer V)[] }
  ? V
  : A extends { kind: infer K extends keyof Values }
    ? Values[K]
    : never

export type AttributesOf<Table extends AttributeTable> = Defined<{
  -readonly [K in keyof Table]: Table[K] extends { absent: unknown }
    ? ValueOf<Table[K]>
    : ValueOf<Table[K]> | undefined
}>

const OFF: ReadonlySet<string> = new Set(['false', 'no', 'off', '0'])

/** Whether a flag is on: it is where it is written, unless its value says no. */
export const isOn = (written: Written | undefined): boolean =>
  typeof written === 'string' ? !OFF.has(written.trim().toLowerCase()) : written === true

/** The text of a value; a bare key and one of spaces have none. */
const filled = (written: Written): string | undefined =>
  typeof written === 'string' && written.trim() !== '' ? written : undefined

const trimmed = (written: Written): string | undefined => filled(written)?.trim()

const split = (written: Written): string[] | undefined => {
  const found = (filled(written) ?? '').split(',').flatMap(part => part.trim() || [])
  return found.length === 0 ? undefined : found
}

/** Undefined if the value means nothing. */
const READ: { readonly [K in Kind]: (written: Written, attribute: Attribute) => unknown } = {
  required: filled,
  optional: filled,
  word: trimmed,
  address: trimmed,
  reference: trimmed,
  flag: written => isOn(written) || undefined,
  answer: isOn,
  count: written => {
    const number = Number(filled(written))
    return Number.isSafeInteger(number) && number >= 1 ? number : undefined
  },
  length: written => parseLength(filled(written)),
  names: split,
  tags: split,
  choice: (written, attribute) => {
    const wanted = trimmed(written)?.toLowerCase()
    return attribute.kind === 'choice'
      ? attribute.values.find(value => value.toLowerCase() === wanted)
      : undefined
  },
}

const unlessEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const asWritten = (value: unknown): string => String(value)

/** Undefined leaves the attribute out. */
const WRITE: { readonly [K in Kind]: (value: unknown) => string | undefined } = {
  required: asWritten,
  optional: unlessEmpty,
  word: unlessEmpty,
  address: unlessEmpty,
  reference: unlessEmpty,
  flag: value => (value === true ? 'true' : undefined),
  answer: asWritten,
  count: asWritten,
  length: value => renderLength(value as Length),
  names: value => namesIn(value).join(','),
  tags: value =>
    unlessEmpty(
      namesIn(value)
        .flatMap(name => name || [])
        .join(','),
    ),
  choice: asWritten,
}

/** Names, or objects that name their tag. */
const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .map((one: unknown) => (typeof one === 'object' && one !== null && 'tag' in one ? one.tag : one))
    .flatMap(one => (typeof one === 'string' ? one.trim() : []))

/**
 * Names are compared without case and hyphens: `lineNumbers`, `linenumbers` and `line-numbers` are one. If an attribute
 * is written several times, the first that means something counts.
 */
export function readAttributes<Table extends AttributeTable>(
  attributes: Readonly<Record<string, Written>>,
  table: Table,
): AttributesOf<Table> {
  const written: (readonly [plain: string, value: Written])[] = []
  for (const name of Object.keys(attributes)) written.push([plainName(name), attributes[name] ?? ''])
  const read: { [key: string]: unknown } = {}
  for (const named of namedIn(table)) {
    const value = written.length === 0 ? named.attribute.absent : meantBy(written, named)
    if (value !== undefined) read[named.key] = value
  }
  // Each attribute is read by the function of its kind, which `AttributesOf` takes its type from.
  return read as AttributesOf<Table>
}

/** An attribute with its names in the form in which names are compared. */
type Named = { readonly key: string; readonly plain: readonly string[]; readonly attribute: Attribute }

/** Tables are constants, whose names are brought into that form once. */
const tables = new WeakMap<AttributeTable, readonly Named[]>()

function namedIn(table: AttributeTable): readonly Named[] {
  let named = tables.get(table)
  if (named === undefined) {
    named = Object.entries(table).map(([key, attribute]) => ({
      ...{ key, plain: (attribute.names ?? [key]).map(plainName), attribute },
    }))
    tables.set(table, named)
  }
  return named
}

function meantBy(
  written: readonly (readonly [plain: string, value: Written])[],
  { plain, attribute }: Named,
): unknown {
  for (const name of plain)
    for (const [other, value] of written) {
      const meant = other === name ? READ[attribute.kind](value, attribute) : undefined
      if (meant !== undefined) return meant
    }
  return attribute.absent
}

/** A written attribute that means nothing: there is none of that name, or its value is none of its kind. */
export type MeaninglessAttribute = {
  readonly name: string
  readonly value: Written
  readonly attribute: Attribute | undefined
}

/** In the order in which they are written. An empty value counts as absent. */
export function meaninglessAttributes(
  attributes: Readonly<Record<string, Written>>,
  table: AttributeTable,
): MeaninglessAttribute[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const attribute = namedIn(table).find(({ plain }) => plain.includes(plainName(name)))?.attribute
    const isMeant =
      attribute !== undefined &&
      (!BOUNDED.has(attribute.kind) ||
        filled(value) === undefined ||
        READ[attribute.kind](value, attribute) !== undefined)
    return isMeant ? [] : [{ name, value, attribute }]
  })
}

/** The kinds that some texts are no value of. */
const BOUNDED: ReadonlySet<Kind> = new Set(['count', 'length', 'choice'])

/** A name in the form in which names are compared. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('-', '')

/** In the order in which they are written. */
export function writeAttributes(
  table: AttributeTable,
  data: object = {},
): Record<string, string | undefined> {
  const written = Object.entries(table).map(([key, { kind, names: [name = key] = [] }]) => [
    name,
    ownMember(data, key) === undefined ? undefined : WRITE[kind](ownMember(data, key)),
  ])
  return Object.fromEntries(written)
}
