// Converts the effects of a request to their wire format.
import { type FileWireContext, toFile } from '../content/wire.ts'
import type { Edited } from './actions.ts'
import type { AppliedChange } from './batch/state.ts'
import type { RecordRef } from './request/prepare.ts'
import { UPLOAD_HOURS, type Uploaded } from './request/uploads.ts'
import { BLOCK_KEY_CHARACTERS_MAX, type Outcome, type Upload } from './schema.ts'

export const toUpload = ({ row, size }: Uploaded): Upload => ({
  object: 'upload',
  id: row.id,
  size,
  sha256: row.blob_hash.toString('hex'),
  expiresAt: new Date(row.created_at.getTime() + UPLOAD_HOURS * 3_600_000).toISOString(),
})

/** `at` is the path of the written content: `/spaces/1/content`. */
export const toUpdate = (
  view: FileWireContext,
  at: string,
  { applied: { changes, insertedFiles, unresolved, unwritten }, merged }: Omit<Edited<unknown>, 'row'>,
) => ({
  merged: [...merged],
  changes: changes.map(each => toOutcome(view, at, each)),
  insertedFiles: insertedFiles.map(([id, record]) => toFile(view, id, record)),
  unresolved: unresolved.map(({ from, path, kind }) => ({ ...toHolder(from), path, kind })),
  unwritten: unwritten.map(({ from, block, isKept }) => ({
    ...toHolder(from),
    ...(block === undefined ? {} : { block: block.slice(0, BLOCK_KEY_CHARACTERS_MAX).toWellFormed() }),
    reason: isKept ? ('kept_as_it_was' as const) : ('written_as_plain_words' as const),
  })),
})

const toHolder = ({ kind, id }: RecordRef) => (kind === 'page' ? { page: id } : { reusableContent: id })

function toOutcome(view: FileWireContext, at: string, applied: AppliedChange): Outcome {
  const { urls } = view
  const { kind, how, id, ref, file } = applied
  const echo = ref === undefined ? {} : { ref }
  if (kind === 'file')
    return file === undefined
      ? { object: 'deleted_file', file: id }
      : { object: 'updated_file', file: toFile(view, id, file) }
  if (kind === 'page') {
    if (how === 'deleted') return { object: 'deleted_page', page: id }
    const page = { object: 'page' as const, id, urls: { location: urls.api(`${at}/page/${id}`) } }
    return how === 'created' ? { object: 'created_page', page, ...echo } : { object: 'updated_page', page }
  }
  if (how === 'deleted') return { object: 'deleted_reusable_content', reusableContent: id }
  const reusableContent = {
    object: 'reusable-content' as const,
    id,
    urls: { location: urls.api(`${at}/reusable-contents/${id}`) },
  }
  return how === 'created'
    ? { object: 'created_reusable_content', reusableContent, ...echo }
    : { object: 'updated_reusable_content', reusableContent }
}
