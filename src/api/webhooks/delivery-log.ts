// The log of a delivery: its last attempts, and why it was given up.
import { type RawBuilder, sql } from 'kysely'
import { type Attempt, LOG_ENTRIES_MAX } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'webhook_deliveries.log': Attempt[]
  }
}

/**
 * Why a delivery was given up: an entry of its log that is no attempt. It is stored and recognised by its text, so the
 * text must not change.
 */
export const GIVEN_UP = 'It was given up: the receiver took nothing for a day, or the webhook was paused.'

/** The attempts in a log. */
export const attemptsOf = (log: readonly Attempt[]): Attempt[] =>
  log.filter(({ error }) => error !== GIVEN_UP)

/** Of a row `webhook_deliveries`: its log with one more entry, without the oldest ones beyond the bound. */
export const logWith = (entry: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`jsonb_path_query_array(log, ${`$[last - ${LOG_ENTRIES_MAX - 2} to last]`}::jsonpath) || ${entry}`
