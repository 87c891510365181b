// Files of a space: new ones get a path in the repository; others get a name or bytes, go back to a revision, or are
// deleted.
import { assert } from '../../../base/assert.ts'
import { folderOf, joinPath, nameOf } from '../../../base/paths.ts'
import { Draft } from '../../../engines/content/draft.ts'
import { equalRecords, type FileRecord, fileKey } from '../../../engines/content/records.ts'
import { ASSETS_FOLDER, isIgnored, isKeptFile } from '../../../engines/names/kept-files.ts'
import { fileOfAsset, PATH_BYTES_MAX, readFolder } from '../../../engines/names/new-files.ts'
import type { StoredFile } from '../request/new-files.ts'
import type { NewAsset } from '../request/prepare.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'
import { findLeading, LEADING_TEXTS_MAX, relink } from './relinks.ts'
import { rootToRevertTo } from './reverts.ts'
import type { Batch } from './state.ts'

export async function insertFiles(batch: Batch, index: number, assets: readonly NewAsset[]): Promise<void> {
  const { draft, places } = batch
  await draft.load(assets.map(({ id }) => fileKey(id)))
  for (const { id, kept } of assets) {
    const file = places.free(fileOfAsset(kept.name.normalize('NFC')))
    // Named as in the repository, so that importing it changes nothing.
    const { author, now } = batch.base
    insertFile(batch, index, id, { ...kept, name: nameOf(file), file, ...madeBy(author, now) })
  }
}

function insertFile(batch: Batch, index: number, id: string, record: FileRecord): void {
  batch.draft.set(fileKey(id), record)
  batch.places.enter(fileKey(id), record)
  batch.touch(fileKey(id), index)
  batch.insertedFiles.push([id, record])
}

/** Another name, another folder, other bytes (`sent`), or several of these. */
export async function updateFile(
  batch: Batch,
  index: number,
  change: ChangeOf<'update_file'>,
  sent: StoredFile | undefined,
): Promise<void> {
  const record = await getFile(batch, index, change.file)
  const file = placeOf(index, record.file, change)
  const taken = file === record.file ? undefined : batch.places.find(file)
  if (taken !== undefined)
    throw refuse(
      index,
      change.name === undefined ? 'folder' : 'name',
      `there is a ${taken.kind} at ${file} in this content. Choose another name.`,
    )
  const bytes =
    sent === undefined && endingOf(file) === endingOf(record.file)
      ? bytesOf(record)
      : await describeBytes(batch, sent ?? record, file, change.contentType)
  const isSame = sent === undefined && file === record.file && equalRecords(bytes, bytesOf(record))
  const uploadedBy = sent === undefined ? record.uploadedBy : batch.base.author
  const made = isSame ? madeOf(record) : madeBy(uploadedBy, batch.base.now)
  await putFile(batch, index, change.file, { ...bytes, ...made }, file)
}

/** Who put its bytes there, and when the file changed. */
const madeBy = (uploadedBy: string | null | undefined, at: Date): Made => ({
  ...(uploadedBy === null || uploadedBy === undefined ? {} : { uploadedBy }),
  updatedAt: at.toISOString(),
})

const madeOf = ({ uploadedBy, updatedAt }: FileRecord): Made => ({
  ...(uploadedBy === undefined ? {} : { uploadedBy }),
  ...(updatedAt === undefined ? {} : { updatedAt }),
})

type Made = Pick<FileRecord, 'uploadedBy' | 'updatedAt'>

/** Where it is not said, it is what it was. */
function placeOf(
  index: number,
  before: string,
  { name, folder }: Pick<ChangeOf<'update_file'>, 'name' | 'folder'>,
): string {
  const last = name === undefined ? nameOf(before) : nameOf(fileOfAsset(name.normalize('NFC')))
  if (folder === undefined) return joinPath(folderOf(before), last)
  const wanted = readFolder(folder)
  const file = wanted === undefined ? undefined : joinPath(wanted, last)
  if (file === undefined)
    throw refuse(
      index,
      'folder',
      'not every file system takes this. Send names of folders with slashes between them, such as "guides/pictures".',
    )
  if (file !== before && (!isKeptFile(file) || isIgnored(file) || Buffer.byteLength(file) > PATH_BYTES_MAX))
    throw refuse(
      index,
      'folder',
      `an import would not take ${nameOf(file)} from there. Choose ${ASSETS_FOLDER}, or a folder in it.`,
    )
  return file
}

const endingOf = (file: string): string => file.slice(file.lastIndexOf('.') + 1).toLowerCase()

type Bytes = Pick<FileRecord, 'blob' | 'size' | 'contentType' | 'dimensions' | 'oid'>

const bytesOf = ({ blob, size, contentType, dimensions, oid }: FileRecord): Bytes => ({
  ...{ blob, size, contentType },
  ...(dimensions === undefined ? {} : { dimensions }),
  ...(oid === undefined ? {} : { oid }),
})

/** Their type is the one that was sent with them; else what they are under this name, if that tells. */
async function describeBytes(
  { base }: Batch,
  { blob, size, contentType, dimensions, oid }: Bytes,
  file: string,
  sentType: string | undefined,
): Promise<Bytes> {
  const found = await base.describe(blob, file)
  const isKept = sentType !== undefined || found.contentType === 'application/octet-stream'
  const { contentType: type, dimensions: pixels } = isKept ? { contentType, dimensions } : found
  return {
    ...{ blob, size, contentType: type },
    ...(pixels === undefined ? {} : { dimensions: pixels }),
    ...(oid === undefined ? {} : { oid }),
  }
}

async function getFile({ draft }: Batch, index: number, id: string): Promise<FileRecord> {
  await draft.load([fileKey(id)])
  const record = draft.get(fileKey(id))
  if (record === null)
    throw refuse(index, 'file', `there is no file ${id} in this content. Its ids are in …/content/files.`)
  return record
}

/** The file with these bytes at this path. Texts that lead to it lead there. */
async function putFile(
  batch: Batch,
  index: number,
  id: string,
  bytes: Bytes & Made,
  file: string,
): Promise<void> {
  const { draft, places } = batch
  const key = fileKey(id)
  const before = draft.get(key)
  assert(before !== null, 'a file that gets a path is there')
  const { isExecutable } = before
  const record: FileRecord = {
    ...{ name: nameOf(file), file, ...bytes },
    ...(isExecutable === undefined ? {} : { isExecutable }),
  }
  draft.set(key, record)
  batch.touch(key, index)
  if (before.file === file) return
  places.leave(key, before)
  places.enter(key, record)
  await relinkFile(batch, index, id, before.file, record.file)
}

async function relinkFile(batch: Batch, index: number, id: string, from: string, to: string): Promise<void> {
  const leading = await findLeading(batch, fileKey(id))
  if (leading === undefined)
    throw refuse(
      index,
      'file',
      `more than ${LEADING_TEXTS_MAX} texts lead to ${from}, and each would be written anew. Insert it under the new name, and change where they lead bit by bit.`,
    )
  relink(batch, index, leading, { from, to })
}

/** Undoes what was changed since a revision. */
export async function revertFile(
  batch: Batch,
  index: number,
  { file: id, revision }: ChangeOf<'revert_file'>,
): Promise<void> {
  const { base, draft, places } = batch
  const key = fileKey(id)
  const past = new Draft(base.store, await rootToRevertTo(batch, index, revision))
  await Promise.all([draft.load([key]), past.load([key])])
  const [now, then] = [draft.get(key), past.get(key)]
  if (now === null && then === null)
    throw refuse(index, 'file', `there is no file ${id}, neither in this content nor in that revision.`)
  if (then === null) return deleteFile(batch, index, { operation: 'delete_file', file: id })
  const file = now?.file === then.file ? then.file : places.free(then.file)
  // What is as it was then is no change.
  if (now !== null) return putFile(batch, index, id, { ...bytesOf(then), ...madeOf(then) }, file)
  insertFile(batch, index, id, { ...then, name: nameOf(file), file })
}

/** Links to it become broken; no text is rewritten. */
export async function deleteFile(
  batch: Batch,
  index: number,
  { file: id }: ChangeOf<'delete_file'>,
): Promise<void> {
  const key = fileKey(id)
  const record = await getFile(batch, index, id)
  batch.draft.set(key, null)
  batch.places.leave(key, record)
  batch.touch(key, index)
}
