// The searchable pieces of documents, and the words in them: written once for a document's hash and shared by every space
// that has it.
import { type RawBuilder, sql } from 'kysely'
import type { PageSection } from '../../compute/page-projection.ts'
import type { Hash } from '../../engines/content/records.ts'
import { WORDS_MAKING } from '../../engines/search/document-words.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { batchesOf } from './batches.ts'

export type SectionRow = PageSection & { readonly document: Hash; readonly ordinal: number }
export type WordsRow = { readonly document: Hash; readonly words: string }

// Of one statement.
const INSERT_ROWS_MAX = 500
const INSERT_CHARACTERS_MAX = 1024 * 1024

export const insertSections = async (trx: Trx, rows: readonly SectionRow[]): Promise<void> => {
  for (const write of sectionWrites(rows)) await write.execute(trx)
}

export const insertWords = async (trx: Trx, rows: readonly WordsRow[]): Promise<void> => {
  for (const write of wordWrites(rows)) await write.execute(trx)
}

export function* sectionWrites(rows: readonly SectionRow[]): Generator<RawBuilder<unknown>> {
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, row => row.body.length))
    yield sql`insert into sections (document_hash, ordinal, anchor, heading, body)
      select * from unnest(
        ${batch.map(row => toBytes(row.document))}::bytea[], ${batch.map(row => row.ordinal)}::integer[],
        ${batch.map(row => row.anchor)}::text[], ${batch.map(row => row.heading)}::text[],
        ${batch.map(row => row.body)}::text[])
      on conflict (document_hash, ordinal) do nothing`
}

export function* wordWrites(rows: readonly WordsRow[]): Generator<RawBuilder<unknown>> {
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, row => row.words.length))
    yield sql`insert into document_words (document_hash, words, making)
      select hash, words, ${WORDS_MAKING}::smallint
      from unnest(${batch.map(row => toBytes(row.document))}::bytea[], ${batch.map(row => row.words)}::text[]::tsvector[])
        as document (hash, words)
      on conflict (document_hash) do nothing`
}

const toBytes = (hash: Hash): Buffer => Buffer.from(hash, 'hex')

// Of one answer: neither the session of an embedded database nor this thread is held long by it.
const READ_DOCUMENTS_MAX = 200
const READ_BYTES_MAX = 1024 * 1024
const SIZES_AT_ONCE = 1_000

/** The sections of each document, in their order, portion by portion. A document without any is in none. */
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

/** Of the documents as they were written: a size is asked of a row without reading what it holds. */
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
    const sections = found.get(document)
    if (sections === undefined) found.set(document, [{ anchor, heading, body }])
    else sections.push({ anchor, heading, body })
  }
  return found
}
