// Files of a space: new ones get a path in the repository, and one can be deleted.

import { nameOf } from '../../../base/paths.ts'
import { type FileRecord, fileKey } from '../../../engines/content/records.ts'
import { fileOfAsset } from '../../../engines/names/new-files.ts'
import type { NewAsset } from '../request/prepare.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'
import type { Batch } from './state.ts'

export async function insertFiles(batch: Batch, index: number, assets: readonly NewAsset[]): Promise<void> {
  const { draft, places } = batch
  await draft.load(assets.map(({ id }) => fileKey(id)))
  for (const { id, kept } of assets) {
    const file = places.free(fileOfAsset(kept.name.normalize('NFC')))
    // Named as in the repository, so that importing it changes nothing.
    const record: FileRecord = { ...kept, name: nameOf(file), file }
    draft.set(fileKey(id), record)
    places.enter(fileKey(id), record)
    batch.touch(fileKey(id), index)
    batch.insertedFiles.push([id, record])
  }
}

/** Links to it become broken; no text is rewritten. */
export async function deleteFile(
  batch: Batch,
  index: number,
  { file: id }: ChangeOf<'delete_file'>,
): Promise<void> {
  const { draft, places } = batch
  const key = fileKey(id)
  await draft.load([key])
  const record = draft.get(key)
  if (record === null)
    throw refuse(index, 'file', `there is no file ${id} in this content. Its ids are in …/content/files.`)
  draft.set(key, null)
  places.leave(key, record)
  batch.touch(key, index)
}
