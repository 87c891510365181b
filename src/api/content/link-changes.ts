// How the links of two revisions differ: texts of pages and reusable contents, contents of paths, which places
// pages have, and what went away. Worked out from the diff, so that it costs what changed.
import { inSlices } from '../../base/slices.ts'
import type { PageLinks } from '../../compute/page-projection.ts'
import { type EntryChange, type Hash, isChangeOf, splitKey } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { storable } from '../../platform/db/text.ts'
import { type LinkRow, linksOf } from './links.ts'
import { readPaths } from './page-paths.ts'

export type PathRow = { file: string; kind: 'page' | 'file' | 'reusable-content'; id: string }

/** The places of a page or a reusable content; null where they are not known. */
export type AnchorsRow = { readonly id: string; readonly anchors: readonly string[] | null }

/** The former page, file or reusable content of a path. */
export type GonePath = PathRow & {
  /** JSON of the record, without subpages. */
  readonly record: string
  /** Of a page, in its space; '' for others. */
  readonly path: string
}

export type LinkChanges = {
  /** Pages and reusable contents whose links and places are not what they were. */
  readonly relinked: readonly string[]
  readonly links: readonly LinkRow[]
  readonly anchors: readonly AnchorsRow[]
  /** Ids that have no path in the repository any more. */
  readonly gonePaths: readonly string[]
  readonly paths: readonly PathRow[]
  readonly gone: readonly GonePath[]
}

/** A change to a record with a text, which may have links. */
export type TextChange = EntryChange<'page' | 'reusable'>
export const isTextChange = isChangeOf('page', 'reusable')

/** The links of a text depend on its words and on its path. */
export const isRelinked = ({ before, after }: TextChange): boolean =>
  before?.document !== after?.document || before?.file !== after?.file

const KINDS = { page: 'page', file: 'file', reusable: 'reusable-content' } as const

/** Of a page without a text. */
const EMPTY: PageLinks = { links: [], anchors: [] }

/** `facts` are of the documents of all `relinked`; `before` is the revision that the changes start from. */
export async function toLinkChanges(
  store: ObjectReads,
  before: Hash,
  changes: readonly EntryChange[],
  relinked: readonly TextChange[],
  facts: ReadonlyMap<Hash, PageLinks>,
): Promise<LinkChanges> {
  const links: LinkRow[] = []
  const anchors: AnchorsRow[] = []
  for await (const { key, after } of inSlices(relinked)) {
    const [prefix, id] = splitKey(key)
    if (after === null) continue
    const found = after.document === null ? EMPTY : facts.get(after.document)
    if (found === undefined) continue
    const kind = KINDS[prefix]
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
type PlacedChange = EntryChange<keyof typeof KINDS>
const isPlaced = isChangeOf('page', 'file', 'reusable')

function toPaths(changes: readonly PlacedChange[]): Pick<LinkChanges, 'gonePaths' | 'paths'> {
  const gonePaths: string[] = []
  const paths: PathRow[] = []
  for (const { key, after } of changes) {
    const [prefix, id] = splitKey(key)
    if (after?.file === undefined) gonePaths.push(id)
    else paths.push({ file: after.file, kind: KINDS[prefix], id })
  }
  return { gonePaths, paths }
}

async function toGonePaths(
  store: ObjectReads,
  root: Hash,
  changes: readonly PlacedChange[],
): Promise<GonePath[]> {
  const left = changes.filter(({ before }) => before?.file !== undefined)
  const pages = left
    .filter(isChangeOf('page'))
    .flatMap(({ key, before }) => (before === null ? [] : [[splitKey(key)[1], before] as const]))
  const pathOf = await readPaths(store, root, new Map(pages))
  const gone: GonePath[] = []
  for await (const { key, before } of inSlices(left)) {
    const [prefix, id] = splitKey(key)
    const kind = KINDS[prefix]
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
