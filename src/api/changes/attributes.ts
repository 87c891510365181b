// Which fields of a record are reported when they differ, and under which name. A new field of a record does not
// compile until it is decided on here, so that none is forgotten.
import { keysOf } from '../../base/objects.ts'
import {
  equalRecords,
  type FileRecord,
  type PageRecord,
  type ReusableRecord,
} from '../../engines/content/records.ts'
import { LAYOUT_DEFAULT, toAddress } from '../content/wire.ts'

/** A field that differs, with its values in the records; undefined where it is absent. */
export type AttributeDifference<Name extends string> = {
  readonly name: Name
  readonly before: unknown
  readonly after: unknown
}

type Fields<Name extends string, Row> = { readonly [Field in Name]: (row: Row) => unknown }

// A move reports `parent` and `children`; the two times only say when something changed, and who put bytes there says nothing about them; `oid` is another name for the
// document or the bytes, which are reported themselves; the mode of a file is only for its repository.
type Unreported =
  | ('parent' | 'children' | 'createdAt' | 'updatedAt' | 'uploadedBy')
  | ('file' | 'oid' | 'isExecutable')
export type PageAttribute = Exclude<keyof PageRecord, Unreported> | 'git'

const git = ({ file }: { readonly file?: string }) => (file === undefined ? undefined : { path: file })

const PAGE: Fields<PageAttribute, PageRecord> = {
  type: page => page.type,
  title: page => page.title,
  linkTitle: page => page.linkTitle,
  description: page => page.description,
  slug: page => (page.type === 'document' || page.type === 'group' ? page.slug : undefined),
  document: page => page.document ?? undefined,
  cover: page => page.cover,
  emoji: page => page.emoji,
  icon: page => page.icon,
  layout: page => (page.type === 'document' ? { ...LAYOUT_DEFAULT, ...page.layout } : page.layout),
  variables: page => page.variables,
  target: page => page.target,
  hidden: page => page.hidden ?? false,
  noIndex: page => page.noIndex ?? false,
  noRobotsIndex: page => page.noRobotsIndex ?? false,
  computed: page => page.computed,
  git,
}

export type FileAttribute = Exclude<keyof FileRecord, 'blob' | Unreported> | 'downloadURL' | 'git'

const FILE: Fields<FileAttribute, FileRecord> = {
  name: file => file.name,
  downloadURL: toAddress,
  size: file => file.size,
  contentType: file => file.contentType,
  dimensions: file => file.dimensions,
  git,
}

export type ReusableAttribute = Exclude<keyof ReusableRecord, Unreported> | 'git'

const REUSABLE: Fields<ReusableAttribute, ReusableRecord> = {
  title: reusable => reusable.title,
  document: reusable => reusable.document,
  git,
}

const differing =
  <Name extends string, Row>(fields: Fields<Name, Row>) =>
  (before: Row, after: Row, hasMetadata: boolean): AttributeDifference<Name>[] =>
    keysOf(fields)
      .filter(name => hasMetadata || name !== 'git')
      .map(name => ({ name, before: fields[name](before), after: fields[name](after) }))
      .filter(field => !equalRecords(field.before, field.after))

export const differingOfPage = differing(PAGE)
export const differingOfFile = differing(FILE)
export const differingOfReusable = differing(REUSABLE)
