// How the links of two revisions differ: the links and places of texts, what is at which path, and what was removed.
// Derived from the diff, so that the cost depends on what changed.
import { inSlices } from '../../base/slices.ts'
import type { PageLink, PageLinks } from '../../compute/page-projection.ts'
import {
  type EntryChange,
  type Hash,
  isChangeOf,
  PLACED_KINDS,
  type PlacedKind,
  splitKey,
} from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { safeHref, safeSource } from '../../engines/markdown/html/values.ts'
import { foldedPlace } from '../../engines/markdown/page/page.ts'
import { storable } from '../../platform/db/text.ts'
import { readPaths } from './live-pages.ts'
import { type Address, readAddress } from './resolve.ts'

export type PathRow = { file: string; kind: 'page' | 'file' | 'reusable-content'; id: string }

/** The places of a page or a reusable content; null if unknown. */
export type AnchorsRow = { readonly id: string; readonly anchors: readonly string[] | null }

/** The former page, file or reusable content of a path. */
export type FormerPath = PathRow & {
  /** JSON of the record, without subpages. */
  readonly record: string
  /** The path of a page in its space; '' for others. */
  readonly path: string
}

export type LinkChanges = {
  /** Pages and reusable contents whose links and places have changed. */
  readonly relinked: readonly string[]
  readonly links: readonly LinkRow[]
  readonly anchors: readonly AnchorsRow[]
  /** Ids that have no path in the repository any more. */
  readonly gonePaths: readonly string[]
  readonly paths: readonly PathRow[]
  readonly gone: readonly FormerPath[]
}

/** A change to a record with a text, which may have links. */
export type TextChange = EntryChange<'page' | 'reusable'>
export const isTextChange = isChangeOf('page', 'reusable')

/** The links of a text depend on its words and on its path. */
export const isRelinked = ({ before, after }: TextChange): boolean =>
  before?.document !== after?.document || before?.file !== after?.file

/** For a page without a text. */
const EMPTY: PageLinks = { links: [], anchors: [] }

/** `linksByDocument` has the documents of all `relinked`; `before` is the revision that the changes start from. */
export async function toLinkChanges(
  store: ObjectReads,
  before: Hash,
  changes: readonly EntryChange[],
  relinked: readonly TextChange[],
  linksByDocument: ReadonlyMap<Hash, PageLinks>,
): Promise<LinkChanges> {
  const links: LinkRow[] = []
  const anchors: AnchorsRow[] = []
  for await (const { key, after } of inSlices(relinked)) {
    const [prefix, id] = splitKey(key)
    if (after === null) continue
    const found = after.document === null ? EMPTY : linksByDocument.get(after.document)
    if (found === undefined) continue
    const kind = PLACED_KINDS[prefix]
    for (const row of linksOf({ id, kind, file: after.file ?? '' }, found.links)) links.push(row)
    anchors.push({ id, anchors: found.anchors })
  }
  const placed = changes.filter(isPlaced).filter(one => one.before?.file !== one.after?.file)
  return {
    relinked: relinked.map(({ key }) => splitKey(key)[1]),
    links,
    anchors,
    ...toPaths(placed),
    gone: await toGonePaths(store, before, placed),
  }
}

/** A change to a record that may have a path in the repository. */
type PlacedChange = EntryChange<PlacedKind>
const isPlaced = isChangeOf('page', 'file', 'reusable')

function toPaths(changes: readonly PlacedChange[]): Pick<LinkChanges, 'gonePaths' | 'paths'> {
  const gonePaths: string[] = []
  const paths: PathRow[] = []
  for (const { key, after } of changes) {
    const [prefix, id] = splitKey(key)
    if (after?.file === undefined) gonePaths.push(id)
    else paths.push({ file: after.file, kind: PLACED_KINDS[prefix], id })
  }
  return { gonePaths, paths }
}

async function toGonePaths(
  store: ObjectReads,
  root: Hash,
  changes: readonly PlacedChange[],
): Promise<FormerPath[]> {
  const left = changes.filter(({ before }) => before?.file !== undefined)
  const pages = left
    .filter(isChangeOf('page'))
    .flatMap(({ key, before }) => (before === null ? [] : [[splitKey(key)[1], before] as const]))
  const pathOf = await readPaths(store, root, new Map(pages))
  const gone: FormerPath[] = []
  for await (const { key, before } of inSlices(left)) {
    const [prefix, id] = splitKey(key)
    const kind = PLACED_KINDS[prefix]
    const record = kind === 'page' ? { ...before, children: [] } : before
    gone.push({
      file: storable(before?.file ?? ''),
      kind,
      id,
      record: JSON.stringify(record),
      path: kind === 'page' ? storable(pathOf(id)) : '',
    })
  }
  return gone
}

export type LinkRow = {
  /** The page or reusable content that has it. */
  readonly from_id: string
  /** Counts from 0 in each of them. */
  readonly ordinal: number
  readonly kind: 'url' | 'path' | 'anchor' | 'openapi'
  readonly relation: 'reference' | 'dependsOn'
  /** How the link uses its target; not everything at a path fits every use. */
  readonly usage: 'link' | 'image' | 'include' | 'openapi'
  /** As written. */
  readonly destination: string
  /** The paths that it can mean. */
  readonly candidates: readonly string[]
  readonly anchor: string | null
  /** The anchor as anchors are compared; null for none, and for one that cannot be missing. */
  readonly place: string | null
}

// A data URL can have megabytes; nobody looks it up.
const DESTINATION_CHARACTERS_MAX = 2048
const ANCHOR_CHARACTERS_MAX = 512
// The largest value that a GIN index of PostgreSQL takes is 2,712 bytes, including overhead.
const CANDIDATE_BYTES_MAX = 2500

const shorten = (text: string, charactersMax: number): string => storable(text.slice(0, charactersMax))
const isIndexable = (path: string): boolean => Buffer.byteLength(path) <= CANDIDATE_BYTES_MAX

/** Where links are written: a page, or a reusable content that pages include. */
export type LinkSource = {
  readonly id: string
  readonly kind: 'page' | 'reusable-content'
  readonly file: string
}

/** In text order. */
export const linksOf = (source: LinkSource, links: readonly PageLink[]): LinkRow[] =>
  links.map((reference, ordinal) => {
    const address = readLink(source.file, reference)
    const anchor = address.kind === 'url' || address.kind === 'openapi' ? undefined : address.anchor
    // A place named in a reusable content may be anywhere on the page that includes it.
    const isChecked = address.kind === 'path' || source.kind === 'page'
    return {
      from_id: source.id,
      ordinal,
      kind: address.kind,
      relation: relationOf(reference),
      usage: usageOf(reference),
      destination: shorten(reference.destination, DESTINATION_CHARACTERS_MAX),
      candidates: address.kind === 'path' ? address.candidates.filter(isIndexable).map(storable) : [],
      anchor: anchor === undefined ? null : shorten(anchor, ANCHOR_CHARACTERS_MAX),
      place: anchor === undefined || !isChecked ? null : toPlace(anchor),
    }
  })

/** A specification is named by its slug, not a path. Links that no reader follows, such as scripts, lead nowhere. */
function readLink(file: string, reference: PageLink): Address | { readonly kind: 'openapi' } {
  if (reference.kind === 'openapi-spec') return { kind: 'openapi' }
  const address = readAddress(file, reference.destination)
  const isFollowed = usageOf(reference) === 'image' ? safeSource : safeHref
  return address.kind === 'url' && isFollowed(address.url) === undefined ? NOWHERE : address
}

const NOWHERE: Address = { kind: 'path', candidates: [] }

/** Anchors too long to be compared are never reported as missing. */
function toPlace(anchor: string): string | null {
  if (anchor.length > ANCHOR_CHARACTERS_MAX) return null
  const place = foldedPlace(anchor)
  return place && storable(place)
}

/** A page cannot be rendered without its includes; everything else it only links to. */
const relationOf = (reference: PageLink): LinkRow['relation'] =>
  reference.kind === 'include' || reference.kind === 'openapi' ? 'dependsOn' : 'reference'

const usageOf = ({ kind }: PageLink): LinkRow['usage'] => {
  switch (kind) {
    case 'image':
    case 'cover':
      return 'image'
    case 'include':
      return 'include'
    case 'openapi':
    case 'openapi-spec':
      return 'openapi'
    default:
      return 'link'
  }
}
