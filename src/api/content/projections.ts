// The live rows of a space: what search, links and lists read about its head. They are updated from the diff of two
// revisions in the transaction that moves the head, so they never lag behind it and cost only what changed.
import { type RawBuilder, sql } from 'kysely'
import { inSlices, pause } from '../../base/slices.ts'
import type { PageLinks, PageProjection } from '../../compute/page-projection.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { ObjectReads, StoredObject } from '../../engines/content/store.ts'
import { diffEntries } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import { writeTogether } from '../../platform/db/batches.ts'
import type { Trx } from '../../platform/db/database.ts'
import {
  type DocumentRows,
  type DocumentSink,
  documentWrites,
  type KnownDocuments,
  nothingKnown,
} from './document-rows.ts'
import { isRelinked, isTextChange, type LinkChanges, type TextChange, toLinkChanges } from './link-changes.ts'
import { gonePagesOf, isPageChange, type PageRow, pageWrites, toPageRows } from './live-pages.ts'
import { type LinksOf, type NamedReferences, toNamedReferences } from './named-references.ts'
import { requireUnshared } from './own-rows.ts'
import { editedPagesOf, pageRevisionWrites } from './page-revisions.ts'
import { type Publisher, referenceWrites } from './published-references.ts'
import { linkWrites, writeGonePaths, writeLinkChanges } from './written-links.ts'

/** All changes to the live rows, computed before the transaction. */
export type Projection = {
  readonly gonePages: readonly string[]
  readonly pages: readonly PageRow[]
  /** Those that somebody changed; `pages` also has those whose path changed. */
  readonly editedPages: readonly string[]
  readonly links: LinkChanges
  readonly references: NamedReferences
}

type ComputeServices = Pick<Services, 'compute'>

/** The link part of a projection, for content without live rows. */
export async function prepareLinks(
  services: ComputeServices,
  store: ObjectReads,
  spaceId: string,
  before: Hash,
  after: Hash,
  known: KnownDocuments = nothingKnown,
): Promise<LinkChanges> {
  const changes = await diffEntries(store, before, after)
  const relinked = changes.filter(isTextChange).filter(isRelinked)
  const found = new Map<Hash, PageLinks>()
  for (const [hash, { links }] of await known(documentsOf(relinked))) found.set(hash, links)
  await readDocuments(
    store,
    documentsOf(relinked).filter(hash => !found.has(hash)),
    async (hash, text) => void found.set(hash, await linksOfText(services.compute, spaceId, text)),
  )
  return toLinkChanges(store, before, changes, relinked, found)
}

/**
 * Compares two revisions; reads only what differs and the ancestors and descendants of pages whose path changed.
 * `known` documents are not read: their rows exist already. `read` receives the others.
 */
export async function prepareProjection(
  services: ComputeServices,
  store: ObjectReads,
  spaceId: string,
  before: Hash,
  after: Hash,
  known: KnownDocuments,
  read: DocumentSink,
): Promise<Projection> {
  const changes = await diffEntries(store, before, after)
  await pause()
  const pages = changes.filter(isPageChange)
  const rows = await toPageRows(store, after, pages)
  const relinked = changes.filter(isTextChange).filter(isRelinked)
  const relinkedPages = relinked.filter(isPageChange)
  const ofPages = documentsOf(relinkedPages)
  const ofOthers = documentsOf(relinked.filter(change => !isPageChange(change)))
  const found = await known([...new Set([...ofPages, ...ofOthers])])
  const linksByDocument = new Map<Hash, PageLinks>()
  for (const [hash, { links }] of found) linksByDocument.set(hash, links)
  await readDocuments(
    store,
    ofPages.filter(hash => found.get(hash)?.isSearchable !== true),
    async (hash, text) => {
      const page = await projectPage(services.compute, spaceId, text)
      linksByDocument.set(hash, page)
      read.addPage(hash, page)
    },
  )
  await readDocuments(
    store,
    ofOthers.filter(hash => !linksByDocument.has(hash)),
    async (hash, text) => {
      const links = await linksOfText(services.compute, spaceId, text)
      linksByDocument.set(hash, links)
      read.addLinks(hash, links)
    },
  )
  return {
    gonePages: gonePagesOf(pages),
    pages: rows,
    editedPages: editedPagesOf(pages),
    links: await toLinkChanges(store, before, changes, relinked, linksByDocument),
    references: await toNamedReferences(
      changes,
      linkFinder(services, store, spaceId, known, linksByDocument),
    ),
  }
}

/** What making one revision of another names. */
export async function prepareReferences(
  services: ComputeServices,
  store: ObjectReads,
  spaceId: string,
  before: Hash,
  after: Hash,
  known: KnownDocuments,
): Promise<NamedReferences> {
  const changes = await diffEntries(store, before, after)
  return toNamedReferences(changes, linkFinder(services, store, spaceId, known, new Map()))
}

/** Adds the links that it reads to `found`. */
const linkFinder =
  (
    { compute }: ComputeServices,
    store: ObjectReads,
    spaceId: string,
    known: KnownDocuments,
    found: Map<Hash, PageLinks>,
  ): LinksOf =>
  async documents => {
    const isNew = (hash: Hash) => !found.has(hash)
    for (const [hash, { links }] of await known(documents.filter(isNew))) found.set(hash, links)
    await readDocuments(
      store,
      documents.filter(isNew),
      async (hash, text) => void found.set(hash, await linksOfText(compute, spaceId, text)),
    )
    return found
  }

const documentsOf = (changes: readonly TextChange[]): Hash[] => [
  ...new Set(changes.flatMap(({ after }) => after?.document ?? [])),
]

// Documents read concurrently: enough that no thread waits for its next one.
const READ_AT_ONCE = 4

/** `read` is called with each document once. */
async function readDocuments(
  store: ObjectReads,
  documents: readonly Hash[],
  read: (document: Hash, markdown: string) => Promise<void>,
): Promise<void> {
  await readSeveralAtOnce([...(await readTexts(store, documents))], read)
}

async function readSeveralAtOnce(
  texts: [Hash, string][],
  read: (document: Hash, markdown: string) => Promise<unknown>,
): Promise<void> {
  const readNext = async (): Promise<void> => {
    for (let next = texts.pop(); next !== undefined; next = texts.pop()) {
      await read(...next)
      await pause()
    }
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext))
}

type Compute = Services['compute']

/** Asks a `compute` that memoizes what `prepareProjection` asks it of pages that are written next. */
export const readPages = (
  compute: Compute,
  spaceId: string,
  documents: readonly StoredObject[],
): Promise<void> =>
  readSeveralAtOnce(
    documents.map(({ hash, body }) => [hash, decodeDocument(body)]),
    (_, markdown) => projectPage(compute, spaceId, markdown),
  )

/** A page too large to be parsed is found by its words, and has no links. */
async function projectPage(compute: Compute, spaceId: string, markdown: string): Promise<PageProjection> {
  const read = await compute.run('pageProjection', spaceId, { markdown })
  if (read.kind === 'done') return read.value
  const plain = await compute.run('plainPageProjection', spaceId, { markdown })
  return plain.kind === 'done' ? plain.value : { links: [], anchors: null, sections: [], words: '' }
}

async function linksOfText(compute: Compute, spaceId: string, markdown: string): Promise<PageLinks> {
  const read = await compute.run('pageLinks', spaceId, { markdown })
  return read.kind === 'done' ? read.value : { links: [], anchors: null }
}

async function readTexts(store: ObjectReads, documents: readonly Hash[]): Promise<Map<Hash, string>> {
  const texts = new Map<Hash, string>()
  if (documents.length === 0) return texts
  for await (const [hash, body] of inSlices(await store.getMany(documents)))
    texts.set(hash, decodeDocument(body))
  return texts
}

/**
 * Writes a projection: one statement for an edit, a few per kind of row for a whole import. The caller has locked the
 * space and its set of live rows. Throws, to be run again, if other spaces share the set.
 */
export async function project(
  trx: Trx,
  space: { id: string; organization_id: string; projection_id: string },
  projection: Projection,
  documents: DocumentRows,
  revision: { readonly id: string; readonly created_by: string | null },
): Promise<void> {
  const owner = space.projection_id
  const publisher = {
    spaceId: space.id,
    organizationId: space.organization_id,
    authorId: revision.created_by,
  }
  const counted = await writeTogether(
    trx,
    projectionWrites(owner, projection, documents, publisher, revision.id),
    sql<{ sharers: number }>`select count(*)::integer as sharers from spaces where projection_id = ${owner}`,
  )
  requireUnshared(space.id, counted?.sharers)
  await writeGonePaths(trx, owner, projection.links.gone)
}

function* projectionWrites(
  owner: string,
  { gonePages, pages, editedPages, links, references }: Projection,
  documents: DocumentRows,
  publisher: Publisher,
  revisionId: string,
): Generator<RawBuilder<unknown>> {
  yield* pageWrites(owner, pages, gonePages)
  yield* pageRevisionWrites(publisher.spaceId, revisionId, editedPages)
  yield* linkWrites(owner, links)
  yield* documentWrites(documents)
  yield* referenceWrites(publisher, references)
}

/** Rewrites all rows of a set. The caller has locked its row. */
export async function rewriteProjection(
  trx: Trx,
  owner: string,
  { pages, links }: Pick<Projection, 'pages' | 'links'>,
): Promise<void> {
  for (const table of ['live_pages', 'live_paths', 'live_links', 'live_anchors'] as const)
    await trx.deleteFrom(table).where('projection_id', '=', owner).execute()
  await writeTogether(trx, pageWrites(owner, pages))
  await writeLinkChanges(trx, owner, links)
}
