// Reusable contents: texts that pages include.
import { type ReusableRecord, reusableKey } from '../../../engines/content/records.ts'
import { fileOfInclude } from '../../../engines/names/new-files.ts'
import { slugify } from '../../../engines/names/slugs.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'
import type { Batch } from './state.ts'
import { readTitle } from './titles.ts'

export async function insertReusable(
  batch: Batch,
  index: number,
  { title: given, document }: ChangeOf<'insert_reusable_content'>,
  id: string,
): Promise<void> {
  const { draft, places } = batch
  const key = reusableKey(id)
  await draft.load([key])
  const title = readTitle(index, given)
  // Without a document until its text is written.
  const record: ReusableRecord = { title, document: '', file: places.free(fileOfInclude(slugify(title))) }
  draft.set(key, record)
  places.enter(key, record)
  batch.touch(key, index)
  batch.queueStep(key, { kind: 'include', index, document, titles: { before: title, after: title } })
}

export async function updateReusable(
  batch: Batch,
  index: number,
  change: ChangeOf<'update_reusable_content'>,
): Promise<void> {
  const { key, record } = await findReusable(batch, index, change.reusableContent)
  const title = change.title === undefined ? record.title : readTitle(index, change.title)
  batch.draft.set(key, { ...record, title })
  batch.touch(key, index)
  const titles = { before: record.title, after: title }
  batch.queueStep(key, { kind: 'include', index, document: change.document, titles })
}

/** Pages still include it, and show that it was deleted. */
export async function deleteReusable(
  batch: Batch,
  index: number,
  change: ChangeOf<'delete_reusable_content'>,
): Promise<void> {
  const { key, record } = await findReusable(batch, index, change.reusableContent)
  batch.draft.set(key, null)
  batch.places.leave(key, record)
  batch.texts.delete(key)
  batch.touch(key, index)
}

async function findReusable({ draft, refs }: Batch, index: number, given: string) {
  const made = refs.find(given)
  const key = reusableKey(made?.kind === 'reusable-content' ? made.id : given)
  await draft.load([key])
  const record = draft.get(key)
  if (record === null)
    throw refuse(
      index,
      'reusableContent',
      `there is no reusable content ${given} in this content at this point.`,
    )
  return { key, record }
}
