// The files of an embedded database: makes PostgreSQL's sync calls reach the disk, and repairs a folder that a killed
// process left unfinished. For the database's thread, since it waits for the disk.
import {
  existsSync,
  fdatasyncSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { now } from '../../base/clock.ts'

const EIO = 29 // as WASI numbers it

interface Stream {
  readonly nfd: number
  readonly node: { readonly mode: number }
}

// The parts in use of the WebAssembly module's file system:
// https://emscripten.org/docs/api_reference/Filesystem-API.html
interface Files {
  readonly NODEFS: {
    readonly stream_ops: {
      fsync?: (stream: Stream) => number
      write: (stream: Stream, ...rest: unknown[]) => number
      setattr: (stream: Stream, ...rest: unknown[]) => void
    }
    readonly node_ops: { setattr: (node: object, ...rest: unknown[]) => void }
  }
  readonly FS: { readonly ErrnoError: new (errno: number) => Error; isDir(mode: number): boolean }
}

export class DurableFolder extends NodeFS {
  // Files written while PostgreSQL starts; undefined once it has.
  #written: Set<object> | undefined = new Set()

  /** From now on every sync reaches the disk. */
  started(): void {
    this.#written = undefined
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters)
    // The Emscripten module, whose file systems PGlite does not declare.
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => this.#attach(module as Files)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  #attach({ NODEFS: { stream_ops, node_ops }, FS }: Files): void {
    const { write, setattr } = stream_ops
    const setNodeAttributes = node_ops.setattr
    stream_ops.write = (stream, ...rest) => {
      this.#written?.add(stream.node)
      return write(stream, ...rest)
    }
    stream_ops.setattr = (stream, ...rest) => {
      this.#written?.add(stream.node)
      setattr(stream, ...rest)
    }
    node_ops.setattr = (node, ...rest) => {
      this.#written?.add(node)
      setNodeAttributes(node, ...rest)
    }
    stream_ops.fsync = stream => {
      // After a crash PostgreSQL syncs every file, one after the other, twice: seconds on a busy disk.
      // prepareFolder() has already synced all of them at once, so until PostgreSQL has started, only its own writes
      // are left to sync.
      if (this.#written?.has(stream.node) === false && !FS.isDir(stream.node.mode)) return 0
      try {
        fdatasyncSync(stream.nfd)
        return 0
      } catch {
        // an error number makes PostgreSQL panic, as it should; PGlite would swallow any other exception
        throw new FS.ErrnoError(EIO)
      }
    }
  }
}

// Written into the folder once its creation is completely on the disk.
const COMPLETE = 'octavo-complete'

/** Whether the folder's creation was completed. */
export const isComplete = (folder: string): boolean => existsSync(join(folder, COMPLETE))

/** Prepares a folder to be opened. True: it is new, and completeFolder() has to follow once the database is created. */
export async function prepareFolder(folder: string): Promise<boolean> {
  setAsideIncomplete(folder)
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return true
  }
  if (!wasShutDown(folder)) await syncTree(folder)
  return false
}

export async function completeFolder(folder: string): Promise<void> {
  writeFileSync(join(folder, COMPLETE), '')
  await syncTree(folder)
}

// Creation copies about 970 files. A process that died in between left a folder that cannot be opened and in which
// nothing was ever acknowledged. It is moved aside, not deleted, in case this reasoning is wrong.
function setAsideIncomplete(folder: string): void {
  if (!existsSync(folder) || isComplete(folder)) return
  renameSync(folder, `${folder}.incomplete-${now().getTime()}`)
}

// The state in pg_control (src/include/catalog/pg_control.h): at offset 8 + 4 + 4, 1 after an orderly end.
function wasShutDown(folder: string): boolean {
  const control = readFileSync(join(folder, 'global', 'pg_control'))
  return control.readInt32LE(16) === 1
}

// Many at a time: the file system flushes them together. One after the other took seconds on a busy disk.
async function syncTree(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile() || entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
  paths.push(folder)
  const syncOne = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      await using file = await open(path, 'r')
      await file.sync()
    }
  }
  await Promise.all(Array.from({ length: 32 }, syncOne))
}
