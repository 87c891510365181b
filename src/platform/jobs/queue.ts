// Work that must happen after a commit, enqueued by that commit: the job exists exactly if the commit does.

import { sql } from 'kysely'
import type { Json } from '../../base/canonical.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../db/database.ts'
import { afterCommit } from '../db/transaction.ts'
import { currentParty } from '../fairness/party.ts'

/** A kind of job, named `module.verb`, and the type of its data. */
export interface JobType<Data extends Json> {
  readonly name: string
  /** Exists only for the compiler. */
  readonly data?: Data
}

export const jobType = <Data extends Json>(name: string): JobType<Data> => ({ name })

export interface JobOptions {
  /** While a job with this name and key waits, no other is added: the waiting one will see the newest state anyway. */
  readonly key?: string
  readonly delaySeconds?: number
  /** For whom it runs; otherwise for the party of the request or job that enqueues it. */
  readonly organization?: string
}

export interface Jobs {
  enqueue<Data extends Json>(trx: Trx, type: JobType<Data>, data: Data, options?: JobOptions): Promise<void>
}

/** `wake` is called after the commit of every transaction that enqueued. */
export const createJobs = (wake: () => void): Jobs => ({
  async enqueue(trx, type, data, { key, delaySeconds = 0, organization } = {}) {
    const party = organization === undefined ? currentParty('') : { organization, person: '' }
    await trx
      .insertInto('jobs')
      .values({
        id: newId(),
        name: type.name,
        key: key ?? null,
        data: JSON.stringify(data),
        for_organization: party.organization || null,
        for_person: party.person || null,
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
