// Several queries on one snapshot.
import type { Db, Trx } from './database.ts'
import { openTransaction } from './prepared.ts'

/**
 * Runs reads that belong together: whatever is committed meanwhile, each query of `run` sees the database as the
 * first one did. Writes are refused.
 */
export const inSnapshot = <T>(db: Db, run: (trx: Trx) => Promise<T>): Promise<T> => {
  const state = {
    open: true,
    changed: undefined,
    lostBackend: undefined,
    afterCommit: [],
    beforeAnnouncement: [],
  }
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(trx => openTransaction.run(state, () => run(trx)))
    .finally(() => {
      state.open = false
    })
}
