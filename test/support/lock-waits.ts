// Transactions that wait for each other.
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'

/** Waits until another session of PostgreSQL waits for a lock. The embedded database has no other one. */
export async function untilSomebodyWaits(db: Db): Promise<void> {
  for (;;) {
    // A transaction otherwise sees only the sessions of its first look.
    await sql`select pg_stat_clear_snapshot()`.execute(db)
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}
