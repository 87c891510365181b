// Whether the disk of a PostgreSQL server has room. It cannot be asked: the first write that it refuses says so, and
// from then on a write is tried until one succeeds.
import { sql } from 'kysely'
import { Failure } from '../../base/errors.ts'
import type { Log } from '../log.ts'
import type { Db, Room } from './database.ts'

const TRY_MILLISECONDS = 2_000
// More than the rest of the pages that tables and their indexes have in use.
const TRIED_ROWS = 128
const ROW_CHARACTERS = 8_000

/** Of the embedded database, whose disk is looked at: see `platform/disk-space.ts`. */
export const EMBEDDED_ROOM: WatchedRoom = { isFull: false, notice() {} }

export interface WatchedRoom extends Room {
  /** To be called with what a statement failed with. */
  notice(failure: Failure | undefined): void
}

export class ServerRoom implements WatchedRoom {
  isFull = false
  readonly #write: () => Promise<void>
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined

  /** `write`: fails with `storage_full` while there is no room. */
  constructor(write: () => Promise<void>, log: Log) {
    this.#write = write
    this.#log = log
  }

  notice(failure: Failure | undefined): void {
    if (failure?.kind !== 'storage_full' || this.isFull) return
    this.isFull = true
    this.#log.error(
      { err: failure },
      'the disk of the database is full: writes are refused until it has room',
    )
    this.#tryLater()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => void this.#try(), TRY_MILLISECONDS).unref()
  }

  async #try(): Promise<void> {
    try {
      await this.#write()
    } catch (error) {
      if (error instanceof Failure && ['storage_full', 'unavailable'].includes(error.kind))
        return this.#tryLater()
      this.#log.warn({ err: error }, 'whether the disk of the database has room cannot be tried')
    }
    this.isFull = false
    this.#log.info('the database takes writes')
  }
}

/** Makes a table larger than what is free in others, without writing it to the log, and takes it back. */
export async function writeAndTakeBack(db: Db): Promise<void> {
  await db
    .transaction()
    .execute(async trx => {
      await sql`create unlogged table octavo_room (filler text)`.execute(trx)
      await sql`alter table octavo_room alter filler set storage plain`.execute(trx)
      await sql`insert into octavo_room
        select repeat('x', ${ROW_CHARACTERS}::integer) from generate_series(1, ${TRIED_ROWS}::integer)`.execute(
        trx,
      )
      throw TAKEN_BACK
    })
    .catch(error => {
      if (error !== TAKEN_BACK) throw error
    })
}

const TAKEN_BACK = new Error('rolled back')
