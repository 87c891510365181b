// The records of the Merkle map, what one revision of a space consists of, and the nodes of the trie that hold them.

import type { Json } from '../../base/canonical.ts'
import { isObject, ownMember } from '../../base/objects.ts'
import type { PageLayout } from '../../base/page-layout.ts'

/** SHA-256 as 64 lowercase hex digits. */
export type Hash = string

export type PageKey = `page/${string}`
export type FileKey = `file/${string}`
export type ReusableKey = `reusable/${string}`
export type VariableKey = `variable/${string}`
export type GitKey = 'git/summary' | 'git/config'

/** Keys of the map, by kind: the part before the slash. */
export type Keys = {
  tree: 'tree'
  page: PageKey
  file: FileKey
  reusable: ReusableKey
  variable: VariableKey
  git: GitKey
}
export type Kind = keyof Keys
export type Key = Keys[Kind]

/** Kinds of records with a path in the repository, and what references to them are called. */
export const PLACED_KINDS = { page: 'page', file: 'file', reusable: 'reusable-content' } as const
export type PlacedKind = keyof typeof PLACED_KINDS
export type PlacedKey = Keys[PlacedKind]
/** A record with a text. */
export type TextKey = Keys['page' | 'reusable']
export type KindOf<K extends Key> = K extends `${infer N}/${string}` ? N : 'tree'

export type TreeRecord = { readonly children: readonly string[] }

export type PageType = 'document' | 'group' | 'link' | 'computed'

export type Reference =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly file: string; readonly space?: string }
  | { readonly kind: 'page'; readonly page: string; readonly space?: string }
  | { readonly kind: 'anchor'; readonly anchor: string; readonly page?: string; readonly space?: string }
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'collection'; readonly collection: string }
  | { readonly kind: 'space'; readonly space: string }
  | { readonly kind: 'reusable-content'; readonly reusableContent: string; readonly space?: string }
  | { readonly kind: 'openapi'; readonly spec: string }

export type PageCover = {
  readonly ref?: Reference
  readonly refDark?: Reference
  readonly yPos: number
  readonly height?: number
}

/**
 * One page. A `group` has no document; a `link` has a `target` and neither slug nor children; only what differs
 * from the default is present, so that equal pages have equal bytes.
 */
export type PageRecord = {
  readonly type: PageType
  readonly title: string
  /** The title in the navigation, if it differs: `* [Title](page.md "Link title")`. */
  readonly linkTitle?: string
  /** Unique among its siblings; '' for link pages, which have no path. */
  readonly slug: string
  /** The page that lists this one in `children`, or null for `tree`. */
  readonly parent: string | null
  readonly children: readonly string[]
  /** Hash of the Markdown as written, byte for byte; null for a page without a document. */
  readonly document: Hash | null
  /** Path in the repository, relative to the project directory: `guides/setup.md`. */
  readonly file?: string
  /** The git blob id of `document`; a file that has it is not read again. */
  readonly oid?: string
  /** The file has the mode 100755 in the repository; absent for 100644. */
  readonly isExecutable?: true
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  readonly hidden?: boolean
  readonly noIndex?: boolean
  readonly noRobotsIndex?: boolean
  readonly layout?: PageLayout
  readonly cover?: PageCover
  readonly variables?: { readonly [name: string]: string | number | boolean }
  readonly target?: Reference
  readonly computed?: { readonly [name: string]: Json }
  /** ISO 8601 instants; absent until the page was edited. */
  readonly createdAt?: string
  readonly updatedAt?: string
}

export type FileRecord = {
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Pixels; images only. */
  readonly dimensions?: { readonly width: number; readonly height: number }
  /** SHA-256 of the bytes, the name of the blob. */
  readonly blob: Hash
  /** Path in the repository: `.gitbook/assets/a.png`. */
  readonly file: string
  readonly oid?: string
  readonly isExecutable?: true
  /** The id of the person who put these bytes there; absent for those of a repository. */
  readonly uploadedBy?: string
  /** The ISO 8601 instant at which its name, its folder or its bytes last changed; absent as for pages. */
  readonly updatedAt?: string
}

export type ReusableRecord = {
  readonly title: string
  readonly document: Hash
  readonly file: string
  readonly oid?: string
  readonly isExecutable?: true
}

export type VariableRecord = string | number | boolean

/** Records of the map, by the kind of their keys. */
export type Records = {
  tree: TreeRecord
  page: PageRecord
  file: FileRecord
  reusable: ReusableRecord
  variable: VariableRecord
  /** The hash of the text, byte for byte as in the repository. */
  git: Hash
}

/** The type of the record under a key. */
export type RecordOf<K extends Key> = Records[KindOf<K>]
export type AnyRecord = RecordOf<Key>

export type Entry<N extends Kind = Kind> = readonly [key: Keys[N], record: Records[N]]

/** A subtree with few entries, ascending by key, their records inline. */
export type Leaf = { readonly kind: 'leaf'; readonly entries: readonly Entry[] }

/** A subtree with many entries, split by the next five bits of the hash of their keys. */
export type Inner = {
  readonly kind: 'inner'
  /** Entries in the whole subtree, and those of them that are pages. */
  readonly entries: number
  readonly pages: number
  /** Bit s is set when slot s has a child; unsigned 32 bits. */
  readonly bitmap: number
  /** Hashes of the children, ascending by slot. */
  readonly children: readonly Hash[]
}

export type Node = Leaf | Inner

export const TREE_KEY = 'tree'
export const pageKey = (id: string): PageKey => `page/${id}`
export const fileKey = (id: string): FileKey => `file/${id}`
export const reusableKey = (id: string): ReusableKey => `reusable/${id}`
export const variableKey = (name: string): VariableKey => `variable/${name}`

export const isPageKey = (key: Key): key is PageKey => key.startsWith('page/')

/** Splits a key: `page/abc` is `['page', 'abc']`, `tree` is `['tree', '']`. */
export function splitKey<K extends Key>(key: K): [kind: KindOf<K>, name: string] {
  const slash = key.indexOf('/')
  // The compiler does not follow the string operations; KindOf describes the same split.
  const kind = (slash === -1 ? key : key.slice(0, slash)) as KindOf<K>
  return [kind, slash === -1 ? '' : key.slice(slash + 1)]
}

export const isEntryOf = <N extends Kind>(kind: N, entry: Entry): entry is Entry<N> =>
  splitKey(entry[0])[0] === kind

/** One key on which two maps differ; null means no record. */
export type EntryChange<N extends Kind = Kind> = {
  readonly key: Keys[N]
  readonly before: Records[N] | null
  readonly after: Records[N] | null
}

/** Selects changes by the kinds of their keys. */
export const isChangeOf =
  <N extends Kind>(...kinds: readonly N[]) =>
  (change: EntryChange): change is EntryChange<N> =>
    kinds.some(kind => kind === splitKey(change.key)[0])

export const SLUG_CHARACTERS_MAX = 100

/** Whether a page may have this slug: it is one part of a path. */
export const isSlug = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= SLUG_CHARACTERS_MAX && !value.includes('/')

/** Changes to a map: the new record of a key, or null to remove it. */
export type Edits = ReadonlyMap<Key, AnyRecord | null>

/** Whether two records have the same canonical spelling; a member that is undefined counts as absent. */
export function equalRecords(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, i) => equalRecords(item, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  return (
    Object.keys(a).every(name => equalRecords(a[name], ownMember(b, name))) &&
    Object.keys(b).every(name => b[name] === undefined || Object.hasOwn(a, name))
  )
}

/**
 * Whether the page's own words or fields changed. Its place in the tree and its names in addresses and in the
 * repository do not count, so that moving pages makes none of them look newer.
 */
export const isPageEdited = (before: PageRecord, after: PageRecord): boolean =>
  !equalRecords(ownFields(before), ownFields(after))

function ownFields(record: PageRecord): object {
  const {
    slug: _s,
    parent: _p,
    children: _c,
    file: _f,
    oid: _o,
    isExecutable: _x,
    createdAt: _a,
    updatedAt: _u,
    ...own
  } = record
  return own
}
