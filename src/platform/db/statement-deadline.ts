// For background work whose statements may take longer than those of a request: stopped at the deadline, it would
// only start over.
import { sql } from 'kysely'
import type { Db, Trx } from './database.ts'

/** Lifts the statement deadline of this transaction. */
export const liftDeadline = (trx: Trx) => sql`set local statement_timeout = 0`.execute(trx)

/** One connection without a statement deadline while `run` uses it, for work that cannot run in a transaction. */
export const withoutDeadline = <T>(db: Db, run: (session: Db) => Promise<T>): Promise<T> =>
  db.connection().execute(async session => {
    try {
      await sql`set statement_timeout = 0`.execute(session)
      return await run(session)
    } finally {
      await sql`reset statement_timeout`.execute(session)
    }
  })
