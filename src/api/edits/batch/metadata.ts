// The metadata of a page: description, icon, cover and so on. A document has it in its frontmatter, as in a repository,
// and its record repeats it; groups and links have it in their record only.
import { isObject } from '../../../base/objects.ts'
import type { PageRecord, PageType, Reference } from '../../../engines/content/records.ts'
import type { setFrontmatter } from '../../../engines/markdown/edit/edit.ts'
import { pageMetadata } from '../../../engines/markdown/page/page.ts'
import { parseFrontmatter } from '../../../engines/markdown/syntax/syntax.ts'
import { toLine } from '../../../engines/names/titles.ts'
import { DESCRIPTION_CHARACTERS_MAX } from '../../content/bounds.ts'
import {
  coverOf,
  type PageFields,
  type ReportProblem,
  readDocumentMetadata,
} from '../../content/document-metadata.ts'
import { readEmoji } from '../../spaces/emoji.ts'
import type { NewDocument } from '../request/fields.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'

// In frontmatter order.
export const METADATA_FIELDS = [
  'emoji',
  'icon',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'description',
  'condition',
  'layout',
  'cover',
  'variables',
] as const satisfies readonly (keyof ChangeOf<'update_page'>)[]
export type MetadataField = (typeof METADATA_FIELDS)[number]
type Metadata = Pick<ChangeOf<'update_page'>, MetadataField>

/** The types of pages that have a field. */
const FIELDS: { readonly [K in MetadataField]: readonly PageType[] } = {
  emoji: ['document', 'group', 'link'],
  icon: ['document', 'group', 'link'],
  hidden: ['document', 'group', 'link'],
  noIndex: ['document', 'group'],
  noRobotsIndex: ['document', 'group'],
  description: ['document'],
  condition: ['document'],
  layout: ['document'],
  cover: ['document'],
  variables: ['document'],
}

/** The frontmatter keys of a field. */
const KEYS: { readonly [K in MetadataField]: readonly string[] } = {
  emoji: ['emoji'],
  icon: ['icon'],
  hidden: ['hidden'],
  noIndex: ['noIndex'],
  noRobotsIndex: ['noRobotsIndex', 'robots'],
  description: ['description'],
  condition: ['if'],
  layout: ['layout'],
  cover: ['cover', 'coverDark'],
  variables: ['vars'],
}

const line = (value: string | undefined, max: number) => toLine(value ?? '', max)

type GivenMetadata = Metadata & { document?: NewDocument | undefined; target?: unknown; slug?: unknown }

/** Refuses a field that pages of this type do not have. */
export function checkMetadata(index: number, type: PageType, given: GivenMetadata): void {
  const wrong = (field: string) =>
    refuse(index, field, `a page of the type ${type} has none. Leave this field out.`)
  for (const name of METADATA_FIELDS)
    if (given[name] !== undefined && !FIELDS[name].includes(type)) throw wrong(name)
  if (type !== 'link' && given.target !== undefined) throw wrong('target')
  if (type === 'link' && given.slug !== undefined) throw wrong('slug')
  if (type !== 'document' && hasText(given.document)) throw wrong('document')
}

export const hasText = (document: NewDocument | undefined): boolean =>
  document?.markdown !== undefined || document?.document !== undefined

export const hasMetadata = (given: Metadata): boolean =>
  METADATA_FIELDS.some(name => given[name] !== undefined)

/** The record of a group or a link with these fields. */
export function ownMetadata(page: PageRecord, given: Metadata): PageRecord {
  const record: Writable<PageRecord> = { ...page }
  if (given.emoji !== undefined)
    put(record, 'emoji', line(given.emoji && readEmoji(given.emoji), MARK_CHARACTERS_MAX))
  if (given.icon !== undefined) put(record, 'icon', line(given.icon, MARK_CHARACTERS_MAX))
  for (const name of ['hidden', 'noIndex', 'noRobotsIndex'] as const)
    if (given[name] !== undefined) put(record, name, given[name] || undefined)
  return record
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function put<K extends keyof PageFields>(
  record: Writable<PageRecord>,
  name: K,
  value: PageRecord[K] | undefined,
): void {
  if (value === undefined) delete record[name]
  else record[name] = value
}

/** The fields that this text does not set itself: a document wins over them. */
export function fieldsNotInFrontmatter(given: Metadata, markdown: string | undefined): MetadataField[] {
  const names = METADATA_FIELDS.filter(name => given[name] !== undefined)
  if (markdown === undefined || names.length === 0) return names
  const { data } = parseFrontmatter(markdown)
  return names.filter(name => KEYS[name].every(key => data[key] === undefined || data[key] === null))
}

export type FrontmatterValues = Parameters<typeof setFrontmatter>[1]
type Values = { [key: string]: FrontmatterValues[string] }

/**
 * The frontmatter values for these fields; undefined removes a key. `addressOf` is how an image is written there,
 * undefined if it has no path.
 */
export function toFrontmatter(
  given: Metadata,
  fields: readonly MetadataField[],
  text: string,
  addressOf: (picture: Picture, field: 'ref' | 'refDark') => string,
): Values {
  const { data } = parseFrontmatter(text)
  const values: Values = {}
  for (const field of fields) {
    switch (field) {
      case 'emoji':
        values.emoji = line(given.emoji && readEmoji(given.emoji), MARK_CHARACTERS_MAX)
        break
      case 'icon':
        values.icon = line(given.icon, MARK_CHARACTERS_MAX)
        break
      case 'description':
        values.description = line(given.description, DESCRIPTION_CHARACTERS_MAX)
        break
      case 'hidden':
      case 'noIndex':
        values[field] = given[field] || undefined
        break
      case 'noRobotsIndex':
        values.noRobotsIndex = given.noRobotsIndex || (saysNoRobots(data) ? false : undefined)
        break
      case 'condition':
        values.if = line(given.condition, CONDITION_CHARACTERS_MAX)
        break
      case 'layout':
        values.layout = given.layout ? layoutIn(data.layout, given.layout) : undefined
        break
      case 'variables':
        values.vars = variablesIn(data.vars, given.variables ?? {})
        break
      case 'cover':
        Object.assign(values, coverIn(given.cover, addressOf))
    }
  }
  return values
}

const MARK_CHARACTERS_MAX = 50
const CONDITION_CHARACTERS_MAX = 1024

type Cover = NonNullable<Metadata['cover']>
export type Picture = NonNullable<Cover['ref']>

function coverIn(
  cover: Metadata['cover'],
  addressOf: (picture: Picture, field: 'ref' | 'refDark') => string,
): Values {
  if (!cover) return { cover: undefined, coverDark: undefined, coverY: undefined, coverHeight: undefined }
  return {
    cover: cover.ref && addressOf(cover.ref, 'ref'),
    coverDark: cover.refDark && addressOf(cover.refDark, 'refDark'),
    coverY: cover.yPos ?? 0,
    coverHeight: cover.height,
  }
}

/** Whether `robots:` excludes the page even without `noRobotsIndex`. */
const saysNoRobots = (data: Readonly<Record<string, unknown>>): boolean =>
  pageMetadata({ robots: data.robots }).metadata.noRobotsIndex === true

/** As GitBook writes it: `title: { visible: false }`. Other values in it stay. */
function layoutIn(written: unknown, layout: NonNullable<Metadata['layout']>): Record<string, unknown> {
  const values: Record<string, unknown> = isObject(written) ? { ...written } : {}
  const { width, coverSize, ...parts } = layout
  if (width !== undefined) values.width = width
  const set = (part: string, key: string, value: unknown) => {
    const before = values[part]
    const kept = isObject(before) ? before : typeof before === 'boolean' ? { visible: before } : {}
    values[part] = { ...kept, [key]: value }
  }
  for (const [part, isVisible] of Object.entries(parts)) {
    if (isVisible !== undefined) set(part, 'visible', isVisible)
  }
  if (coverSize !== undefined) set('cover', 'size', coverSize)
  return values
}

function variablesIn(
  written: unknown,
  variables: NonNullable<Metadata['variables']>,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = isObject(written) ? { ...written } : {}
  for (const [name, value] of Object.entries(variables)) {
    if (value === null) delete values[name]
    else values[name] = value
  }
  return Object.keys(values).length === 0 ? undefined : values
}

/** A record with these fields read from the text; `findFile` resolves a destination to a file. */
export function withFields(
  record: PageRecord,
  text: string,
  names: Iterable<MetadataField>,
  findFile: (destination: string) => string | undefined,
  complain: ReportProblem,
): PageRecord {
  const metadata = readDocumentMetadata(Buffer.from(text), complain)
  const find = (destination: string): Reference | undefined => {
    if (/^https?:\/\//i.test(destination)) return { kind: 'url', url: destination }
    const file = findFile(destination)
    return file === undefined ? undefined : { kind: 'file', file }
  }
  const said = { ...metadata.fields, cover: metadata.cover && coverOf(metadata.cover, find) }
  const read: Writable<PageRecord> = { ...record }
  // A condition is only in the text.
  for (const name of names) if (name !== 'condition') put(read, name, said[name])
  return read
}
