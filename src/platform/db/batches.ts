// How much one statement takes: many rows in batches, and several writes together. Each statement waits for its own
// answer, so fewer are faster; a huge one would be a huge message, and would hold up everybody else.
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from './database.ts'

/** Batches of at most `countMax` values and, if `sizeOf` is given, of about `sizeMax` altogether. */
export function* batchesOf<T>(
  values: Iterable<T>,
  countMax: number,
  sizeMax = Number.POSITIVE_INFINITY,
  sizeOf: (value: T) => number = () => 0,
): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const value of values) {
    if (batch.length === countMax || (batch.length > 0 && size + sizeOf(value) > sizeMax)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(value)
    size += sizeOf(value)
  }
  if (batch.length > 0) yield batch
}

// A statement is planned again for each number of parts.
const TOGETHER_MAX = 12

/**
 * Runs the writes as parts of one statement, or one after the other if there are many; answers the first row of
 * `answer`. They must touch different rows, and `answer` none of them: no part of a statement sees what another one
 * writes, and their order is undefined.
 */
export async function writeTogether<Row = unknown>(
  trx: Trx,
  writes: Iterable<RawBuilder<unknown>>,
  answer: RawBuilder<Row> = sql`select`,
): Promise<Row | undefined> {
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
  const parts = few.map((write, index) => sql`${sql.id(`part_${index}`)} as (${write})`)
  const statement = parts.length === 0 ? answer : sql<Row>`with ${sql.join(parts)} ${answer}`
  return (await statement.execute(trx)).rows[0]
}
