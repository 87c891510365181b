// The kinds of attributes of tags: what a written value means, and how a value is written. The reader's HTML and the
// rich document read every attribute here, so they cannot disagree.
import { parseLength, renderLength } from './lengths.ts'

/** A value as written; a bare key is `true`. */
export type Written = string | boolean

export type Attribute<T> = {
  /** Undefined if the value means nothing. */
  readonly read: (written: Written) => T | undefined
  /** Undefined leaves the attribute out. */
  readonly write: (value: T) => string | undefined
  /** Its names in the tag, if they differ from the name in the data; the first is written. */
  readonly names?: readonly string[]
}

/** An attribute that always has a value. */
export type Constant<T> = Attribute<T> & { readonly absent: T }

const OFF: ReadonlySet<string> = new Set(['false', 'no', 'off', '0'])

/** Whether a flag is on: it is where it is written, unless its value says no. */
export const isOn = (written: Written | undefined): boolean =>
  typeof written === 'string' ? !OFF.has(written.trim().toLowerCase()) : written === true

/** The text of a value; a bare key and one of spaces have none. */
const filled = (written: Written): string | undefined =>
  typeof written === 'string' && written.trim() !== '' ? written : undefined

/** Written even if empty. */
export const required: Attribute<string> = { read: filled, write: value => value }

export const optional: Attribute<string> = {
  read: filled,
  write: value => (value === '' ? undefined : value),
}

/** Without white space around it. */
export const word: Attribute<string> = { ...optional, read: written => filled(written)?.trim() }

/** Written only when on. */
export const flag: Attribute<boolean> = {
  read: written => isOn(written) || undefined,
  write: value => (value ? 'true' : undefined),
}

/** A flag that is also written when off. */
export const answer: Attribute<boolean> = { read: isOn, write: String }

/** In whatever case the value is written. */
export const oneOf = <const T extends string>(values: readonly T[]): Attribute<T> => ({
  read: written => {
    const wanted = filled(written)?.trim().toLowerCase()
    return values.find(value => value.toLowerCase() === wanted)
  },
  write: value => value,
})

export const withDefault = <T>(attribute: Attribute<T>, absent: NoInfer<T>): Constant<T> => ({
  ...attribute,
  absent,
})

export const named = <T>(attribute: Attribute<T>, ...names: readonly string[]): Attribute<T> => ({
  ...attribute,
  names,
})

export const count: Attribute<number> = {
  read: written => {
    const number = Number(filled(written))
    return Number.isSafeInteger(number) && number >= 1 ? number : undefined
  },
  write: String,
}

export const length: Attribute<NonNullable<ReturnType<typeof parseLength>>> = {
  read: written => parseLength(filled(written)),
  write: renderLength,
}

const parts = (written: Written): string[] | undefined => {
  const found = (filled(written) ?? '').split(',').flatMap(part => part.trim() || [])
  return found.length === 0 ? undefined : found
}

/** Comma-separated names. */
export const names: Constant<string[]> = {
  read: parts,
  write: value => value.map(name => name.trim()).join(','),
  absent: [],
}

/** Comma-separated names; in data also objects that name their tag. */
export const tags = {
  read: parts,
  write: (value: unknown) =>
    optional.write(
      (Array.isArray(value) ? value : [])
        .map((one: unknown) => (typeof one === 'object' && one !== null && 'tag' in one ? one.tag : one))
        .flatMap(one => (typeof one === 'string' ? one.trim() || [] : []))
        .join(','),
    ),
}
