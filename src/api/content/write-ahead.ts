// What a large publication writes ahead of its transaction, in portions between which others use the database: on the
// embedded one there is one session, and 10,000 pages in one transaction would keep everybody waiting for seconds.
// Objects and sections stand under the hash of what they hold, so nobody sees them before a revision names them; where
// none comes to, the sweeper removes them (sweep.ts).
import type { StoredObject } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf } from './batches.ts'
import { documentLinkWrites } from './document-links.ts'
import type { Projection } from './projections.ts'
import { insertSections, insertWords } from './sections.ts'

/** Fewer are written faster with the rest. */
const AHEAD_MIN = 500
const SECTIONS_AT_ONCE = 200
const DOCUMENTS_AT_ONCE = 100

type Searchable = Pick<Projection, 'sections' | 'words' | 'documentLinks'>
type Writable = Searchable & { readonly objects: readonly StoredObject[] }

/** Answers what is left for the transaction. */
export async function writeAhead(
  services: Pick<Services, 'objects' | 'transaction'>,
  { objects, sections, words, documentLinks }: Writable,
): Promise<Writable> {
  if (objects.length < AHEAD_MIN && words.length < AHEAD_MIN)
    return { objects, sections, words, documentLinks }
  await services.objects.putMany(objects)
  await writeDocuments(services, { sections, words, documentLinks })
  return { objects: [], sections: [], words: [], documentLinks: [] }
}

/** What is kept of documents under their hashes, in portions. Revisions reach the documents, or they were put before. */
export async function writeDocuments(
  { transaction }: Pick<Services, 'transaction'>,
  { sections, words, documentLinks }: Searchable,
): Promise<void> {
  for (const batch of batchesOf(sections, SECTIONS_AT_ONCE))
    await transaction(trx => insertSections(trx, batch))
  for (const batch of batchesOf(words, DOCUMENTS_AT_ONCE)) await transaction(trx => insertWords(trx, batch))
  for (const batch of batchesOf(documentLinks, DOCUMENTS_AT_ONCE))
    for (const write of documentLinkWrites(batch)) await transaction(trx => write.execute(trx))
}
