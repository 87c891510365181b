// The attributes of GitBook's tags, by the block that a tag becomes: how each is read into the block's data and written
// back.
import { type Defined, defined } from '../../../base/objects.ts'
import type { Tag } from '../syntax/syntax.ts'
import {
  CODE_OVERFLOWS,
  DATE_FORMATS,
  HINT_STYLES,
  PROMPT_EXPANSIONS,
  VERTICAL_ALIGNMENTS,
} from './allowed-values.ts'
import { parseLength, renderLength } from './lengths.ts'
import type { BlockData, BlockType } from './model.ts'

type Attribute<T> = {
  /** Undefined if the attribute is absent or means nothing in the model. */
  readonly read: (written: string | boolean | undefined) => T | undefined
  /** Undefined leaves the attribute out. */
  readonly write: (value: T) => string | undefined
  /** Its names in the tag, if they differ from the name in the data; the first is written. */
  readonly names?: readonly string[]
}

const filled = (written: string | boolean | undefined): string | undefined =>
  typeof written === 'string' && written !== '' ? written : undefined

const isOn = (written: string | boolean | undefined): boolean => written === true || written === 'true'

/** Written even if empty. */
const required: Attribute<string> = { read: filled, write: value => value }

const optional: Attribute<string> = { read: filled, write: filled }

/** Written only when on. */
const flag: Attribute<boolean> = {
  read: written => isOn(written) || undefined,
  write: value => (value ? 'true' : undefined),
}

/** A flag that is also written when off. */
const answer: Attribute<boolean> = {
  read: written => (written === undefined ? undefined : isOn(written)),
  write: String,
}

const oneOf = <T extends string>(values: readonly T[]): Attribute<T> => ({
  read: written => values.find(value => value === written),
  write: value => value,
})

/** Always present in data. */
const withDefault = <T>(attribute: Attribute<T>, value: T) => ({
  ...attribute,
  read: (written: string | boolean | undefined): T => attribute.read(written) ?? value,
})

const count: Attribute<number> = {
  read: written => {
    const number = Number(filled(written))
    return Number.isSafeInteger(number) && number >= 1 ? number : undefined
  },
  write: String,
}

const length: Attribute<NonNullable<BlockData<'column'>['width']>> = {
  read: written => parseLength(filled(written)),
  write: renderLength,
}

/** Comma-separated names; in data also objects that name their tag. */
const names = {
  read: (written: string | boolean | undefined) => {
    const parts = (filled(written) ?? '').split(',').flatMap(part => part.trim() || [])
    return parts.length === 0 ? undefined : parts
  },
  write: (value: unknown) =>
    filled(
      (Array.isArray(value) ? value : [])
        .map((one: unknown) => (typeof one === 'object' && one !== null && 'tag' in one ? one.tag : one))
        .flatMap(one => (typeof one === 'string' ? one.trim() || [] : []))
        .join(','),
    ),
}

export const TAG_ATTRIBUTES = {
  hint: { style: withDefault(oneOf(HINT_STYLES), 'info'), icon: optional },
  tabs: { fullWidth: flag },
  'tabs-item': { title: optional, icon: optional, slug: optional },
  stepper: {},
  'stepper-step': { icon: optional },
  columns: { fullWidth: flag },
  column: {
    width: length,
    verticalAlignment: { ...oneOf(VERTICAL_ALIGNMENTS), names: ['valign', 'verticalAlignment'] },
  },
  code: {
    title: optional,
    overflow: oneOf(CODE_OVERFLOWS),
    lineNumbers: flag,
    fullWidth: flag,
    expandable: flag,
    collapsedLineCount: count,
  },
  updates: { format: withDefault(oneOf(DATE_FORMATS), 'full') },
  update: { date: withDefault(required, ''), tags: names },
  prompt: {
    description: withDefault(required, ''),
    icon: optional,
    openInAIProviders: names,
    defaultExpanded: oneOf(PROMPT_EXPANSIONS),
  },
  embed: { url: required, fullWidth: flag },
  integration: { url: optional, fullWidth: flag },
  swagger: { path: required, method: required, expanded: answer, fullWidth: flag },
  'openapi-operation': { path: required, method: required, headless: flag },
  'openapi-schemas': {
    schemas: {
      names: ['schemas', 'schema'],
      read: written => names.read(written) ?? [],
      write: (value: readonly string[]) => value.map(name => name.trim()).join(','),
    },
    grouped: answer,
  },
  'openapi-webhook': { name: required, method: required, headless: flag },
} satisfies {
  readonly [T in BlockType]?: {
    readonly [K in keyof BlockData<T>]?: Attribute<NonNullable<BlockData<T>[K]>>
  }
}

export type TaggedType = keyof typeof TAG_ATTRIBUTES
type Table<T extends TaggedType> = (typeof TAG_ATTRIBUTES)[T]
/** The part of a block's data that its tag carries. */
export type TagData<T extends TaggedType> = Defined<{
  [K in keyof Table<T>]: Table<T>[K] extends { read: (written: undefined) => infer Value } ? Value : never
}>

const attributesOf = (type: TaggedType): [string, Attribute<unknown>][] =>
  Object.entries(TAG_ATTRIBUTES[type])

/** The value of an attribute; undefined where it is absent, bare or empty. */
export const wordOf = ({ attributes }: Tag, name: string): string | undefined => filled(attributes[name])

export function readAttributes<T extends TaggedType>(tag: Tag, type: T): TagData<T> {
  const read = attributesOf(type).map(([key, attribute]) => {
    const [first = key, ...others] = attribute.names ?? []
    const name = [first, ...others].find(one => wordOf(tag, one) !== undefined) ?? first
    return [key, attribute.read(tag.attributes[name])]
  })
  // Each attribute is read by the reader that `TagData` takes its type from.
  return defined(Object.fromEntries(read)) as TagData<T>
}

/** In the order in which they are written. */
export function writeAttributes<T extends TaggedType>(
  type: T,
  data: Partial<BlockData<T>> = {},
): Record<string, string | undefined> {
  const written = attributesOf(type).map(([key, { write, names: [name = key] = [] }]) => {
    // The keys of a tag's attributes are those of the data of its block.
    const value: unknown = data[key as keyof BlockData<T>]
    return [name, value === undefined ? undefined : write(value)]
  })
  return Object.fromEntries(written)
}
