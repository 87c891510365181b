// Counting rows, which PostgreSQL answers as a bigint.
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/** The number of rows of a query without a selection. */
export async function countRows<Name extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Name, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
