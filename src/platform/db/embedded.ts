// The embedded database: PostgreSQL as WebAssembly, in this process, on a folder or in memory.
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
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { Pool } from 'pg'
import { now } from '../../base/clock.ts'
import { EmbeddedSocket } from './embedded-socket.ts'
import { typeParsers } from './types.ts'

/** A running PostgreSQL of this process. */
export interface Engine {
  readonly postgres: PGlite
  /** Why it had to give up (a PANIC: a disk that is full or fails). It answers nothing from then on. */
  broken?: Error
}

// Below 32 MB nothing gets slower, because the operating system caches the same files; the default of 128 MB costs
// 100 MB of memory and 70 ms at every start.
const SMALL = ['-c', 'shared_buffers=32MB']
// As shipped, PGlite is not durable, in two ways: it starts PostgreSQL with fsync off (-F), and both of its sync calls
// do nothing. Of the two, fd_sync can be given a body through `stream_ops.fsync`; the fdatasync call that WAL uses by
// default on Linux cannot, so WAL is told to use fsync, which is fd_sync, which is a real fdatasync below.
const DURABLE = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
  ...SMALL,
]

const EIO = 29 // as WASI numbers it

interface Stream {
  readonly nfd: number
  readonly node: { readonly mode: number }
}

// What is used of the WebAssembly module's file system: https://emscripten.org/docs/api_reference/Filesystem-API.html
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

class DurableFolder extends NodeFS {
  readonly #onBroken: () => void
  // Files written to while PostgreSQL starts; undefined once it has.
  #written: Set<object> | undefined = new Set()

  constructor(folder: string, onBroken: () => void) {
    super(folder)
    this.#onBroken = onBroken
  }

  /** From now on every sync is one. */
  started(): void {
    this.#written = undefined
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters)
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => this.#attach(module as Files)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: () => this.#onBroken() } }
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
      // After a crash PostgreSQL syncs every file, one after the other, twice: seconds on a busy disk. openFolder() has
      // done so for all of them at once, so until it has started only what it wrote itself is left to sync.
      if (this.#written?.has(stream.node) === false && !FS.isDir(stream.node.mode)) return 0
      try {
        fdatasyncSync(stream.nfd)
        return 0
      } catch {
        // as an error number PostgreSQL sees it and panics, as it should; any other exception PGlite would swallow
        throw new FS.ErrnoError(EIO)
      }
    }
  }
}

const EXTENSIONS = { pg_trgm }
// Written into the folder once its first creation is on the disk as a whole.
const COMPLETE = 'octavo-complete'

/** The database of a folder, created at the first start. Only one process may have it open: see platform/lock.ts. */
export async function openFolder(folder: string, onBroken: (why: Error) => void = () => {}): Promise<Engine> {
  setAsideIncomplete(folder)
  const isNew = !existsSync(folder)
  if (isNew) mkdirSync(folder, { recursive: true, mode: 0o700 })
  else if (!wasShutDown(folder)) await syncTree(folder)
  const fail = () => {
    if (engine === undefined || engine.broken !== undefined) return
    engine.broken = new Error('the embedded database gave up, most likely because the disk is full or fails')
    onBroken(engine.broken)
  }
  let engine: Engine | undefined
  const fs = new DurableFolder(folder, fail)
  engine = {
    postgres: await PGlite.create({ dataDir: folder, fs, extensions: EXTENSIONS, startParams: DURABLE }),
  }
  fs.started()
  if (isNew) {
    writeFileSync(join(folder, COMPLETE), '')
    await syncTree(folder)
  }
  return engine
}

/** A database that lives as long as the process; `template` is what `dumpDataDir` gave. */
export async function openMemory(template?: Blob): Promise<Engine> {
  const postgres = await PGlite.create({
    extensions: EXTENSIONS,
    startParams: [...PGlite.defaultStartParams, ...SMALL],
    ...(template === undefined ? {} : { loadDataDir: template }),
  })
  return { postgres }
}

export async function closeEngine({ postgres, broken }: Engine): Promise<void> {
  if (broken === undefined) await postgres.close()
}

// The first creation copies about 970 files. A process that died in between left a folder that cannot be opened and
// in which nothing was ever acknowledged. It is moved aside and not deleted, in case this reasoning meets a surprise.
function setAsideIncomplete(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, COMPLETE))) return
  renameSync(folder, `${folder}.incomplete-${now().getTime()}`)
}

// The state in pg_control (src/include/catalog/pg_control.h): 8 + 4 + 4 bytes in, 1 after an orderly end.
function wasShutDown(folder: string): boolean {
  const control = readFileSync(join(folder, 'global', 'pg_control'))
  return control.readInt32LE(16) === 1
}

// Many at a time: the file system writes them down together. One after the other took seconds on a busy disk.
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

/** The one session of an engine as a pool of one connection: its queue is first come, first served. */
export const poolOf = (engine: Engine, waitMilliseconds: number): Pool =>
  new Pool({
    max: 1,
    stream: () => new EmbeddedSocket(engine),
    user: 'postgres',
    password: 'unused',
    database: 'postgres',
    ssl: false,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMilliseconds,
    types: typeParsers,
  })
