// Expected failures. A Failure is handled by a caller, an operator or the retry of a job. Anything else that is
// thrown is a bug. Only http/failures.ts knows statuses.
import { ownMember } from './objects.ts'

export type FailureKind =
  | 'invalid' // the request is malformed or breaks a rule of its own: the caller mends it
  | 'unauthenticated' // no credentials, or bad ones
  | 'forbidden' // you may see it, you may not do this
  | 'missing' // not there, or you may not know
  | 'misdirected' // meant for another server than this one
  | 'conflict' // the state forbids it now: re-read and retry
  | 'precondition' // something else has to be true first
  | 'too_large' // more bytes or items than a documented bound
  | 'throttled' // too many requests
  | 'storage_full' // a disk of the server has no room left: the operator makes some
  | 'unavailable' // a neighbour (database, git host, blob store) is down: retry later

/**
 * A failure that is part of the contract.
 *
 * `code` is stable snake_case for programs and logs; `message` is public and says what is wrong and what to do, and
 * `values` what it says besides its words; `details` are what an answer has besides its error, of the shape that its
 * operation declares; `cause` is for the log only and never leaves the process.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  readonly code: string
  readonly values: FailureValues | undefined
  readonly details: FailureDetails | undefined

  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    cause?: unknown,
    values?: FailureValues | undefined,
    details?: FailureDetails | undefined,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.code = code
    this.values = values
    this.details = details
  }

  withValues(values: FailureValues | undefined): Failure {
    return new Failure(this.kind, this.code, this.message, this.cause, values, this.details)
  }

  withDetails(details: FailureDetails): Failure {
    return new Failure(this.kind, this.code, this.message, this.cause, this.values, details)
  }
}

/** Members of the body of an answer, beside `error`. */
export type FailureDetails = Readonly<Record<string, unknown>> & { readonly error?: never }

/** What messages say besides their words. `http/refusals.ts` declares it. */
// biome-ignore lint/suspicious/noEmptyInterface: filled there
export interface FailureValues {}

export const invalid = (code: string, message: string, cause?: unknown) =>
  new Failure('invalid', code, message, cause)

export const unauthenticated = (message: string) => new Failure('unauthenticated', 'unauthenticated', message)

export const forbidden = (message: string) => new Failure('forbidden', 'forbidden', message)

/** `missing('space')` → 404 "There is no such space, or you may not see it." */
export const missing = (what: string) =>
  new Failure(
    'missing',
    `${what.replaceAll(' ', '_')}_missing`,
    `There is no such ${what}, or you may not see it.`,
  )

/** The value, or `missing` where there is none. */
export function orMissing<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw missing(what)
  return value
}

export const conflict = (code: string, message: string, cause?: unknown) =>
  new Failure('conflict', code, message, cause)

export const precondition = (code: string, message: string) => new Failure('precondition', code, message)

export const tooLarge = (code: string, message: string) => new Failure('too_large', code, message)

export const throttled = (message: string) => new Failure('throttled', 'throttled', message)

export const unavailable = (code: string, message: string, cause?: unknown) =>
  new Failure('unavailable', code, message, cause)

/** `ENOSPC`, `EDQUOT`, or a database's equivalent. Reads go on; writes work again once there is room. */
export const diskFull = (cause?: unknown) =>
  new Failure(
    'storage_full',
    'disk_full',
    'The disk of the server is full, so nothing can be written. Its operator has to make room; nothing that was answered is lost.',
    cause,
  )

/** The message of a thrown value, which need not be an error. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** Whether a system call failed. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

/** Whether the system refused a write for lack of room. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String(ownMember(error, 'code')))
