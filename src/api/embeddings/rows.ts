// SQL over embeddings and embedded_sections.
import { sql } from 'kysely'
import type { Hash } from '../../engines/content/records.ts'
import { byteArray } from '../../platform/db/byte-arrays.ts'
import type { Db } from '../../platform/db/database.ts'
import { EMBEDDED_TEXT_VERSION } from './embedded-text.ts'

const toBytes = (hash: Hash): Buffer => Buffer.from(hash, 'hex')

export type HeadRow = { readonly organizationId: string; readonly documents: readonly Hash[] }

/** The documents of a space that search finds: no others are sent to a model. */
export async function findHead(db: Db, spaceId: string): Promise<HeadRow | undefined> {
  const { rows } = await sql<{ organization_id: string; documents: readonly Hash[] }>`
    select organization_id, array(select distinct encode(document_hash, 'hex') from live_pages
      where live_pages.projection_id = spaces.projection_id
        and type = 'document' and not no_index and document_hash is not null) as documents
    from spaces where id = ${spaceId} and deleted_at is null`.execute(db)
  const [row] = rows
  return row && { organizationId: row.organization_id, documents: row.documents }
}

export type SectionText = {
  readonly document: Hash
  readonly ordinal: number
  /** The first heading of the page; empty if it has none. */
  readonly title: string
  readonly heading: string
  readonly body: string
}

// Embedding models read some 8,000 tokens; a section's beginning tells its subject.
const BODY_CHARACTERS_MAX = 4_000

/** Sections without an embedding of the model, or with one of an older `embeddedText`. */
export async function findUnembedded(
  db: Db,
  documents: readonly Hash[],
  model: string,
  limit: number,
): Promise<SectionText[]> {
  const { rows } = await sql<SectionText>`
    select encode(document_hash, 'hex') as document, ordinal, title, heading, body
    from unnest(${documents.map(toBytes)}::bytea[]) as wanted (hash)
    cross join lateral (
      select document_hash, ordinal, heading, left(body, ${BODY_CHARACTERS_MAX}) as body,
        coalesce((select heading from sections as first
          where first.document_hash = wanted.hash and first.ordinal = 0 and first.anchor = ''), '') as title
      from sections
      where document_hash = wanted.hash and not exists (
        select from embedded_sections as made where made.document_hash = sections.document_hash
          and made.ordinal = sections.ordinal and made.model = ${model} and made.making >= ${EMBEDDED_TEXT_VERSION})
      offset 0) as section
    limit ${limit}`.execute(db)
  return rows
}

/** The texts that have an embedding. */
export async function findKnown(db: Db, model: string, hashes: readonly Hash[]): Promise<ReadonlySet<Hash>> {
  const { rows } = await sql<{ hash: Hash }>`
    select encode(text_hash, 'hex') as hash from embeddings
    where model = ${model} and text_hash = any(${hashes.map(toBytes)}::bytea[])`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

export type EmbeddingRow = { readonly hash: Hash; readonly vector: Int8Array }

export async function insertEmbeddings(db: Db, model: string, made: readonly EmbeddingRow[]): Promise<void> {
  await sql`insert into embeddings (model, text_hash, vector)
    select ${model}, text_hash, vector
    from unnest(${made.map(({ hash }) => toBytes(hash))}::bytea[],
      ${byteArray(made.map(({ vector }) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)))}::bytea[])
      as made (text_hash, vector)
    on conflict do nothing`.execute(db)
}

export type EmbeddedSectionRow = Pick<SectionText, 'document' | 'ordinal'> & { readonly hash: Hash }

/** Skips sections that were swept in the meantime. */
export async function insertEmbeddedSections(
  db: Db,
  model: string,
  rows: readonly EmbeddedSectionRow[],
): Promise<void> {
  await sql`insert into embedded_sections (document_hash, ordinal, model, text_hash, making)
    select document_hash, ordinal, ${model}, text_hash, ${EMBEDDED_TEXT_VERSION}::smallint
    from unnest(${rows.map(({ document }) => toBytes(document))}::bytea[],
      ${rows.map(({ ordinal }) => ordinal)}::integer[], ${rows.map(({ hash }) => toBytes(hash))}::bytea[])
      as made (document_hash, ordinal, text_hash)
    where exists (select from sections
      where sections.document_hash = made.document_hash and sections.ordinal = made.ordinal)
    on conflict (document_hash, ordinal, model) do update
      set text_hash = excluded.text_hash, making = excluded.making`.execute(db)
}

export type SectionVector = Pick<SectionText, 'document' | 'ordinal'> & {
  /** Null until it is made. */
  readonly vector: Buffer | null
}

export async function readVectors(
  db: Db,
  model: string,
  documents: readonly Hash[],
): Promise<readonly SectionVector[]> {
  const { rows } = await sql<SectionVector>`
    select encode(document_hash, 'hex') as document, ordinal, vector
    from unnest(${documents.map(toBytes)}::bytea[]) as wanted (hash)
    cross join lateral (
      select document_hash, ordinal, (
        select vector from embeddings where embeddings.model = ${model} and text_hash = (
          select text_hash from embedded_sections as made where made.document_hash = sections.document_hash
            and made.ordinal = sections.ordinal and made.model = ${model})) as vector
      from sections where document_hash = wanted.hash offset 0) as section
    order by document_hash, ordinal`.execute(db)
  return rows
}

const REMOVED_AT_ONCE = 5_000

/** Removes embeddings of other models, and of texts that no section has; returns the number of rows. */
export async function removeUnused(db: Db, model: string): Promise<number> {
  const sections = await sql`delete from embedded_sections where (document_hash, ordinal, model) in (
    select document_hash, ordinal, model from embedded_sections where model <> ${model}
    limit ${REMOVED_AT_ONCE})`.execute(db)
  // A new section may be about to refer to an embedding made within the last day.
  const texts = await sql`delete from embeddings where (model, text_hash) in (
    select model, text_hash from embeddings
    where created_at < now() - interval '1 day' and not exists (
      select from embedded_sections as made
      where made.model = embeddings.model and made.text_hash = embeddings.text_hash)
    limit ${REMOVED_AT_ONCE})`.execute(db)
  return Number(sections.numAffectedRows ?? 0) + Number(texts.numAffectedRows ?? 0)
}

/** Spaces of organizations that allow AI, after `id` in the order of ids. */
export async function listSpacesAfter(db: Db, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from spaces where id > ${id} and deleted_at is null
      and (select ai from organizations where organizations.id = spaces.organization_id)
    order by id limit ${limit}`.execute(db)
  return rows.map(row => row.id)
}
