// The pages of an import: which are known, what the documents of the others contain, and the id of each.

import { assert, assertDefined } from '../../../base/assert.ts'
import { folderOf, resolvePath } from '../../../base/paths.ts'
import { percentDecode } from '../../../base/percent-decode.ts'
import { inSlices, pause } from '../../../base/slices.ts'
import type { OutlineNode } from '../../../compute/outline.ts'
import type { Content } from '../../../engines/content/content.ts'
import { encodeDocument } from '../../../engines/content/objects.ts'
import type { PageRecord, Reference } from '../../../engines/content/records.ts'
import type { StoredObject } from '../../../engines/content/store.ts'
import { titleOfName } from '../../../engines/names/titles.ts'
import type { TreeEntry } from '../../../platform/tree-source.ts'
import { PAGE_BYTES_MAX } from '../../content/bounds.ts'
import {
  coverOf,
  type DocumentMetadata,
  type PageFields,
  readDocumentMetadata,
} from '../../content/document-metadata.ts'
import type { Assets } from './assets.ts'
import { DOCUMENTS_COMPARED_MAX } from './bounds.ts'
import {
  type Ids,
  PreviousPages,
  recogniseByFile,
  recogniseByTitle,
  recogniseComputed,
  recogniseGroups,
  recogniseLinks,
  recogniseLinksByTitle,
} from './identity.ts'
import type { Inventory } from './inventory.ts'
import { addressOf } from './listing.ts'
import type { MarkdownBudget } from './markdown-budget.ts'
import { modeOfEntry } from './modes.ts'
import { namePointer } from './pointers.ts'
import type { Problems } from './problems.ts'
import { readFiles } from './reader.ts'
import type { PageContent, PlacedPage } from './records.ts'
import { pairSimilar } from './similarity.ts'
import type { Source } from './source.ts'

export type PagesInput = {
  readonly source: Source
  readonly inventory: Inventory
  readonly nodes: readonly OutlineNode[]
  readonly assets: Assets
  readonly previous: Content
  /** The titles in the SUMMARY.md of the previous revision. */
  readonly titlesBefore: ReadonlyMap<string, string>
  /** Pages that the space has but the previous revision lacks are recognised last. */
  readonly here: Content | undefined
  readonly newId: () => string
  readonly budget: MarkdownBudget
  readonly problems: Problems
  /** Called with the number of pages to read, and `onRead` after each. */
  readonly onDispatch: (count: number) => void
  readonly onRead: () => void
}

export type Pages = { readonly placed: readonly PlacedPage[]; readonly documents: readonly StoredObject[] }

/** Every entry with an id and its own fields. Known documents are neither read nor listed again. */
export async function planPages(input: PagesInput): Promise<Pages> {
  const { nodes, inventory, previous, newId, problems } = input
  const pages = new PreviousPages(inTreeOrder(previous))
  await pause()
  const ids: Ids = new Map()
  recogniseByFile(nodes, ids, pages, file => inventory.byPath.get(file)?.oid)

  await pause()
  const { metadata, documents } = await readPages(input, ids)
  await recogniseBySimilarity(input, ids, pages, metadata, documents)
  await pause()
  recogniseByTitle(nodes, ids, pages)
  recogniseLinksByTitle(nodes, ids, pages, target => addressOf(previous, target) !== undefined)
  const own = new PreviousPages(onlyHere(input))
  recogniseByFile(nodes, ids, own, () => undefined)
  const give = (isMeant: (node: OutlineNode) => boolean) => {
    nodes.forEach((node, at) => {
      if (isMeant(node) && !ids.has(at)) ids.set(at, newId())
    })
  }
  give(({ entry }) => entry.kind === 'page')
  recogniseGroups(nodes, ids, pages)
  recogniseGroups(nodes, ids, own)
  give(({ entry }) => entry.kind === 'group')
  await pause()
  recogniseComputed(nodes, ids, pages)
  recogniseComputed(nodes, ids, own)
  give(({ entry }) => entry.kind === 'computed')
  const targetOf = linkTargets(nodes, ids, input.assets)
  recogniseLinks(nodes, ids, pages, targetOf)
  recogniseLinks(nodes, ids, own, targetOf)
  give(({ entry }) => entry.kind === 'link')

  const placed: PlacedPage[] = []
  for await (const [at, node] of inSlices(nodes.entries())) {
    const id = assertDefined(ids.get(at), 'every node has an id by now')
    const known = { before: previous.pages.get(id), here: input.here?.pages.get(id) }
    placed.push({
      ...{ id, node },
      content: contentOf(input, node, known, metadata.get(at), documents.get(at), targetOf(at)),
    })
  }
  for (const { content } of placed) {
    if (content.type === 'document' && content.document === null && content.file !== undefined)
      if (!inventory.byPath.has(content.file))
        problems.add({
          code: 'page_missing',
          message: 'SUMMARY.md names this file, and it is not there.',
          values: { name: content.file },
          file: content.file,
        })
  }
  return { placed, documents: [...documents.values()] }
}

const onlyHere = ({ here, previous }: PagesInput): Map<string, PageRecord> =>
  here === undefined ? new Map() : new Map([...inTreeOrder(here)].filter(([id]) => !previous.pages.has(id)))

/** Of two pages that are alike the first is recognised first, so they are in tree order and not in hash order. */
function inTreeOrder({ tree, pages }: Content): Map<string, PageRecord> {
  const ordered = new Map<string, PageRecord>()
  const waiting = [...tree.children].reverse()
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const page = pages.get(id)
    if (page === undefined || ordered.has(id)) continue
    ordered.set(id, page)
    waiting.push(...[...page.children].reverse())
  }
  return ordered
}

/** Reads unknown documents: a page keeps its record as long as neither its bytes nor what they depend on changes. */
async function readPages(
  input: PagesInput,
  ids: Ids,
): Promise<{ metadata: Map<number, DocumentMetadata>; documents: Map<number, StoredObject> }> {
  const { source, inventory, nodes, problems } = input
  const nodeByFile = new Map<string, number>()
  let bytes = 0
  nodes.forEach(({ entry }, at) => {
    const file =
      entry.kind === 'page' && entry.file !== undefined ? inventory.byPath.get(entry.file) : undefined
    if (entry.kind !== 'page' || entry.file === undefined || file === undefined) return
    if (file.size > PAGE_BYTES_MAX) {
      problems.add({
        code: 'page_too_large',
        message: `A page holds at most ${PAGE_BYTES_MAX} bytes; this one was left empty.`,
        values: { max: PAGE_BYTES_MAX },
        file: entry.file,
      })
      return
    }
    const before = input.previous.pages.get(ids.get(at) ?? '')
    if (before !== undefined && isStillEmpty(file, before)) return
    if (before !== undefined && isSettled(input, entry.file, entry.title, file.oid, before)) return
    bytes += file.size
    nodeByFile.set(entry.file, at)
  })
  input.budget.spend(bytes)
  input.onDispatch(nodeByFile.size)
  const metadata = new Map<number, DocumentMetadata>()
  const documents = new Map<number, StoredObject>()
  const files = readFiles(source, inventory, [...nodeByFile.keys()], PAGE_BYTES_MAX)
  for await (const { path, bytes } of inSlices(files)) {
    const at = assertDefined(nodeByFile.get(path), 'only these files are read')
    documents.set(at, encodeDocument(bytes))
    namePointer(bytes, path, problems)
    metadata.set(
      at,
      readDocumentMetadata(bytes, problem => problems.add({ ...problem, file: path })),
    )
    input.onRead()
  }
  return { metadata, documents }
}

/**
 * Whether reading the document would yield the same record. The title is the hard part: it comes from the frontmatter,
 * else from SUMMARY.md, and a record does not say from which. That does not matter if SUMMARY.md has the same title as
 * before, or the page's title.
 */
function isSettled(
  { titlesBefore, previous, assets }: PagesInput,
  file: string,
  title: string | undefined,
  oid: string,
  before: PageRecord,
): boolean {
  if (before.oid !== oid || before.document === null || before.file === undefined) return false
  const isTitleSame =
    title === undefined
      ? titlesBefore.get(before.file) === undefined && titleOfName(before.file) === titleOfName(file)
      : title === before.title || title === titlesBefore.get(before.file)
  if (!isTitleSame) return false
  const { cover } = before
  if (cover === undefined) return true
  // A relative path means another file from another folder, and a missing file may exist now.
  const isSame = (reference: Reference | undefined) => {
    if (reference?.kind !== 'file') return true
    const path = previous.files.get(reference.file)?.file
    return path !== undefined && assets.idByPath.get(path) === reference.file
  }
  return before.file === file && cover.ref !== undefined && isSame(cover.ref) && isSame(cover.refDark)
}

/** Pages moved and edited at once. Only new documents are compared with missing ones, up to a bound. */
async function recogniseBySimilarity(
  { source }: PagesInput,
  ids: Ids,
  pages: PreviousPages,
  metadata: ReadonlyMap<number, DocumentMetadata>,
  documents: ReadonlyMap<number, StoredObject>,
): Promise<void> {
  const came = new Map<number, Uint8Array>()
  for (const at of metadata.keys()) {
    const document = documents.get(at)
    if (!ids.has(at) && document !== undefined && came.size < DOCUMENTS_COMPARED_MAX)
      came.set(at, document.body)
  }
  const gone = [...pages.unused('document')].flatMap(id => {
    const document = pages.get(id)?.document ?? null
    return document === null ? [] : [{ id, document }]
  })
  if (came.size === 0 || gone.length === 0) return
  const compared = gone.slice(0, DOCUMENTS_COMPARED_MAX)
  const bodies = await source.readDocuments(compared.map(({ document }) => document))
  const went = new Map<string, Uint8Array>()
  for (const { id, document } of compared) {
    const body = bodies.get(document)
    if (body !== undefined) went.set(id, body)
  }
  for (const [at, id] of await pairSimilar(went, came)) {
    ids.set(at, id)
    pages.claim('document', id)
  }
}

/** Link targets as ids. A link to a file that is not kept keeps the address as written. */
function linkTargets(
  nodes: readonly OutlineNode[],
  ids: Ids,
  assets: Assets,
): (at: number) => Reference | undefined {
  const pageByFile = new Map<string, number>()
  nodes.forEach(({ entry }, at) => {
    if (entry.kind === 'page' && entry.file !== undefined) pageByFile.set(entry.file, at)
  })
  return at => {
    const entry = nodes[at]?.entry
    if (entry?.kind !== 'link') return undefined
    const { target } = entry
    if (target.kind === 'url') return target
    if (target.kind === 'file') {
      const file = assets.idByPath.get(target.file)
      return file === undefined ? { kind: 'url', url: target.file } : { kind: 'file', file }
    }
    const page = ids.get(pageByFile.get(target.file) ?? -1)
    if (page === undefined) return { kind: 'url', url: target.file }
    return target.anchor === undefined
      ? { kind: 'page', page }
      : { kind: 'anchor', anchor: target.anchor, page }
  }
}

/** A page as the previous revision has it, and as the space has it now. */
type Known = { readonly before: PageRecord | undefined; readonly here: PageRecord | undefined }

function contentOf(
  input: PagesInput,
  { entry }: OutlineNode,
  { before, here }: Known,
  metadata: DocumentMetadata | undefined,
  document: StoredObject | undefined,
  target: Reference | undefined,
): PageContent {
  if (entry.kind === 'group') return { type: 'group', title: entry.title }
  if (entry.kind === 'computed') return { type: 'computed', title: entry.title, computed: entry.source }
  const { linkTitle } = entry
  if (entry.kind === 'link') {
    assert(target !== undefined, 'a link has a target')
    return { type: 'link', title: entry.title, linkTitle, target }
  }
  if (before?.type === 'link' && before.target !== undefined)
    return { type: 'link', title: before.title, linkTitle: before.linkTitle, target: before.target }
  const file = entry.file === undefined ? undefined : input.inventory.byPath.get(entry.file)
  const fallback = entry.title ?? titleOfName(entry.file ?? '')
  if (entry.file === undefined || file === undefined || file.size > PAGE_BYTES_MAX)
    return {
      ...{ type: 'document', title: fallback, linkTitle, document: null, file: entry.file, oid: undefined },
      ...modeOfEntry(file),
    }
  const common = {
    ...({ type: 'document', linkTitle, file: entry.file, oid: file.oid } as const),
    ...modeOfEntry(file),
  }
  // An export that was interrupted wrote a file for it, and not down which.
  const page = before ?? (here && { oid: file.oid, ...here })
  if (page !== undefined && isStillEmpty(file, page))
    return { ...common, title: entry.title ?? page.title, document: null, ...fieldsOf(page) }
  if (metadata === undefined || document === undefined) {
    assert(before !== undefined, 'a document that was not read is known')
    return { ...common, title: before.title, document: before.document, ...fieldsOf(before) }
  }
  const cover = metadata.cover && coverOf(metadata.cover, coverFinder(entry.file, input))
  return {
    ...common,
    title: metadata.title ?? entry.title ?? metadata.heading() ?? fallback,
    document: document.hash,
    ...metadata.fields,
    ...(cover === undefined ? {} : { cover }),
  }
}

/**
 * A page without text has an empty file once it was written, and what it says of itself is in its record alone. An
 * empty file that comes for a page whose file was missing or too large is a document like any other.
 */
const isStillEmpty = (file: TreeEntry, { type, document, oid }: PageRecord): boolean =>
  file.size === 0 && type === 'document' && document === null && oid === file.oid

const FIELDS = [
  ...(['emoji', 'icon', 'description', 'hidden', 'noIndex', 'noRobotsIndex'] as const),
  ...(['layout', 'cover', 'variables'] as const),
] satisfies readonly (keyof PageFields)[]

const fieldsOf = (page: PageRecord): PageFields =>
  // Each value belongs to its field; Object.fromEntries loses the types.
  Object.fromEntries(FIELDS.map(name => [name, page[name]])) as PageFields

/** Finds the target of a cover written in this file: an address, or a file of the space. */
const coverFinder =
  (file: string, { assets, problems }: PagesInput) =>
  (written: string): Reference | undefined => {
    if (/^https?:\/\//i.test(written)) return { kind: 'url', url: written }
    const path = resolvePath(folderOf(file), written)
    const id = assets.idByPath.get(path ?? '') ?? assets.idByPath.get(percentDecode(path ?? ''))
    if (id !== undefined) return { kind: 'file', file: id }
    problems.add({
      code: 'cover_missing',
      message: 'The cover of this page leads to no file of the space.',
      values: { name: written.slice(0, 200) },
      file,
    })
    return undefined
  }
