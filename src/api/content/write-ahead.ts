// What a large publication writes ahead of its transaction, in portions between which others use the database: on the
// embedded one there is one session, and 10,000 pages in one transaction would keep everybody waiting for seconds.
// Objects and sections stand under the hash of what they hold, so nobody sees them before a revision names them; where
// none comes to, the sweeper removes them (sweep.ts).
import type { StoredObject } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf } from './batches.ts'
import { insertSections, insertWords, type SectionRow, type WordsRow } from './sections.ts'

/** Fewer are written faster with the rest. */
const AHEAD_MIN = 500
const SECTIONS_AT_ONCE = 200
const DOCUMENTS_AT_ONCE = 100

type Writable = {
  readonly objects: readonly StoredObject[]
  readonly sections: readonly SectionRow[]
  readonly words: readonly WordsRow[]
}

/** Answers what is left for the transaction. */
export async function writeAhead(
  { objects, transaction }: Pick<Services, 'objects' | 'transaction'>,
  content: Writable,
): Promise<Writable> {
  if (content.objects.length < AHEAD_MIN) return content
  await objects.putMany(content.objects)
  for (const sections of batchesOf(content.sections, SECTIONS_AT_ONCE))
    await transaction(trx => insertSections(trx, sections))
  for (const words of batchesOf(content.words, DOCUMENTS_AT_ONCE))
    await transaction(trx => insertWords(trx, words))
  return { objects: [], sections: [], words: [] }
}
