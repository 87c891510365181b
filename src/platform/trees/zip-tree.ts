// The files of a zip archive as a tree to import from. Nothing is unpacked: files are read on request. Declared sizes
// are checked during reading, so a zip bomb is read no further than its declared size.
import { buffer } from 'node:stream/consumers'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import {
  diskFull,
  Failure,
  invalid,
  isDiskFull,
  messageOf,
  tooLarge,
  unavailable,
} from '../../base/errors.ts'
import { gitBlobHash } from '../../base/git-blob.ts'
import type { ListOptions, ReadOptions, TreeEntry, TreeFile, TreeSource } from '../tree-source.ts'
import { readPath } from '../tree-source.ts'

export interface ZipTree extends TreeSource {
  /** The archives in it, without ids, if it contains nothing else; `list` is empty then. */
  listArchives(options: Pick<ListOptions, 'entriesMax' | 'signal'>): Promise<TreeEntry[]>
  close(): void
}

/** What `versionMadeBy` has in its upper byte where attributes have modes: Unix, and OS X. */
const SYSTEMS_WITH_MODES = new Set([3, 19])
const EXECUTABLE_BIT = 0o100
const FOLDER_BITS = 0o040000
const LINK_BITS = 0o120000
const KIND_BITS = 0o170000
/** Files that operating systems add. */
const ADDED = /(?:^|\/)(?:__MACOSX|\.DS_Store|Thumbs\.db)(?:\/|$)/

/** Folders and additions of systems, besides the files that are read: macOS adds an entry for each. */
const ENTRIES_PER_FILE_MAX = 4

/**
 * The tree of an archive on this machine.
 *
 * @param bytesMax of all its files, unpacked
 * @param startOf what is left away from the beginnings of the paths: by default a folder that all files are in
 * @throws Failure invalid `archive_invalid`, `archive_encrypted`, `archive_of_archives`; too_large `archive_too_large`,
 *   `too_many_files`; unavailable `archive_unreadable`; storage_full `disk_full`.
 */
export async function openZip(
  file: string,
  bytesMax: number,
  startOf: (paths: readonly string[]) => string = commonFolder,
): Promise<ZipTree> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: false, validateEntrySizes: true }
  const zip = await openPromise(file, options).catch(cause => {
    throw notRead(cause)
  })
  return new OpenedZip(zip, bytesMax, startOf)
}

const notRead = (cause: unknown): Failure =>
  invalid(
    'archive_invalid',
    `The archive cannot be read: ${messageOf(cause).replace(/(?<!\.)\.+$/, '')}.`,
    cause,
  )

/** Failures while reading an opened archive: the archive is at fault, or its disk. */
function brokenOff(cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  if (isDiskFull(cause)) return diskFull(cause)
  if (!(cause instanceof Error && 'syscall' in cause)) return notRead(cause)
  const message = 'The disk of the server failed while the archive was read. Import it again.'
  return unavailable('archive_unreadable', message, cause)
}

class OpenedZip implements ZipTree {
  readonly #zip: ZipFile
  readonly #bytesMax: number
  readonly #startOf: (paths: readonly string[]) => string
  #entries: Promise<ReadonlyMap<string, Entry>> | undefined

  constructor(zip: ZipFile, bytesMax: number, startOf: (paths: readonly string[]) => string) {
    this.#zip = zip
    this.#bytesMax = bytesMax
    this.#startOf = startOf
  }

  close(): void {
    this.#zip.close()
  }

  async listArchives({
    entriesMax,
    signal,
  }: Pick<ListOptions, 'entriesMax' | 'signal'>): Promise<TreeEntry[]> {
    const entries = await this.#read(entriesMax)
    signal?.throwIfAborted()
    if (!isOfArchives(entries)) return []
    return [...entries].map(([path, { uncompressedSize: size }]) => ({
      ...readPath(Buffer.from(path)),
      ...{ kind: 'file', oid: '', size },
    }))
  }

  #read(entriesMax: number): Promise<ReadonlyMap<string, Entry>> {
    this.#entries ??= this.#readDirectory(entriesMax)
    return this.#entries
  }

  async list({ entriesMax, subdirectory = '', signal }: ListOptions): Promise<TreeEntry[]> {
    const entries = await this.#read(entriesMax)
    if (isOfArchives(entries)) {
      const [inner] = entries.keys()
      const message = `The archive holds ${JSON.stringify(inner)}, an archive itself. Unpack it, and import that one.`
      throw invalid('archive_of_archives', message)
    }
    const start = subdirectory === '' ? '' : `${subdirectory.replaceAll(/^\/+|(?<!\/)\/+$/g, '')}/`
    const found: TreeEntry[] = []
    for (const [path, entry] of entries) {
      if (!path.startsWith(start)) continue
      signal?.throwIfAborted()
      const size = entry.uncompressedSize
      const hash = gitBlobHash(size)
      for await (const chunk of this.#bytesOf(entry)) hash.update(chunk)
      found.push({ ...readPath(Buffer.from(path)), kind: kindOf(entry), oid: hash.digest('hex'), size })
    }
    return found.sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
  }

  async *read(entries: Iterable<TreeEntry>, { bytesMax, signal }: ReadOptions): AsyncGenerator<TreeFile> {
    for (const entry of entries) {
      signal?.throwIfAborted()
      if (entry.size <= bytesMax) yield { entry, bytes: await buffer(this.stream(entry)) }
    }
  }

  async *stream(entry: TreeEntry): AsyncGenerator<Uint8Array> {
    const found = (await this.#entries)?.get(entry.path)
    if (found !== undefined) yield* this.#bytesOf(found)
  }

  async *#bytesOf(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      // A stream of bytes; Node types the items of any stream as any.
      yield* (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
    } catch (cause) {
      throw brokenOff(cause)
    }
  }

  /** Its files by path. */
  async #readDirectory(entriesMax: number): Promise<ReadonlyMap<string, Entry>> {
    const found = new Map<string, Entry>()
    let bytes = 0
    // Reading skipped entries takes just as long.
    const most = ENTRIES_PER_FILE_MAX * entriesMax
    if (this.#zip.entryCount > most)
      throw tooLarge('too_many_files', `There are more than ${most} files and folders in the archive.`)
    try {
      for await (const entry of this.#zip.eachEntry()) {
        const kind = (entry.externalFileAttributes >>> 16) & KIND_BITS
        const isFile = !entry.fileName.endsWith('/') && kind !== FOLDER_BITS
        if (!isFile || ADDED.test(entry.fileName)) continue
        if (entry.isEncrypted())
          throw invalid('archive_encrypted', 'The archive has a password. Unpack it, and import the folder.')
        if (found.size >= entriesMax)
          throw tooLarge('too_many_files', `There are more than ${entriesMax} files in the archive.`)
        bytes += entry.uncompressedSize
        if (bytes > this.#bytesMax)
          throw tooLarge('archive_too_large', `The archive unpacks to more than ${this.#bytesMax} bytes.`)
        found.set(entry.fileName, entry)
      }
    } catch (cause) {
      throw brokenOff(cause)
    }
    const start = this.#startOf([...found.keys()])
    return new Map([...found].map(([path, entry]) => [path.slice(start.length), entry]))
  }
}

function kindOf({ externalFileAttributes, versionMadeBy }: Entry): TreeEntry['kind'] {
  const mode = externalFileAttributes >>> 16
  if ((mode & KIND_BITS) === LINK_BITS) return 'symlink'
  const isExecutable = SYSTEMS_WITH_MODES.has(versionMadeBy >>> 8) && (mode & EXECUTABLE_BIT) !== 0
  return isExecutable ? 'executable' : 'file'
}

const isOfArchives = (entries: ReadonlyMap<string, Entry>): boolean =>
  entries.size > 0 &&
  [...entries].every(([path, entry]) => path.endsWith('.zip') && kindOf(entry) !== 'symlink')

/** The folder that contains all files, with its slash; '' if there is none. */
export function commonFolder(paths: readonly string[]): string {
  const [first = ''] = paths
  const folder = first.slice(0, first.indexOf('/') + 1)
  return paths.every(path => path.startsWith(folder)) ? folder : ''
}
