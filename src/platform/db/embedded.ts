// The embedded database: PostgreSQL as WebAssembly, in this process, on a folder or in memory.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { Pool } from 'pg'
import { now } from '../../base/clock.ts'
import { EmbeddedSocket } from './embedded-socket.ts'
import { typeParsers } from './types.ts'

// As shipped, PGlite is not durable, in two ways: it starts PostgreSQL with fsync off (-F), and both of its sync calls
// do nothing. Of the two, fd_sync can be given a body through `stream_ops.fsync`; the fdatasync call that WAL uses by
// default on Linux cannot, so WAL is told to use fsync, which is fd_sync, which here is a real fdatasync.
const DURABLE = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

interface SyncableModule {
  readonly NODEFS: unknown
}

interface NodeStreams {
  stream_ops: { fsync?: (stream: { nfd: number }) => number }
}

class DurableFolder extends NodeFS {
  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters)
    const sync = (module: SyncableModule) => {
      // a failed sync throws out of PostgreSQL, which is what its own PANIC would do: nothing is acknowledged
      ;(module.NODEFS as NodeStreams).stream_ops.fsync = stream => {
        fdatasyncSync(stream.nfd)
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), sync] } }
  }
}

const EXTENSIONS = { pg_trgm }
// Written into the folder when its first creation is on the disk as a whole.
const COMPLETE = 'octavo-complete'

/** The database of a folder, created at the first start. Only one process may have it open: see platform/lock.ts. */
export async function openFolder(folder: string): Promise<PGlite> {
  setAsideIncomplete(folder)
  const isNew = !existsSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const postgres = await PGlite.create({
    dataDir: folder,
    fs: new DurableFolder(folder),
    extensions: EXTENSIONS,
    startParams: DURABLE,
  })
  if (isNew) {
    writeFileSync(join(folder, COMPLETE), '')
    syncTree(folder)
  }
  return postgres
}

/** A database that lives as long as the process; `template` is what `dumpDataDir` gave. */
export const openMemory = (template?: Blob): Promise<PGlite> =>
  PGlite.create({ extensions: EXTENSIONS, ...(template === undefined ? {} : { loadDataDir: template }) })

// The first creation copies about 970 files. A process that died in between left a folder that cannot be opened and
// in which nothing was ever acknowledged; it is moved aside, not deleted, in case that reasoning meets a surprise.
function setAsideIncomplete(folder: string): void {
  if (!existsSync(folder) || existsSync(join(folder, COMPLETE))) return
  renameSync(folder, `${folder}.incomplete-${now().getTime()}`)
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The one session of `postgres` as a pool of one connection: its queue is first come, first served. */
export const poolOf = (postgres: PGlite, waitMilliseconds: number): Pool =>
  new Pool({
    max: 1,
    stream: () => new EmbeddedSocket(postgres),
    user: 'postgres',
    password: 'unused',
    database: 'postgres',
    ssl: false,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitMilliseconds,
    types: typeParsers,
  })
