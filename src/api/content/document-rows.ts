// What the database stores about documents by hash: searchable sections, words, links, and the places that links can
// name. Written once per document and shared by every space that has it: what a merge publishes was written in its
// change request, and a rollback publishes earlier content, so neither is parsed again.
//
// Nobody sees these rows before a revision names their documents, so a large publication writes them ahead of its
// transaction, while the rest is still being parsed, in portions between which others use the database: the embedded
// one has one session, and 10,000 pages in one transaction would keep everybody waiting for seconds. If no revision
// follows, the sweeper removes them (sweep.ts).
import { type RawBuilder, sql } from 'kysely'
import { addUnder } from '../../base/lists.ts'
import { compareTexts } from '../../base/order.ts'
import type { PageLinks, PageProjection, PageSection } from '../../compute/page-projection.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import { WORDS_VERSION } from '../../engines/search/document-words.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf, writeTogether } from '../../platform/db/batches.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { PROJECTION_VERSION } from '../spaces/projections.ts'
import { toBytes } from './objects.ts'

export type SectionRow = PageSection & { readonly document: Hash; readonly ordinal: number }
export type WordsRow = { readonly document: Hash; readonly words: string }
export type LinksRow = { readonly document: Hash; readonly links: string }

/** Rows of documents, to be written. */
export type DocumentRows = {
  readonly sections: readonly SectionRow[]
  readonly words: readonly WordsRow[]
  readonly documentLinks: readonly LinksRow[]
}

// A data URL can have megabytes. Such links are found by reading the page again.
const LINKS_CHARACTERS_MAX = 100_000

/** Takes documents as they are read. */
export interface DocumentSink {
  /** The document of a page, whose words are searched. */
  addPage(document: Hash, page: PageProjection): void
  addLinks(document: Hash, links: PageLinks): void
}

/** Collects the rows of documents as they are read. */
export class ReadDocuments implements DocumentSink, DocumentRows {
  readonly sections: SectionRow[] = []
  readonly words: WordsRow[] = []
  readonly documentLinks: LinksRow[] = []

  addPage(document: Hash, page: PageProjection): void {
    for (const [ordinal, section] of page.sections.entries())
      this.sections.push({ document, ordinal, ...section })
    this.words.push({ document, words: page.words })
    this.addLinks(document, page)
  }

  addLinks(document: Hash, { links, anchors }: PageLinks): void {
    // A page whose places are unknown was too large to read; another attempt may succeed.
    if (anchors === null) return
    const json = JSON.stringify({ links, anchors })
    if (json.length <= LINKS_CHARACTERS_MAX) this.documentLinks.push({ document, links: json })
  }
}

// Per statement.
const INSERT_ROWS_MAX = 500
const INSERT_CHARACTERS_MAX = 1024 * 1024

export function* documentWrites({
  sections,
  words,
  documentLinks,
}: DocumentRows): Generator<RawBuilder<unknown>> {
  yield* sectionWrites(inOrder(sections))
  yield* wordWrites(inOrder(words))
  yield* linksWrites(inOrder(documentLinks))
}

function* sectionWrites(rows: readonly SectionRow[]): Generator<RawBuilder<unknown>> {
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, row => row.body.length))
    yield sql`insert into sections (document_hash, ordinal, anchor, heading, body)
      select * from unnest(
        ${batch.map(row => toBytes(row.document))}::bytea[], ${batch.map(row => row.ordinal)}::integer[],
        ${batch.map(row => row.anchor)}::text[], ${batch.map(row => row.heading)}::text[],
        ${batch.map(row => row.body)}::text[])
      on conflict (document_hash, ordinal) do nothing`
}

function* wordWrites(rows: readonly WordsRow[]): Generator<RawBuilder<unknown>> {
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, row => row.words.length))
    yield sql`insert into document_words (document_hash, words, making)
      select hash, words, ${WORDS_VERSION}::smallint
      from unnest(${batch.map(row => toBytes(row.document))}::bytea[], ${batch.map(row => row.words)}::text[]::tsvector[])
        as document (hash, words)
      on conflict (document_hash) do nothing`
}

function* linksWrites(rows: readonly LinksRow[]): Generator<RawBuilder<unknown>> {
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, row => row.links.length))
    yield sql`insert into document_links as old (document_hash, links, making)
      select hash, links, ${PROJECTION_VERSION}::smallint
      from unnest(${batch.map(row => toBytes(row.document))}::bytea[], ${batch.map(row => row.links)}::text[])
        as document (hash, links)
      on conflict (document_hash) do update set links = excluded.links, making = excluded.making
        where old.making < excluded.making`
}

/** In the caller's transaction, one statement per portion. */
export async function insertDocumentRows(trx: Trx, rows: DocumentRows): Promise<void> {
  for (const write of documentWrites(rows)) await write.execute(trx)
}

/** Sorted by hash, so that two writers of the same documents cannot deadlock. */
const inOrder = <Row extends { readonly document: Hash }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => compareTexts(a.document, b.document))

const SECTIONS_AT_ONCE = 200
const DOCUMENTS_AT_ONCE = 100

/** In transactions of their own. Revisions reach the documents, or they were put before. */
export async function writeDocumentRows(
  { transaction }: Pick<Services, 'transaction'>,
  rows: DocumentRows,
): Promise<void> {
  for (const portion of portionsOf(rows))
    await transaction(trx => writeTogether(trx, documentWrites(portion)))
}

/** All rows of a document are in one portion: if the process dies in between, no document has only some of its rows. */
function* portionsOf({ sections, words, documentLinks }: DocumentRows): Generator<DocumentRows> {
  const sectionsOf = Map.groupBy(sections, row => row.document)
  const wordsOf = new Map(words.map(row => [row.document, row]))
  const linksOf = new Map(documentLinks.map(row => [row.document, row]))
  const documents = new Set([...sectionsOf.keys(), ...wordsOf.keys(), ...linksOf.keys()])
  const sizeOf = (document: Hash) => sectionsOf.get(document)?.length ?? 0
  for (const batch of batchesOf(documents, DOCUMENTS_AT_ONCE, SECTIONS_AT_ONCE, sizeOf))
    yield {
      sections: batch.flatMap(document => sectionsOf.get(document) ?? []),
      words: batch.flatMap(document => wordsOf.get(document) ?? []),
      documentLinks: batch.flatMap(document => linksOf.get(document) ?? []),
    }
}

/** Fewer are faster to write with the rest. */
const OBJECTS_AHEAD_MIN = 500
const DOCUMENTS_AHEAD_MIN = 50

type Writable = { readonly objects: readonly StoredObject[]; readonly documents: DocumentRows }

/** Writes the objects and rows of a large publication while its documents are read. */
export class DocumentsAhead implements DocumentSink {
  readonly #services: Pick<Services, 'objects' | 'transaction'>
  readonly #objects: readonly StoredObject[]
  #waiting = new ReadDocuments()
  #isGivenUp = false
  /** All writes so far: the objects, then one portion after the other. */
  #written: Promise<void> | undefined

  constructor(services: Pick<Services, 'objects' | 'transaction'>, objects: readonly StoredObject[]) {
    this.#services = services
    this.#objects = objects
    if (objects.length >= OBJECTS_AHEAD_MIN) this.#writeWaiting()
  }

  addPage(document: Hash, page: PageProjection): void {
    this.#waiting.addPage(document, page)
    if (this.#waiting.words.length >= DOCUMENTS_AHEAD_MIN) this.#writeWaiting()
  }

  addLinks(document: Hash, links: PageLinks): void {
    this.#waiting.addLinks(document, links)
    if (this.#waiting.documentLinks.length >= DOCUMENTS_AHEAD_MIN) this.#writeWaiting()
  }

  /** Stops writing, even while documents are still read; resolves when the last write is done. */
  async giveUp(): Promise<void> {
    this.#isGivenUp = true
    await this.#written?.catch(() => {})
  }

  /** What is left to write in the transaction of the publication. Throws the error of a failed write. */
  async finish(): Promise<Writable> {
    await this.#written
    return { objects: this.#written === undefined ? this.#objects : [], documents: this.#waiting }
  }

  #writeWaiting(): void {
    if (this.#isGivenUp) return
    const rows = this.#waiting
    this.#waiting = new ReadDocuments()
    const before = this.#written ?? this.#services.objects.putMany(this.#objects)
    this.#written = before.then(() => writeDocumentRows(this.#services, rows))
    // `finish` throws it.
    this.#written.catch(() => {})
  }
}

/** What the database knows about a document without reading its text. */
type KnownDocument = { readonly links: PageLinks; readonly isSearchable: boolean }

/** Finds the known documents among these. */
export type KnownDocuments = (documents: readonly Hash[]) => Promise<ReadonlyMap<Hash, KnownDocument>>

export const nothingKnown: KnownDocuments = async () => new Map()

const KNOWN_DOCUMENTS_MAX = 1_000

/**
 * Reads what the database has about documents that revisions reach. Excludes documents that are being written: the
 * sweeper may be removing their rows (sweep.ts).
 */
export function knownIn(db: Db, written: readonly StoredObject[] = []): KnownDocuments {
  const isWritten = new Set(written.map(({ hash }) => hash))
  return async documents => {
    const known = new Map<Hash, KnownDocument>()
    const asked = documents.filter(hash => !isWritten.has(hash))
    for (const batch of batchesOf(asked, KNOWN_DOCUMENTS_MAX)) {
      const { rows } = await sql<{ hash: Buffer; links: string; is_searchable: boolean }>`
        select document_hash as hash, links,
          exists (select from document_words where document_words.document_hash = document_links.document_hash)
            as is_searchable
        from document_links
        where document_hash = any(${batch.map(toBytes)}::bytea[]) and making = ${PROJECTION_VERSION}`.execute(
        db,
      )
      for (const { hash, links, is_searchable } of rows)
        known.set(hash.toString('hex'), { links: JSON.parse(links), isSearchable: is_searchable })
    }
    return known
  }
}

// Per query, so that neither the session of an embedded database nor this thread is held for long.
const READ_DOCUMENTS_MAX = 200
const READ_BYTES_MAX = 1024 * 1024
const SIZES_AT_ONCE = 1_000

/** The sections of each document in order, portion by portion. Documents without sections are absent. */
export async function* readSections(
  db: Db,
  documents: Iterable<Hash>,
): AsyncGenerator<ReadonlyMap<Hash, readonly PageSection[]>> {
  for (const some of batchesOf(new Set(documents), SIZES_AT_ONCE)) {
    const sizes = await findSizes(db, some)
    const sizeOf = (document: Hash) => sizes.get(document) ?? 0
    for (const batch of batchesOf(some, READ_DOCUMENTS_MAX, READ_BYTES_MAX, sizeOf))
      yield await readPortion(db, batch)
  }
}

/** The stored sizes of the documents, from their rows, without reading the texts. */
async function findSizes(db: Db, documents: readonly Hash[]): Promise<ReadonlyMap<Hash, number>> {
  const { rows } = await sql<{ hash: Buffer; bytes: number }>`
    select hash, octet_length(body) as bytes from objects where hash = any(${documents.map(toBytes)}::bytea[])`.execute(
    db,
  )
  return new Map(rows.map(({ hash, bytes }) => [hash.toString('hex'), bytes]))
}

/** The same of documents that are known to be small together. */
export async function readPortion(
  db: Db,
  documents: readonly Hash[],
): Promise<ReadonlyMap<Hash, readonly PageSection[]>> {
  const { rows } = await sql<PageSection & { document_hash: Buffer }>`
    select document_hash, anchor, heading, body from sections
    where document_hash = any(${documents.map(toBytes)}::bytea[]) order by document_hash, ordinal`.execute(db)
  const found = new Map<Hash, PageSection[]>()
  for (const { document_hash, anchor, heading, body } of rows) {
    const document = document_hash.toString('hex')
    addUnder(found, document, { anchor, heading, body })
  }
  return found
}
