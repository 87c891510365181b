// The embedded database: PostgreSQL as WebAssembly in a thread of this process, on a folder or in memory. If a
// statement exceeds its time limit, or PostgreSQL gives up, the session is over; the folder is then opened again, as
// a server recovers after a crash, and requests wait for it.

import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../log.ts'
import { isComplete } from './embedded-folder.ts'
import type { DatabaseLocation, Settings } from './embedded-postgres.ts'
import { crashError, Session } from './embedded-session.ts'
import { toFailure } from './failures.ts'

// Between two attempts to open a folder whose disk is full or failing.
const RETRY_MILLISECONDS = 2_000

const UNLIMITED: Settings = { statementMs: 0 }

/** The database of a folder, created at the first start. Only one process may have it open: see platform/lock.ts. */
export async function openFolder(
  folder: string,
  log: Log,
  settings: Settings = UNLIMITED,
  retryMs = RETRY_MILLISECONDS,
): Promise<Engine> {
  const start = () => Session.start({ folder }, settings)
  const begin = async () => {
    if (isComplete(folder)) return start()
    // Creating one takes half a gigabyte of memory, which is freed with its thread.
    const maker = await start()
    await maker.close()
    await maker.end()
    return start()
  }
  const session = await begin().catch((error: Error) => {
    throw toFailure(cannotOpen(error))
  })
  return new Engine(session, { folder, start, log, retryMs })
}

/** The database of a folder that `copyEmbedded` made. Writes to it are lost. */
export async function openCopy(folder: string): Promise<Engine> {
  return new Engine(await Session.start({ folder, isCopy: true }, UNLIMITED))
}

/** A database that lives as long as the process; `template` is the result of `dump()`. */
export async function openMemory(template?: Blob, settings: Settings = UNLIMITED): Promise<Engine> {
  const place: DatabaseLocation = { template }
  return new Engine(await Session.start(place, settings))
}

const cannotOpen = (why: unknown): Error =>
  Object.assign(crashError(`the embedded database cannot be opened: ${messageOf(why)}`), { cause: why })

interface Restart {
  readonly folder: string
  readonly start: () => Promise<Session>
  readonly log: Log
  /** Between two attempts. */
  readonly retryMs: number
}

/** A PostgreSQL with one session at a time. */
export class Engine {
  readonly #restart: Restart | undefined
  #session: Session
  /** While the session is lost: the attempt to start another one. */
  #opening: Promise<void> | undefined
  #isClosed = false

  /** Without `restart`, there is only the first session. */
  constructor(session: Session, restart?: Restart) {
    this.#restart = restart
    this.#session = session
    this.#follow(session)
  }

  /** The session, once it accepts requests. Throws while none can be started, and after the end. */
  async session(): Promise<Session> {
    await this.#opening
    if (this.#isClosed) throw crashError('the embedded database is closed')
    return this.#session
  }

  /** The folder; undefined for a database that ends with its session. */
  get folder(): string | undefined {
    return this.#restart?.folder
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening?.catch(() => {})
    await this.#session.close().catch(() => {})
    await this.#session.end()
  }

  #follow(session: Session): void {
    void session.lost.then(why => {
      if (this.#isClosed) return
      this.#restart?.log.error(
        { err: why },
        'the embedded database was ended; nothing that was answered is lost',
      )
      this.#opening = this.#open()
      this.#opening.catch(() => {})
    })
  }

  async #open(): Promise<void> {
    await this.#session.end()
    if (this.#restart === undefined)
      throw crashError('the database was in memory or a copy, and had to be ended')
    const { start, log, retryMs } = this.#restart
    const began = monotonicMs()
    try {
      this.#session = await start()
    } catch (error) {
      log.error({ err: error }, 'the embedded database cannot be opened; trying again')
      void this.#openLater(retryMs)
      throw cannotOpen(error)
    }
    this.#opening = undefined
    log.warn({ milliseconds: Math.round(monotonicMs() - began) }, 'the embedded database is open again')
    this.#follow(this.#session)
  }

  // Until then, requests fail with the reason of the last attempt.
  async #openLater(retryMs: number): Promise<void> {
    await sleep(retryMs, undefined, { ref: false })
    if (this.#isClosed) return
    const attempt = this.#open()
    await attempt.catch(() => {
      this.#opening = attempt
    })
  }
}
