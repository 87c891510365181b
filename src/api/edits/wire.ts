// Converts the effects of a request to their wire format.
import type { Urls } from '../../http/urls.ts'
import { type FileWireContext, toFile } from '../content/wire.ts'
import type { Applied } from './batch/batch.ts'
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
  { changes, insertedFiles, unresolved, unwritten }: Applied,
) => ({
  changes: changes.map(each => toOutcome(view.urls, at, each)),
  insertedFiles: insertedFiles.map(([id, record]) => toFile(view, id, record)),
  unresolved: unresolved.map(({ from, path, kind }) => ({ ...toHolder(from), path, kind })),
  unwritten: unwritten.map(({ from, block, isKept }) => ({
    ...toHolder(from),
    ...(block === undefined ? {} : { block: block.slice(0, BLOCK_KEY_CHARACTERS_MAX).toWellFormed() }),
    reason: isKept ? ('kept_as_it_was' as const) : ('written_as_plain_words' as const),
  })),
})

const toHolder = ({ kind, id }: RecordRef) => (kind === 'page' ? { page: id } : { reusableContent: id })

function toOutcome(urls: Urls, at: string, { kind, how, id, ref }: AppliedChange): Outcome {
  const echo = ref === undefined ? {} : { ref }
  if (kind === 'file') return { object: 'deleted_file', file: id }
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
