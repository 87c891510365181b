// The files that a revision is written as.
import { sha256 } from '../../../base/canonical.ts'
import type { Content } from '../../../engines/content/content.ts'
import { fileKey, type Hash, type Key, pageKey, reusableKey } from '../../../engines/content/records.ts'
import { type Mode, modeOfRecord } from './modes.ts'

/** The content of a file with its mode. `key` is its record; equal bytes have equal hashes. */
export type FileContent = Mode & FileBytes
type FileBytes =
  | { readonly kind: 'document'; readonly key?: Key; readonly hash: Hash }
  | {
      readonly kind: 'blob'
      readonly key: Key
      readonly hash: Hash
      readonly size: number
      readonly oid?: string
    }
  | { readonly kind: 'bytes'; readonly key?: Key; readonly hash: Hash; readonly bytes: Uint8Array }

export const bytesOf = (bytes: Uint8Array): FileContent => ({ kind: 'bytes', hash: sha256(bytes), bytes })

/** Whether two files have the same bytes and the same mode. */
export const isSameFile = (one: FileContent | undefined, other: FileContent): boolean =>
  one?.hash === other.hash && one.isExecutable === other.isExecutable

const EMPTY = bytesOf(new Uint8Array())

/** Whether it is the file of a page without text, which a repository may lack. */
export const isEmptyPage = (content: FileContent): boolean =>
  content.kind === 'bytes' && content.hash === EMPTY.hash

/** By path from the top of the project. If two have the same path, the page wins over the file. */
export function filesOf({ pages, files, reusables }: Content): Map<string, FileContent> {
  const written = new Map<string, FileContent>()
  const write = (record: Mode, file: string, content: FileContent) =>
    written.set(file, { ...content, ...modeOfRecord(record) })
  for (const [id, record] of files) {
    const { file, size, blob, oid } = record
    const content = { kind: 'blob', key: fileKey(id), hash: blob, size } as const
    write(record, file, oid === undefined ? content : { ...content, oid })
  }
  for (const [id, record] of reusables)
    write(record, record.file, { kind: 'document', key: reusableKey(id), hash: record.document })
  for (const [id, record] of pages) {
    const { type, file, document } = record
    if (type !== 'document' || file === undefined) continue
    const key = pageKey(id)
    // SUMMARY.md names the file of a page without text, too.
    write(record, file, document === null ? { ...EMPTY, key } : { kind: 'document', key, hash: document })
  }
  return written
}
