// For background work whose statements may take longer than those of a request: stopped at the deadline, it would
// only start over.
import { sql } from 'kysely'
import type { Db, Trx } from './database.ts'

// `prepared.ts` knows the work by these: its own deadline, for a server that does not answer, is lifted with the server's.
export const LIFT_IN_TRANSACTION = 'set local statement_timeout = 0'
export const LIFT_IN_SESSION = 'set statement_timeout = 0'
export const RESTORE_IN_SESSION = 'reset statement_timeout'

/** Lifts the statement deadline of this transaction. */
export const liftDeadline = (trx: Trx) => sql.raw(LIFT_IN_TRANSACTION).execute(trx)

/** One connection without a statement deadline while `run` uses it, for work that cannot run in a transaction. */
export const withoutDeadline = <T>(db: Db, run: (session: Db) => Promise<T>): Promise<T> =>
  db.connection().execute(async session => {
    try {
      await sql.raw(LIFT_IN_SESSION).execute(session)
      return await run(session)
    } finally {
      await sql.raw(RESTORE_IN_SESSION).execute(session)
    }
  })
