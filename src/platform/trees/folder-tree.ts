// A folder on this machine as a tree to import from, as if it were a commit: the same paths, ids, order and bounds.
// Links are listed as links and never followed, and only regular files are opened.
import { constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { type Failure, invalid, tooLarge } from '../../base/errors.ts'
import { gitBlobHash, gitBlobOid } from '../../base/git-blob.ts'
import type { ListOptions, ReadOptions, TreeEntry, TreeFile, TreeSource } from '../tree-source.ts'
import { PATH_BYTES_MAX, readPath } from '../tree-source.ts'

// Folders that no repository contains, however this one came about.
const IGNORED = new Set(['.git', 'node_modules'])
const DEPTH_MAX = 100
const SLASH = Buffer.from('/')

/**
 * The tree of a folder. Files are read once during listing, for their ids, and again on request; a file that changed
 * in between is left out.
 *
 * @throws Failure invalid `directory_missing` if it is not a folder.
 */
export async function folderTree(folder: string): Promise<TreeSource> {
  const root = await realpath(folder).catch(() => undefined)
  const found = root === undefined ? undefined : await lstat(root)
  if (root === undefined || found?.isDirectory() !== true) throw directoryMissing(folder)
  return new FolderTree(Buffer.from(root))
}

class FolderTree implements TreeSource {
  readonly #root: Buffer
  /** The bytes of names that are not UTF-8, by their replacement text. */
  readonly #names = new Map<TreeEntry, Buffer>()

  constructor(root: Buffer) {
    this.#root = root
  }

  async list({ entriesMax, subdirectory = '', signal }: ListOptions): Promise<TreeEntry[]> {
    const folder = Buffer.from(subdirectory.replace(/^\/+|(?<!\/)\/+$/g, ''))
    await this.#checkFolder(folder)
    const found: { name: Buffer; entry: TreeEntry }[] = []
    for await (const name of this.#walk(folder, 0)) {
      signal?.throwIfAborted()
      if (found.length >= entriesMax) {
        const message = `There are more than ${entriesMax} files, which is the most that are read.`
        throw tooLarge('too_many_files', message)
      }
      const entry = await this.#describe(name)
      if (entry !== undefined) found.push({ name, entry })
    }
    found.sort((a, b) => Buffer.compare(a.name, b.name))
    this.#names.clear()
    for (const { name, entry } of found) if (entry.oddity !== undefined) this.#names.set(entry, name)
    return found.map(({ entry }) => entry)
  }

  async *read(entries: Iterable<TreeEntry>, { bytesMax, signal }: ReadOptions): AsyncGenerator<TreeFile> {
    for (const entry of entries) {
      signal?.throwIfAborted()
      if (entry.kind === 'submodule' || entry.size > bytesMax) continue
      const bytes = await this.#bytes(entry)
      if (bytes !== undefined && gitBlobOid(bytes) === entry.oid) yield { entry, bytes }
    }
  }

  async *stream(entry: TreeEntry, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<Uint8Array> {
    if (entry.kind === 'symlink') {
      const bytes = await this.#bytes(entry)
      if (bytes !== undefined) yield bytes
      return
    }
    const file = await openFile(this.#path(this.#nameOf(entry)))
    if (file === undefined) throw changed(entry)
    const hash = gitBlobHash(entry.size)
    let size = 0
    // Without an encoding, the stream yields buffers.
    for await (const chunk of file.createReadStream({ signal }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > entry.size) throw changed(entry)
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== entry.oid) throw changed(entry)
  }

  async #bytes(entry: TreeEntry): Promise<Buffer | undefined> {
    const path = this.#path(this.#nameOf(entry))
    if (entry.kind === 'symlink') return readlink(path, 'buffer').catch(() => undefined)
    const file = await openFile(path)
    try {
      // One byte beyond the listed size is enough to see that it changed.
      return file === undefined ? undefined : await readUpTo(file, entry.size + 1)
    } finally {
      await file?.close()
    }
  }

  async *#walk(folder: Buffer, depth: number): AsyncGenerator<Buffer> {
    const names = await readdir(this.#path(folder), { withFileTypes: true, encoding: 'buffer' }).catch(
      cause => {
        throw invalid(
          'folder_unreadable',
          `The folder ${JSON.stringify(String(folder))} cannot be read.`,
          cause,
        )
      },
    )
    for (const entry of names) {
      if (IGNORED.has(entry.name.toString('latin1'))) continue
      const name = folder.length === 0 ? entry.name : Buffer.concat([folder, SLASH, entry.name])
      if (!entry.isDirectory()) {
        if (isWanted(entry)) yield name
      } else if (depth < DEPTH_MAX && name.length < PATH_BYTES_MAX) yield* this.#walk(name, depth + 1)
    }
  }

  async #describe(name: Buffer): Promise<TreeEntry | undefined> {
    const path = this.#path(name)
    const target = await readlink(path, 'buffer').catch(() => undefined)
    if (target !== undefined) {
      return { ...readPath(name), kind: 'symlink', oid: gitBlobOid(target), size: target.length }
    }
    const file = await openFile(path)
    if (file === undefined) return undefined
    try {
      const { size, mode } = await file.stat()
      const oid = await hashOf(file, size)
      return oid === undefined
        ? undefined
        : { ...readPath(name), kind: (mode & 0o100) === 0 ? 'file' : 'executable', oid, size }
    } finally {
      await file.close()
    }
  }

  async #checkFolder(folder: Buffer): Promise<void> {
    if (folder.length === 0) return
    const name = folder.toString()
    if (readPath(folder).oddity !== undefined) throw directoryMissing(name)
    // No part may be a link: it could lead outside.
    const real = await realpath(this.#path(folder), 'buffer').catch(() => undefined)
    if (real === undefined || !real.equals(this.#path(folder))) throw directoryMissing(name)
    if (!(await lstat(this.#path(folder))).isDirectory()) throw directoryMissing(name)
  }

  #nameOf(entry: TreeEntry): Buffer {
    const name = this.#names.get(entry) ?? Buffer.from(entry.path)
    // Anyone can construct an entry; unless it was listed here it must not lead out of the folder.
    if (!this.#names.has(entry) && readPath(name).oddity !== undefined) throw changed(entry)
    return name
  }

  #path(name: Buffer): Buffer {
    return name.length === 0 ? this.#root : Buffer.concat([this.#root, SLASH, name])
  }
}

const isWanted = (entry: Dirent<Buffer>): boolean => entry.isFile() || entry.isSymbolicLink()

// The system refuses a link in place of a file, a pipe does not block, and neither counts as a file.
async function openFile(path: Buffer): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => undefined)
  if (file === undefined || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

async function hashOf(file: FileHandle, size: number): Promise<string | undefined> {
  const hash = gitBlobHash(size)
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, 1024 * 1024))
  let total = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, total)
    if (bytesRead === 0) break
    total += bytesRead
    if (total > size) return undefined
    hash.update(buffer.subarray(0, bytesRead))
  }
  return total === size ? hash.digest('hex') : undefined
}

async function readUpTo(file: FileHandle, bytesMax: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytesMax)
  let total = 0
  while (total < bytesMax) {
    const { bytesRead } = await file.read(buffer, total, bytesMax - total, total)
    if (bytesRead === 0) break
    total += bytesRead
  }
  return buffer.subarray(0, total)
}

const directoryMissing = (folder: string): Failure =>
  invalid('directory_missing', `There is no folder ${JSON.stringify(folder.slice(0, 200))}.`)

const changed = (entry: TreeEntry): Failure =>
  invalid('file_changed', `The file ${JSON.stringify(entry.path.slice(0, 200))} changed while it was read.`)
