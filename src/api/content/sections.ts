// The searchable pieces of documents: written once for a document's hash and shared by every space that has it.
import { sql } from 'kysely'
import type { PageSection } from '../../compute/page-facts.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Trx } from '../../platform/db/open.ts'
import { batchesOf } from './batches.ts'

export type SectionRow = PageSection & { readonly document: Hash; readonly ordinal: number }

// Of one statement.
const INSERT_ROWS_MAX = 500
const INSERT_CHARACTERS_MAX = 1024 * 1024

/** Keeps sections, and the words in them. */
export async function insertSections(trx: Trx, rows: readonly SectionRow[]): Promise<void> {
  const sizeOf = (row: SectionRow) => row.body.length + row.vector.length
  for (const batch of batchesOf(rows, INSERT_ROWS_MAX, INSERT_CHARACTERS_MAX, sizeOf))
    await insertBatch(trx, batch)
  await insertWords(trx, rows)
}

async function insertBatch(trx: Trx, rows: readonly SectionRow[]): Promise<void> {
  await sql`insert into sections (document_hash, ordinal, anchor, heading, body, tsv)
    select hash, ordinal, anchor, heading, body,
      vector::tsvector
    from unnest(
      ${rows.map(row => Buffer.from(row.document, 'hex'))}::bytea[], ${rows.map(row => row.ordinal)}::integer[],
      ${rows.map(row => row.anchor)}::text[], ${rows.map(row => row.heading)}::text[],
      ${rows.map(row => row.body)}::text[], ${rows.map(row => row.vector)}::text[])
      as section (hash, ordinal, anchor, heading, body, vector)
    on conflict (document_hash, ordinal) do nothing`.execute(trx)
}

const WORD_CHARACTERS_MIN = 4
const WORD_CHARACTERS_MAX = 32

/** The words that a misspelt one is compared with; numbers and pairs of unspaced scripts are not among them. */
async function insertWords(trx: Trx, rows: readonly SectionRow[]): Promise<void> {
  const words = new Set<string>()
  for (const { terms } of rows) {
    for (const term of terms) {
      if (term.length >= WORD_CHARACTERS_MIN && term.length <= WORD_CHARACTERS_MAX && !/\d/.test(term))
        words.add(term)
    }
  }
  if (words.size === 0) return
  const sorted = [...words].sort()
  // Most are there already. The key is asked for each: a join with the table would be planned by statistics that a
  // first import does not have yet, and take ten seconds instead of a few hundredths.
  await sql`insert into words (word) select unnest(${sorted}::text[]) on conflict do nothing`.execute(trx)
}
