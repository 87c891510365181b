// Sources of imports, in the form that the layout takes: a commit of a repository or a local folder.
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { describeFile, HEAD_BYTES } from '../../platform/images.ts'
import { readHead } from '../../platform/stream-head.ts'
import type { TreeEntry, TreeFile, TreeSource } from '../../platform/tree-source.ts'
import { ENTRIES_MAX } from './layout/bounds.ts'
import type { Source } from './layout.ts'

/** Everything below the project directory. If that is too much, the directory is most likely wrong. */
export async function listEntries(
  tree: TreeSource,
  projectDirectory: string,
  filesMax: number,
  signal: AbortSignal,
): Promise<TreeEntry[]> {
  const entriesMax = Math.min(ENTRIES_MAX, filesMax)
  return tree.list({ entriesMax, subdirectory: projectDirectory, signal }).catch(reason => {
    if (reason?.code !== 'too_many_files') throw reason
    throw new Failure(
      'too_large',
      'too_many_files',
      `There are more than ${entriesMax} files below ${projectDirectory === '' ? 'the top of the repository' : projectDirectory}. Name the directory of the documentation with repoProjectDirectory.`,
      reason,
    )
  })
}

/** For a repository without commits. */
export const EMPTY_TREE: TreeSource = {
  list: async () => [],
  async *read() {},
  async *stream() {},
}

// Files up to this size are read into memory together; larger ones are streamed one after the other.
export const HELD_BYTES_MAX = 8 * 1024 * 1024
// Blobs put at once are recorded by one statement.
const PUTS_AT_ONCE = 64
const GROUP_BYTES_MAX = 4 * HELD_BYTES_MAX

export function createSource(
  { blobs, compute, objects, config }: Pick<Services, 'blobs' | 'compute' | 'objects' | 'config'>,
  spaceId: string,
  tree: TreeSource,
  entries: readonly TreeEntry[],
  signal: AbortSignal,
): Source {
  const put = async (
    entry: TreeEntry,
    head: Uint8Array,
    content: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<Put> => {
    const { contentType } = describeFile(head, entry.path)
    const { sha256, size } = await blobs.put(content, { contentType, bytesMax: config.fileBytesMax })
    return { entry, head, blob: sha256, size }
  }
  const putEach = async function* (wanted: readonly TreeEntry[]): AsyncGenerator<Put> {
    const small = wanted.filter(({ size }) => size <= HELD_BYTES_MAX)
    for await (const group of inGroups(tree.read(small, { bytesMax: HELD_BYTES_MAX, signal }))) {
      const puts = group.map(({ entry, bytes }) => put(entry, bytes.subarray(0, HEAD_BYTES), bytes))
      // No put outlives a failed import.
      await Promise.allSettled(puts)
      yield* await Promise.all(puts)
    }
    for (const entry of wanted) {
      if (entry.size <= HELD_BYTES_MAX) continue
      const { head, all } = await readHead(tree.stream(entry, { signal }), HEAD_BYTES)
      yield await put(entry, head, all)
    }
  }
  return {
    compute,
    spaceId,
    entries,
    read: (wanted, bytesMax) => tree.read(wanted, { bytesMax, signal }),
    readDocuments: hashes => objects.getMany(hashes),
    async *keep(wanted) {
      // Trees of a few kilobytes can name one file a million times.
      const same = Map.groupBy(wanted, ({ oid, path }) => oid || path)
      const firsts = [...same.values()].flatMap(([first]) => first ?? [])
      for await (const { entry: first, head, blob, size } of putEach(firsts))
        for (const entry of same.get(first.oid || first.path) ?? []) {
          const { contentType, dimensions } = describeFile(head, entry.path)
          const kept = { blob, size, contentType, ...(dimensions === undefined ? {} : { dimensions }) }
          yield { entry, kept }
        }
    },
  }
}

/** Files are not stored, nor read: for a plan that is only counted. */
export const createCountedSource = (
  { compute }: Pick<Services, 'compute'>,
  lane: string,
  tree: TreeSource,
  entries: readonly TreeEntry[],
  signal: AbortSignal,
): Source => ({
  compute,
  spaceId: lane,
  entries,
  read: (wanted, bytesMax) => tree.read(wanted, { bytesMax, signal }),
  readDocuments: async () => new Map(),
  async *keep(wanted) {
    for (const entry of wanted) {
      const { oid: blob, size, path } = entry
      yield { entry, kept: { blob, size, contentType: describeFile(new Uint8Array(), path).contentType } }
    }
  },
})

/** A stored file, and its first bytes. */
type Put = {
  readonly entry: TreeEntry
  readonly head: Uint8Array
  readonly blob: string
  readonly size: number
}

/** Files in order, in groups that fit in memory. */
async function* inGroups(files: AsyncIterable<TreeFile>): AsyncGenerator<TreeFile[]> {
  let group: TreeFile[] = []
  let bytes = 0
  for await (const file of files) {
    group.push(file)
    bytes += file.bytes.length
    if (group.length < PUTS_AT_ONCE && bytes < GROUP_BYTES_MAX) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}
