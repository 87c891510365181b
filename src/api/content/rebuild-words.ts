// Rebuilds the words of documents of an older version after an upgrade. Until then search misses what only the new
// version finds, and only in spaces whose index is not in memory.
import { sql } from 'kysely'
import type { Hash } from '../../engines/content/records.ts'
import { WORDS_VERSION } from '../../engines/search/document-words.ts'
import type { Services } from '../../http/context.ts'
import { readSections } from './document-rows.ts'

const DOCUMENTS_AT_ONCE = 50
const LANE = 'words'

type WordServices = Pick<Services, 'db' | 'compute' | 'log'>

/** Returns how many were rebuilt. Several processes may run it at once: each writes the same. */
export async function rebuildWords(services: WordServices): Promise<number> {
  let made = 0
  for (;;) {
    const old = await findOld(services)
    if (old.length === 0) break
    const left = new Set(old)
    for await (const portion of readSections(services.db, old)) {
      for (const [document, sections] of portion) {
        const words = await services.compute.run('documentWords', LANE, { sections })
        await updateWords(services, document, words.kind === 'done' ? words.value : null)
        left.delete(document)
      }
    }
    for (const document of left) await updateWords(services, document, null)
    made += old.length
  }
  if (made > 0) services.log.info({ documents: made }, 'rebuilt the words of documents')
  return made
}

async function findOld({ db }: WordServices): Promise<Hash[]> {
  const rows = await db
    .selectFrom('document_words')
    .select('document_hash')
    .where('making', '<', WORDS_VERSION)
    .limit(DOCUMENTS_AT_ONCE)
    .execute()
  return rows.map(row => row.document_hash.toString('hex'))
}

/** `words` is null if the document is too large: existing words stay. */
const updateWords = ({ db }: WordServices, document: Hash, words: string | null) =>
  sql`update document_words set words = coalesce(${words}::tsvector, words), making = ${WORDS_VERSION}
    where document_hash = ${Buffer.from(document, 'hex')}`.execute(db)
