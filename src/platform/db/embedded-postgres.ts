// PostgreSQL as WebAssembly, in the thread that opens it: it computes and waits for the disk without letting anything
// else run. embedded-thread.ts gives it a thread of its own.

import { rmSync } from 'node:fs'
import { type Extension, PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type Clock, now } from '../../base/clock.ts'
import { ownMember } from '../../base/objects.ts'
import { completeFolder, DurableFolder, prepareFolder } from './embedded-folder.ts'
import { PLANNING } from './planning.ts'
import { withLateTierUp } from './wasm-tiering.ts'

/**
 * A folder, made at the first start; a copy of one, which is read and then removed, and may be lost at any time; or
 * memory, filled with the `dump()` of another database.
 */
export type DatabaseLocation =
  | { readonly folder: string; readonly isCopy?: true }
  | { readonly template: Blob | undefined }

export interface Postgres {
  /** The compiled module, as far as it was used. */
  readonly compiled: WebAssembly.Module | undefined
  /**
   * Executes messages of PostgreSQL's protocol to the end. `append` receives the parts of the answer, each a view of
   * memory that changes with the next. Answers the last words of a PostgreSQL that has given up (a PANIC), after
   * which it answers nothing.
   */
  run(request: Uint8Array, append: (part: Uint8Array) => void): Promise<string | undefined>
  dump(): Promise<Blob>
  /** Writes a checkpoint, so that the next start has nothing to recover. */
  close(): Promise<void>
}

export interface Settings {
  /** The default of `statement_timeout`. */
  readonly statementMs: number
}

// Below 32 MB nothing gets slower, because the operating system caches the same files; the default of 128 MB costs
// 100 MB of memory and 70 ms at every start.
const SMALL = ['-c', 'shared_buffers=32MB']
// The log of a database in memory is never read. In its usual files of 16 MB it is most of a dump, and every database
// opened from that dump copies it.
const SMALL_LOG = ['--wal-segsize=1']
// As shipped, PGlite is not durable, in two ways: it starts PostgreSQL with fsync off (-F), and both of its sync
// calls do nothing. fd_sync can be implemented through `stream_ops.fsync`; the fdatasync call that WAL uses by
// default on Linux cannot. So WAL uses fsync, which is fd_sync, which is a real fdatasync in DurableFolder.
const DURABLE = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
]

// Errors of the WebAssembly module's file system have a number and no message: ENOSPC and EDQUOT, in WASI's
// numbering.
const NO_ROOM: Readonly<Record<number, string>> = {
  51: 'No space left on device',
  19: 'Disk quota exceeded',
}

/**
 * `setAlarm` is called when PostgreSQL wants to be interrupted: in the given milliseconds, or 0 to cancel. Nothing
 * can interrupt it in its own thread, so another thread has to. `compiled` is the module of an earlier session.
 */
export async function openPostgres(
  place: DatabaseLocation,
  { statementMs }: Settings,
  setAlarm: (ms: number) => void,
  clock: Clock = now,
  compiled?: WebAssembly.Module,
): Promise<Postgres> {
  const watch = new Watch(setAlarm, clock)
  const log = new LastWords()
  const options = {
    ...{ extensions: { pg_trgm, watch: watch.extension }, onStderr: log.read },
    ...(compiled === undefined ? {} : { pgliteWasmModule: compiled }),
  }
  const settings = [...SMALL, ...PLANNING, '-c', `statement_timeout=${statementMs}`]
  const open = async (): Promise<PGlite> => {
    if ('template' in place) {
      const startParams = [...PGlite.defaultStartParams, ...settings]
      const { template } = place
      const filling = template === undefined ? { initDbStartParams: SMALL_LOG } : { loadDataDir: template }
      return PGlite.create({ ...options, startParams, ...filling })
    }
    const { folder, isCopy } = place
    if (isCopy === true) {
      const startParams = [...PGlite.defaultStartParams, ...settings]
      return PGlite.create({ ...options, startParams, dataDir: folder })
    }
    const isNew = await prepareFolder(folder)
    const fs = new DurableFolder(folder)
    try {
      const startParams = [...DURABLE, ...settings]
      const postgres = await PGlite.create({ ...options, startParams, dataDir: folder, fs })
      fs.started()
      if (isNew) await completeFolder(folder)
      return postgres
    } catch (error) {
      // It is empty, and every attempt on a full disk would leave another one.
      if (isNew) rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }
  const postgres = await withLateTierUp(open).catch((error: unknown) => {
    const why = log.fatal ?? NO_ROOM[Number(ownMember(error, 'errno'))]
    throw why === undefined ? error : new Error(why, { cause: error })
  })
  watch.rest()
  return {
    compiled: watch.compiled,
    async run(request, append) {
      await postgres.execProtocolRawStream(request, { syncToFs: false, onRawData: append })
      watch.rest()
      return watch.isAborted ? (log.fatal ?? 'it did not say why') : undefined
    },
    dump: () => postgres.dumpDataDir('none'),
    close: () => postgres.close(),
  }
}

/** The last fatal line of PostgreSQL's log; PGlite's own error gives no reason. */
class LastWords {
  fatal: string | undefined
  readonly read = (line: string): boolean => {
    this.fatal = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? this.fatal
    return false
  }
}

interface Exports {
  readonly _emscripten_timeout: (timer: number, now: number) => void
}
interface Imports {
  readonly env: {
    emscripten_date_now: () => number
    _setitimer_js: (timer: number, ms: number) => number
  }
}
type Ready = (instance: { readonly exports: Exports }, module: WebAssembly.Module) => void

const DAY_MS = 86_400_000

/** Replaces signals and an exit status: PostgreSQL's alarm, and whether it has aborted. */
class Watch {
  compiled: WebAssembly.Module | undefined
  isAborted = false
  #isAlarmSet = false
  #isRinging = false
  #ring: () => void = () => {}
  readonly #setAlarm: (ms: number) => void
  readonly #clock: Clock

  constructor(setAlarm: (ms: number) => void, clock: Clock) {
    this.#setAlarm = setAlarm
    this.#clock = clock
  }

  readonly extension: Extension = {
    name: 'watch',
    setup: async (_postgres, given) => ({
      emscriptenOpts: {
        ...given,
        onAbort: () => {
          this.isAborted = true
        },
        instantiateWasm: (imports: Imports, ready: Ready) => {
          const { env } = imports
          // setitimer(2) of emscripten: there is one alarm, and 0 stops it
          env._setitimer_js = (_timer, ms) => {
            this.#isAlarmSet = ms > 0
            this.#setAlarm(Math.ceil(ms))
            return 0
          }
          // gettimeofday(2)
          env.emscripten_date_now = () => this.#clock().getTime() + (this.#isRinging ? DAY_MS : 0)
          return given.instantiateWasm(
            imports,
            (instance: { exports: Exports }, module: WebAssembly.Module) => {
              this.compiled = module
              this.#ring = () => instance.exports._emscripten_timeout(0, 0)
              ready(instance, module)
            },
          )
        },
      },
    }),
  }

  /**
   * Between statements no alarm is set. PostgreSQL leaves the last one running, to save a call at the next statement
   * (src/backend/utils/misc/timeout.c), and sets one for its statistics; so this makes them ring, a day ahead, and
   * every statement sets its own.
   */
  rest(): void {
    if (!this.#isAlarmSet || this.isAborted) return
    this.#isRinging = true
    this.#ring()
    this.#isRinging = false
    this.#setAlarm(0)
    this.#isAlarmSet = false
  }
}
