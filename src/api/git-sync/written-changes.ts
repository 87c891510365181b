// The files of an export as changes of a commit, with their bytes, and the blobs that they become.
import { unavailable } from '../../base/errors.ts'
import { gitBlobHash, gitBlobOid } from '../../base/git-blob.ts'
import { hashed } from '../../base/hashed.ts'
import type { Key } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { FileChange } from '../../platform/git/write-commit.ts'
import type { ExportPlan, WrittenFile } from './export-layout.ts'

// Documents read at once.
const PORTION = 100

/**
 * `oids` has the blob id of every written record once `changes` were read to their end.
 *
 * @param onWritten called after each change with their number so far
 */
export function toChanges(
  services: Pick<Services, 'objects' | 'blobs'>,
  { writes, removes }: Pick<ExportPlan, 'writes' | 'removes'>,
  onWritten: (count: number) => void,
): { changes: AsyncIterable<FileChange>; oids: ReadonlyMap<Key, string> } {
  const oids = new Map<Key, string>()
  const keep = ({ content }: WrittenFile, oid: string) => {
    if (content.key !== undefined) oids.set(content.key, oid)
  }
  async function* changes(): AsyncGenerator<FileChange> {
    let count = 0
    for (const path of removes) {
      yield { path, removed: true }
      onWritten(++count)
    }
    for (let from = 0; from < writes.length; from += PORTION) {
      const portion = writes.slice(from, from + PORTION)
      const hashes = portion.flatMap(({ content }) => (content.kind === 'document' ? [content.hash] : []))
      const documents = await services.objects.getMany(hashes)
      for (const file of portion) {
        const { path, content, isExecutable } = file
        if (content.kind === 'blob') {
          const found = await services.blobs.read(content.hash)
          if (found === undefined) throw missingFile(path)
          const hash = gitBlobHash(found.size)
          try {
            yield { path, isExecutable, size: found.size, content: hashed(found.stream, hash) }
          } finally {
            // An unread stream keeps its file open.
            found.stream.destroy()
          }
          keep(file, hash.digest('hex'))
        } else {
          const bytes = content.kind === 'bytes' ? content.bytes : documents.get(content.hash)
          if (bytes === undefined) throw missingFile(path)
          yield { path, isExecutable, size: bytes.length, content: [bytes] }
          keep(file, gitBlobOid(bytes))
        }
        onWritten(++count)
      }
    }
  }
  return { changes: changes(), oids }
}

const missingFile = (path: string) =>
  unavailable('content_unreadable', `The bytes of ${path} could not be read. Try again.`)
