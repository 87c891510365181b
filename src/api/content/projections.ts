// The live rows of a space: what search, links and lists ask of its head, kept from the diff of two revisions in the
// transaction that moves the head. They never lag a publication, and they cost what changed.
import { type RawBuilder, sql } from 'kysely'
import { inSlices, pause } from '../../base/slices.ts'
import type { PageLinks, PageProjection } from '../../compute/page-projection.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import {
  type EntryChange,
  type Hash,
  isChangeOf,
  type PageRecord,
  splitKey,
} from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import { diffEntries } from '../../engines/content/trie.ts'
import { toVector } from '../../engines/search/document-words.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { storable } from '../../platform/db/text.ts'
import { writeTogether } from '../../platform/db/together.ts'
import { batchesOf } from './batches.ts'
import {
  type DocumentLinksRow,
  documentLinkWrites,
  type KnownDocuments,
  nothingKnown,
  toDocumentLinks,
} from './document-links.ts'
import { isRelinked, isTextChange, type LinkChanges, type TextChange, toLinkChanges } from './link-changes.ts'
import { requireUnshared } from './own-rows.ts'
import { readPages, readPaths } from './page-paths.ts'
import { type SectionRow, sectionWrites, type WordsRow, wordWrites } from './sections.ts'
import { linkWrites, writeGonePaths, writeLinkChanges } from './written-links.ts'

export type PageRow = {
  page_id: string
  type: string
  title: string
  description: string
  path: string
  title_tsv: string
  hidden: boolean
  no_index: boolean
  document_hash: Buffer | null
}

/** Everything that the live rows have to become, worked out before the transaction. */
export type Projection = {
  readonly gonePages: readonly string[]
  readonly pages: readonly PageRow[]
  readonly links: LinkChanges
  readonly sections: readonly SectionRow[]
  readonly words: readonly WordsRow[]
  readonly documentLinks: readonly DocumentLinksRow[]
}

type Computing = Pick<Services, 'compute'>

/** The part of a projection that says where links lead, for content that has no live rows of its own. */
export async function prepareLinks(
  services: Computing,
  store: ObjectReads,
  spaceId: string,
  before: Hash,
  after: Hash,
  known: KnownDocuments = nothingKnown,
): Promise<LinkChanges> {
  const changes = await diffEntries(store, before, after)
  const relinked = changes.filter(isTextChange).filter(isRelinked)
  const found = new Map([...(await known(documentsOf(relinked)))].map(([hash, { links }]) => [hash, links]))
  const computed = await readFacts(
    store,
    documentsOf(relinked).filter(hash => !found.has(hash)),
    text => linksOfText(services.compute, spaceId, text),
  )
  return toLinkChanges(store, before, changes, relinked, new Map([...found, ...computed]))
}

/**
 * Compares two revisions; reads only what differs and the ancestors and descendants of pages whose path changed.
 * Documents that are `known` are not read: what there is of them is there already.
 */
export async function prepareProjection(
  services: Computing,
  store: ObjectReads,
  spaceId: string,
  before: Hash,
  after: Hash,
  known: KnownDocuments = nothingKnown,
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
  const computedPages = await readFacts(
    store,
    ofPages.filter(hash => found.get(hash)?.isSearchable !== true),
    text => factsOfPage(services.compute, spaceId, text),
  )
  const computedOthers = await readFacts(
    store,
    ofOthers.filter(hash => !found.has(hash) && !computedPages.has(hash)),
    text => linksOfText(services.compute, spaceId, text),
  )
  const computed = new Map<Hash, PageLinks>([...computedOthers, ...computedPages])
  const facts = new Map<Hash, PageLinks>()
  for (const [hash, { links }] of found) facts.set(hash, links)
  for (const [hash, links] of computed) facts.set(hash, links)
  return {
    gonePages: pages.filter(change => change.after === null).map(idOf),
    pages: rows,
    links: await toLinkChanges(store, before, changes, relinked, facts),
    ...(await searchableOf(relinkedPages, computedPages)),
    documentLinks: toDocumentLinks(computed),
  }
}

const documentsOf = (changes: readonly TextChange[]): Hash[] => [
  ...new Set(changes.flatMap(({ after }) => after?.document ?? [])),
]

/** Of documents that are new to a page, each once. */
async function searchableOf(
  changes: readonly PageChange[],
  facts: ReadonlyMap<Hash, PageProjection>,
): Promise<Pick<Projection, 'sections' | 'words'>> {
  const rows: SectionRow[] = []
  const words: WordsRow[] = []
  const told = new Set<Hash>()
  for await (const { before, after } of inSlices(changes)) {
    const document = after?.document ?? null
    if (document === null || before?.document === document || told.has(document)) continue
    told.add(document)
    const found = facts.get(document)
    if (found === undefined) continue
    for (const [ordinal, section] of found.sections.entries()) rows.push({ document, ordinal, ...section })
    words.push({ document, words: found.words })
  }
  return { sections: rows, words }
}

// Documents that are read at once: enough that no thread waits for its next one.
const READ_AT_ONCE = 4

/** Of each document once. */
async function readFacts<Facts>(
  store: ObjectReads,
  documents: readonly Hash[],
  factsOf: (markdown: string) => Promise<Facts>,
): Promise<ReadonlyMap<Hash, Facts>> {
  const texts = [...(await readTexts(store, documents))]
  const facts = new Map<Hash, Facts>()
  const readNext = async (): Promise<void> => {
    for (let next = texts.pop(); next !== undefined; next = texts.pop()) {
      const [hash, markdown] = next
      facts.set(hash, await factsOf(markdown))
      await pause()
    }
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext))
  return facts
}

type Compute = Services['compute']

/** A page that is too much to be read is found by its words, and leads nowhere. */
async function factsOfPage(compute: Compute, spaceId: string, markdown: string): Promise<PageProjection> {
  const read = await compute.run('pageProjection', spaceId, { markdown })
  if (read.kind === 'done') return read.value
  const plain = await compute.run('plainPageProjection', spaceId, { markdown })
  return plain.kind === 'done' ? plain.value : { links: [], anchors: null, sections: [], words: '' }
}

async function linksOfText(compute: Compute, spaceId: string, markdown: string): Promise<PageLinks> {
  const read = await compute.run('pageLinks', spaceId, { markdown })
  return read.kind === 'done' ? read.value : { links: [], anchors: null }
}

type PageChange = EntryChange<'page'>
const isPageChange = isChangeOf('page')
const idOf = (change: EntryChange): string => splitKey(change.key)[1]

async function readTexts(store: ObjectReads, documents: readonly Hash[]): Promise<Map<Hash, string>> {
  const texts = new Map<Hash, string>()
  if (documents.length === 0) return texts
  for await (const [hash, body] of inSlices(await store.getMany(documents)))
    texts.set(hash, decodeDocument(body))
  return texts
}

/** Rows of pages that changed, and of their descendants where a path changed. */
async function toPageRows(
  store: ObjectReads,
  root: Hash,
  changes: readonly PageChange[],
): Promise<PageRow[]> {
  const records = new Map<string, PageRecord>()
  let level: string[] = []
  for (const change of changes) {
    const { before, after } = change
    if (after === null) continue
    records.set(idOf(change), after)
    if (before !== null && (before.slug !== after.slug || before.parent !== after.parent))
      level.push(...after.children)
  }
  while (level.length > 0) {
    const below = await readPages(
      store,
      root,
      level.filter(id => !records.has(id)),
    )
    level = level.flatMap(id => (records.get(id) ?? below.get(id))?.children ?? [])
    for (const [id, record] of below) records.set(id, record)
  }
  const pathOf = await readPaths(store, root, records)
  const rows: PageRow[] = []
  for await (const [id, record] of inSlices(records)) rows.push(toPageRow(id, record, pathOf(id)))
  return rows
}

const toPageRow = (id: string, record: PageRecord, path: string): PageRow => ({
  page_id: id,
  type: record.type,
  title: storable(record.title),
  description: storable(record.description ?? ''),
  path: storable(path),
  title_tsv: toVector([
    { text: record.title, weight: 'A' },
    { text: record.description ?? '', weight: 'C' },
  ]),
  hidden: record.hidden ?? false,
  no_index: record.noIndex ?? false,
  document_hash: record.document === null ? null : Buffer.from(record.document, 'hex'),
})

// Of one statement.
const ROWS_INSERTED_MAX = 1000

/**
 * Writes a projection: one statement for an edit, a few for each kind of row of a whole import. The rows of the space and
 * of its set of live rows are locked by the caller; throws, to be run again, where other spaces share the set.
 */
export async function project(
  trx: Trx,
  space: { id: string; projection_id: string },
  projection: Projection,
): Promise<void> {
  const owner = space.projection_id
  const counted = await writeTogether(
    trx,
    projectionWrites(owner, projection),
    sql<{ sharers: number }>`select count(*)::integer as sharers from spaces where projection_id = ${owner}`,
  )
  requireUnshared(space.id, counted?.sharers)
  await writeGonePaths(trx, owner, projection.links.gone)
}

function* projectionWrites(
  owner: string,
  { gonePages, pages, links, sections, words, documentLinks }: Projection,
): Generator<RawBuilder<unknown>> {
  if (gonePages.length > 0)
    yield sql`delete from live_pages where projection_id = ${owner} and page_id = any(${gonePages}::text[])`
  yield* pageWrites(owner, pages)
  yield* linkWrites(owner, links)
  yield* sectionWrites(sections)
  yield* wordWrites(words)
  yield* documentLinkWrites(documentLinks)
}

/** Writes all rows of a set anew, whatever is there. Its row is locked by the caller. */
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

const column = <T extends object, K extends keyof T>(rows: readonly T[], name: K): T[K][] =>
  rows.map(row => row[name])

function* pageWrites(owner: string, pages: readonly PageRow[]): Generator<RawBuilder<unknown>> {
  for (const rows of batchesOf(pages, ROWS_INSERTED_MAX)) yield upsertPages(owner, rows)
}

const upsertPages = (owner: string, rows: readonly PageRow[]) =>
  sql`insert into live_pages (projection_id, page_id, type, title, description, path, title_tsv, hidden, no_index, document_hash)
    select ${owner}, * from unnest(
      ${column(rows, 'page_id')}::text[], ${column(rows, 'type')}::text[], ${column(rows, 'title')}::text[],
      ${column(rows, 'description')}::text[], ${column(rows, 'path')}::text[],
      ${column(rows, 'title_tsv')}::text[]::tsvector[], ${column(rows, 'hidden')}::boolean[],
      ${column(rows, 'no_index')}::boolean[], ${column(rows, 'document_hash')}::bytea[])
    on conflict (projection_id, page_id) do update set type = excluded.type, title = excluded.title,
      description = excluded.description, path = excluded.path, title_tsv = excluded.title_tsv, hidden = excluded.hidden,
      no_index = excluded.no_index, document_hash = excluded.document_hash`
