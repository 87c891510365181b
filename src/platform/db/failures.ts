// The only file that knows SQLSTATEs. https://www.postgresql.org/docs/current/errcodes-appendix.html
import { conflict, diskFull, Failure, invalid, unavailable } from '../../base/errors.ts'

interface DatabaseError {
  readonly code?: unknown
  readonly constraint?: unknown
  readonly message?: unknown
  readonly routine?: unknown
  readonly severity?: unknown
}

const isObject = (value: unknown): value is DatabaseError => typeof value === 'object' && value !== null

/** The SQLSTATE or system error code (`ECONNREFUSED`) of an error or of a Failure's cause. */
export function sqlState(error: unknown): string | undefined {
  const source = error instanceof Failure ? error.cause : error
  return isObject(source) && typeof source.code === 'string' ? source.code : undefined
}

/** Whether the error violates the given unique, foreign key or check constraint. For modules with a better message. */
export function violates(error: unknown, constraint: string): boolean {
  const source = error instanceof Failure ? error.cause : error
  return isObject(source) && source.constraint === constraint
}

/** Two transactions conflicted, or the statement was planned for a table that has changed since. */
export const isWorthRetrying = (error: unknown): boolean =>
  ['40001', '40P01'].includes(sqlState(error) ?? '') || isStalePlan(error)

// A pooler has given the connection to another session, which knows other statements by name.
const LOST_STATEMENT: ReadonlySet<unknown> = new Set(['26000', '42P05'])

export const isStalePlan = (error: unknown): boolean =>
  isObject(error) &&
  ((error.code === '0A000' && error.routine === 'RevalidateCachedQuery') || LOST_STATEMENT.has(error.code))

// 08 connection, 57P server or connection ends, XX a bug of the server
const MAY_BE_FATAL = /^(08|57P|XX)/

/** Whether the server refused the statement. After any other error it may still complete it. */
export const isAnswer = (error: unknown): boolean =>
  isObject(error) && error.severity !== undefined && !MAY_BE_FATAL.test(sqlState(error) ?? '')

// Texts that PostgreSQL cannot hold: U+0000, and halves of surrogate pairs in JSON. The sender can fix them.
const BAD_TEXT: ReadonlySet<string> = new Set(['22021', '22P05'])
const STATEMENT_TIMEOUT = '57014'
const DISK_FULL = '53100'
// System call messages within errors of another code: one that ends the database, or one about a quota.
const NO_ROOM = /no space left on device|quota exceeded|ENOSPC|EDQUOT/i
// 57 operator intervention, 58 system (the disk)
const ENDED = /^5[78]/
// 08 connection, 53 resources, 57 operator intervention, 58 system (the disk)
const UNAVAILABLE = /^(08|53|57|58)|^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/
// thrown by `pg` itself, without a code
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered))/

// `organizations_hostname_key` is about the hostname; other constraints are not named after a caller's field.
const fieldOf = (constraint: string): string => /^[a-z]+_([a-z]+)_key$/.exec(constraint)?.[1] ?? 'value'

/** What kind of failure a statement ended with, for the counts of `/metrics`. */
export type StatementFailure = 'timeout' | 'collision' | 'constraint' | 'disk_full' | 'unavailable' | 'other'

export const STATEMENT_FAILURES: readonly StatementFailure[] = [
  'timeout',
  'collision',
  'constraint',
  'disk_full',
  'unavailable',
  'other',
]

export function kindOfFailure(error: unknown): StatementFailure {
  const code = sqlState(error) ?? ''
  if (code === STATEMENT_TIMEOUT) return 'timeout'
  if (isWorthRetrying(error)) return 'collision'
  if (code.startsWith('23')) return 'constraint'
  const failure = toFailure(error)
  if (failure?.kind === 'storage_full') return 'disk_full'
  return failure?.kind === 'unavailable' ? 'unavailable' : 'other'
}

/** A database error as a Failure for the caller; undefined if it is a bug, or if `transaction()` retries it. */
export function toFailure(error: unknown): Failure | undefined {
  if (!isObject(error) || error instanceof Failure) return undefined
  const code = typeof error.code === 'string' ? error.code : ''
  const constraint = typeof error.constraint === 'string' ? error.constraint : ''
  const message = typeof error.message === 'string' ? error.message : ''
  if (code === '23505') {
    return conflict(
      'duplicate',
      `There is one with the same ${fieldOf(constraint)} already, and there may be only one.`,
      error,
    )
  }
  if (code === '23503') {
    return conflict(
      'reference_broken',
      `Something this refers to, or is referred to by, is not as expected (${constraint}).`,
      error,
    )
  }
  if (BAD_TEXT.has(code) || (code === '22P02' && message.includes('json'))) {
    return invalid(
      'text_invalid',
      'A text contains a character that cannot be stored (U+0000, or half of a surrogate pair). Remove it.',
      error,
    )
  }
  if (code === DISK_FULL || (ENDED.test(code) && NO_ROOM.test(message))) return diskFull(error)
  if (code === STATEMENT_TIMEOUT) {
    return unavailable(
      'statement_too_long',
      'This took the database longer than one statement may take, and was stopped. Ask for less at once, or try again later.',
      error,
    )
  }
  if (UNAVAILABLE.test(code) || (code === '' && CONNECTION_LOST.test(message))) {
    return unavailable('database_unavailable', 'The database cannot be reached. Try again later.', error)
  }
  return undefined
}
