// Work that must happen after a commit, written by that commit: it is there exactly when what asked for it is.

import { sql } from 'kysely'
import type { Json } from '../../base/canonical.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'

/** A kind of job, named `module.verb`, and what it is given. */
export interface JobType<Data extends Json> {
  readonly name: string
  /** Only for the compiler. */
  readonly data?: Data
}

export const jobType = <Data extends Json>(name: string): JobType<Data> => ({ name })

export interface JobOptions {
  /** While a job of this name and key waits, another one is not added: what waits will see the newest state anyway. */
  readonly key?: string
  readonly delaySeconds?: number
}

export interface Jobs {
  enqueue<Data extends Json>(trx: Trx, type: JobType<Data>, data: Data, options?: JobOptions): Promise<void>
}

/** `wake` is called after the commit of every transaction that enqueued. */
export const createJobs = (wake: () => void): Jobs => ({
  async enqueue(trx, type, data, { key, delaySeconds = 0 } = {}) {
    await trx
      .insertInto('jobs')
      .values({
        id: newId(),
        name: type.name,
        key: key ?? null,
        data: JSON.stringify(data),
        run_at: sql<Date>`now() + make_interval(secs => ${delaySeconds})`,
      })
      .onConflict(conflict =>
        conflict
          .columns(['name', 'key'])
          .where('locked_until', 'is', null)
          .where('failed_at', 'is', null)
          .doNothing(),
      )
      .execute()
    afterCommit(wake)
  },
})
