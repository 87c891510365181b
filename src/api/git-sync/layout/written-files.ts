// The files that a revision is written as.
import { sha256 } from '../../../base/canonical.ts'
import type { Content } from '../../../engines/content/content.ts'
import { fileKey, type Hash, type Key, pageKey, reusableKey } from '../../../engines/content/records.ts'

/** The content of a file. `key` is its record; equal bytes have equal hashes. */
export type FileContent =
  | { readonly kind: 'document'; readonly key?: Key; readonly hash: Hash }
  | {
      readonly kind: 'blob'
      readonly key: Key
      readonly hash: Hash
      readonly size: number
      readonly oid?: string
    }
  | { readonly kind: 'bytes'; readonly hash: Hash; readonly bytes: Uint8Array }

export const bytesOf = (bytes: Uint8Array): FileContent => ({ kind: 'bytes', hash: sha256(bytes), bytes })

const EMPTY = bytesOf(new Uint8Array())

/** Whether it is the file of a page without text, which a repository may lack. */
export const isEmptyPage = (content: FileContent): boolean =>
  content.kind === 'bytes' && content.hash === EMPTY.hash

/** By path from the top of the project. If two have the same path, the page wins over the file. */
export function filesOf({ pages, files, reusables }: Content): Map<string, FileContent> {
  const written = new Map<string, FileContent>()
  for (const [id, { file, size, blob, oid }] of files)
    written.set(file, {
      kind: 'blob',
      key: fileKey(id),
      hash: blob,
      size,
      ...(oid === undefined ? {} : { oid }),
    })
  for (const [id, { file, document }] of reusables)
    written.set(file, { kind: 'document', key: reusableKey(id), hash: document })
  for (const [id, { type, file, document }] of pages)
    if (type === 'document' && file !== undefined)
      // SUMMARY.md names the file of a page without text, too.
      written.set(file, document === null ? EMPTY : { kind: 'document', key: pageKey(id), hash: document })
  return written
}
