// Links and places of documents, kept under their hashes as sections and words are. What a merge publishes was written in
// its change request, and a rollback publishes earlier content: their live rows are made without parsing again.
import { type RawBuilder, sql } from 'kysely'
import type { PageLinks } from '../../compute/page-projection.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import type { Db } from '../../platform/db/database.ts'
import { PROJECTION_MAKING } from '../spaces/projections.ts'
import { batchesOf } from './batches.ts'

/** What is known of a document without reading it. */
type KnownDocument = { readonly links: PageLinks; readonly isSearchable: boolean }

/** Those of the documents that are known. */
export type KnownDocuments = (documents: readonly Hash[]) => Promise<ReadonlyMap<Hash, KnownDocument>>

export const nothingKnown: KnownDocuments = async () => new Map()

const toBytes = (hash: Hash): Buffer => Buffer.from(hash, 'hex')
const READ_DOCUMENTS_MAX = 1_000

/**
 * What the database has of documents that revisions reach. Those that are being written are not among them: the sweeper
 * may be removing what was known of one (sweep.ts).
 */
export function knownIn(db: Db, written: readonly StoredObject[] = []): KnownDocuments {
  const isWritten = new Set(written.map(({ hash }) => hash))
  return async documents => {
    const known = new Map<Hash, KnownDocument>()
    const asked = documents.filter(hash => !isWritten.has(hash))
    for (const batch of batchesOf(asked, READ_DOCUMENTS_MAX)) {
      const { rows } = await sql<{ hash: Buffer; links: string; is_searchable: boolean }>`
        select document_hash as hash, links,
          exists (select from document_words where document_words.document_hash = document_links.document_hash)
            as is_searchable
        from document_links
        where document_hash = any(${batch.map(toBytes)}::bytea[]) and making = ${PROJECTION_MAKING}`.execute(
        db,
      )
      for (const { hash, links, is_searchable } of rows)
        known.set(hash.toString('hex'), { links: JSON.parse(links), isSearchable: is_searchable })
    }
    return known
  }
}

export type DocumentLinksRow = { readonly document: Hash; readonly links: string }

// A picture that is written into its own address can have megabytes. Such links are found by reading the page again.
const LINKS_CHARACTERS_MAX = 100_000

export function toDocumentLinks(facts: ReadonlyMap<Hash, PageLinks>): DocumentLinksRow[] {
  const rows: DocumentLinksRow[] = []
  for (const [document, { links, anchors }] of facts) {
    // Places that are not known are those of a page that was too much to be read: another attempt may do better.
    if (anchors === null) continue
    const json = JSON.stringify({ links, anchors })
    if (json.length <= LINKS_CHARACTERS_MAX) rows.push({ document, links: json })
  }
  return rows
}

// Of one statement.
const INSERT_ROWS_MAX = 500
const INSERT_CHARACTERS_MAX = 1024 * 1024

export function* documentLinkWrites(rows: readonly DocumentLinksRow[]): Generator<RawBuilder<unknown>> {
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, row => row.links.length))
    yield sql`insert into document_links as old (document_hash, links, making)
      select hash, links, ${PROJECTION_MAKING}::smallint
      from unnest(${batch.map(row => toBytes(row.document))}::bytea[], ${batch.map(row => row.links)}::text[])
        as document (hash, links)
      on conflict (document_hash) do update set links = excluded.links, making = excluded.making
        where old.making < excluded.making`
}
