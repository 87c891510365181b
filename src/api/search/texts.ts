// The texts of found sections. Those shown often are cached in memory: a section is named by its document's hash, so it
// is never stale.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { PageSection } from '../../compute/page-projection.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { SectionAt, SectionTexts } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'

// Per section: later matches are not shown in the excerpt.
const READ_CHARACTERS_MAX = 20_000

// An entry with its key, besides its characters.
const ENTRY_BYTES = 300
// The text itself, and as one line, which excerpts are cut from.
const COPIES = 2

export const sectionKey = ({ document, ordinal }: SectionAt): string => `${document} ${ordinal}`

/** `bytesMax` bounds the memory: the least recently shown goes first. */
export function createSectionTexts(db: Db, bytesMax: number): SectionTexts {
  const kept = new LRUCache<string, PageSection>({ maxSize: bytesMax, sizeCalculation: bytesOf })
  return {
    async read(wanted) {
      const found = new Map<string, PageSection>()
      const missing: SectionAt[] = []
      for (const at of wanted) {
        const key = sectionKey(at)
        const section = kept.get(key)
        if (section === undefined) missing.push(at)
        else found.set(key, section)
      }
      if (missing.length === 0) return found
      for (const [key, section] of await readTexts(db, missing)) {
        kept.set(key, section)
        found.set(key, section)
      }
      return found
    },
  }
}

const bytesOf = ({ anchor, heading, body }: PageSection): number =>
  ENTRY_BYTES + COPIES * (anchor.length + heading.length + body.length) * (/[^\0-\xff]/.test(body) ? 2 : 1)

/** One query, however many there are. */
async function readTexts(db: Db, wanted: readonly SectionAt[]): Promise<ReadonlyMap<string, PageSection>> {
  const hashes = wanted.map(({ document }) => Buffer.from(document, 'hex'))
  const ordinals = wanted.map(({ ordinal }) => ordinal)
  const { rows } = await sql<PageSection & { document: Hash; ordinal: number }>`
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
