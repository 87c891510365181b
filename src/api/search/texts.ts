// The texts of the sections that were found.
import { sql } from 'kysely'
import type { PageSection } from '../../compute/page-facts.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Db } from '../../platform/db/open.ts'

/** A section by the document it is in. */
export type SectionAt = { readonly document: Hash; readonly ordinal: number }

// Of a section: what matches further behind is shown without its words.
const READ_CHARACTERS_MAX = 20_000

export const sectionKey = ({ document, ordinal }: SectionAt): string => `${document} ${ordinal}`

/** One query, however many there are. */
export async function readTexts(
  db: Db,
  wanted: readonly SectionAt[],
): Promise<ReadonlyMap<string, PageSection>> {
  if (wanted.length === 0) return new Map()
  const hashes = wanted.map(({ document }) => Buffer.from(document, 'hex'))
  const ordinals = wanted.map(({ ordinal }) => ordinal)
  const { rows } = await sql<PageSection & { document: string; ordinal: number }>`
    select encode(document_hash, 'hex') as document, section.ordinal, anchor, heading, body
    from unnest(${hashes}::bytea[], ${ordinals}::integer[]) as wanted (hash, ordinal)
    cross join lateral (
      select document_hash, ordinal, anchor, heading, left(body, ${READ_CHARACTERS_MAX}) as body from sections
      where document_hash = wanted.hash and sections.ordinal = wanted.ordinal offset 0) as section`.execute(
    db,
  )
  return new Map(
    rows.map(row => [sectionKey(row), { anchor: row.anchor, heading: row.heading, body: row.body }]),
  )
}
