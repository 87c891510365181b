// A transaction that is retried when PostgreSQL asks for it, and announces its writes once committed.
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../base/clock.ts'
import { unavailable } from '../../base/errors.ts'
import { goFirst } from '../../base/priority.ts'
import { type ChangedIds, type Changes, parseChangedIds } from './changes.ts'
import type { Db, Trx } from './database.ts'
import { isWorthRetrying } from './failures.ts'
import { openTransaction, type TransactionState } from './prepared.ts'

const ATTEMPTS_MAX = 5
const FIRST_PAUSE_MILLISECONDS = 10

/**
 * Runs `run` in one transaction (read committed) and returns its result after the commit. Serialization failures and
 * deadlocks run it again, so outside its `trx` `run` may do nothing that must not happen twice.
 */
export async function inTransaction<T>(db: Db, changes: Changes, run: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const state: TransactionState = {
      open: true,
      changed: undefined,
      lostBackend: undefined,
      afterCommit: [],
      beforeAnnouncement: [],
    }
    try {
      const begin = () => db.transaction().execute(trx => openTransaction.run(state, () => run(trx)))
      // What runs in it holds a connection, and soon locks.
      const result = await goFirst(begin).finally(() => {
        state.open = false
        if (state.lostBackend !== undefined) changes.watchLostBackend(state.lostBackend)
        if (state.changed !== undefined) announce(changes, parseChangedIds(state.changed), state)
      })
      for (const run of state.afterCommit) run()
      return result
    } catch (error) {
      if (!isWorthRetrying(error)) throw error
      if (attempt === ATTEMPTS_MAX) {
        throw unavailable('busy', 'Too many simultaneous writes to the same place. Try again.', error)
      }
      await sleep(FIRST_PAUSE_MILLISECONDS * 2 ** attempt * spread())
    }
  }
}

function announce(
  changes: Changes,
  changed: ChangedIds,
  { beforeAnnouncement }: Pick<TransactionState, 'beforeAnnouncement'>,
): void {
  // Undefined if it is unknown what was written, or whether it was.
  const behind = changed === undefined ? [] : beforeAnnouncement.map(run => run())
  changes.touch(changed)
  for (const run of behind) run()
}

/**
 * Calls `run` after the commit of the current `transaction()`, if its writes are known, before they are announced;
 * and the function that `run` returns after that, before anything else is announced.
 */
export function beforeAnnouncement(run: () => () => void): void {
  openTransaction.getStore()?.beforeAnnouncement.push(run)
}

/**
 * Calls `run` after the commit of the current `transaction()`, and never if it fails. Outside a transaction, calls it
 * at once.
 */
export function afterCommit(run: () => void): void {
  const state = openTransaction.getStore()
  if (state?.open === true) state.afterCommit.push(run)
  else run()
}

// Between 0.5 and 1.5, so that two transactions that collided do not collide again. The quality of the randomness
// does not matter.
const spread = (): number => 0.5 + ((monotonicMs() * 1000) % 1000) / 1000
