// Several writes as one statement: one message to the database and one answer, where each alone would wait for its own.
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from './database.ts'

// A statement of many parts is planned anew for each number of them.
const TOGETHER_MAX = 12

/**
 * Runs the writes as parts of one statement, or one after the other where they are many. They must touch different rows:
 * no part of a statement sees what another one writes, and their order is not defined.
 */
export async function writeTogether(trx: Trx, writes: Iterable<RawBuilder<unknown>>): Promise<void> {
  const few: RawBuilder<unknown>[] = []
  let areMany = false
  for (const write of writes) {
    if (few.length === TOGETHER_MAX) {
      areMany = true
      for (const one of few.splice(0)) await one.execute(trx)
    }
    if (areMany) await write.execute(trx)
    else few.push(write)
  }
  const [only] = few
  if (only === undefined) return
  if (few.length === 1) {
    await only.execute(trx)
    return
  }
  const parts = few.map((write, index) => sql`${sql.id(`part_${index}`)} as (${write})`)
  await sql`with ${sql.join(parts)} select`.execute(trx)
}
