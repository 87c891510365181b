// The only file that knows both failures and statuses.

import { diskFull, Failure, type FailureKind, isDiskFull } from '../base/errors.ts'
import { keysOf } from '../base/objects.ts'
import { type ErrorBody, REASONS } from './refusals.ts'

const STATUS: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  misdirected: 421,
  throttled: 429,
  unavailable: 503,
  storage_full: 507,
}

export const statusOf = (kind: FailureKind): number => STATUS[kind]

/** The refusal of an inner request as a Failure of this one. */
export function failureOf(status: number, message: string): Failure {
  const kind = keysOf(STATUS).find(one => STATUS[one] === status) ?? 'unavailable'
  return new Failure(kind, kind, message)
}

export type ErrorReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

const reply = (status: number, message: string, failure?: Failure): ErrorReply => ({
  status,
  headers: headersOf(status, failure?.code),
  body: { error: { code: status, ...reasonOf(failure), message }, ...failure?.details },
})

/** What a program has to tell from others of the same status; other codes are for logs alone. */
function reasonOf(failure: Failure | undefined): Pick<ErrorBody['error'], 'reason' | 'values'> {
  const reason = REASONS.find(one => one === failure?.code)
  if (reason === undefined) return {}
  return { reason, ...(failure?.values === undefined ? {} : { values: failure.values }) }
}

/** How to authenticate (RFC 9110 §11.6.1), and when to retry (§10.2.3), in seconds. */
function headersOf(status: number, code: string | undefined): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer realm="octavo"' }
  if (status === 503) return { 'retry-after': '5' }
  if (code === 'sign_in_locked') return { 'retry-after': '900' }
  return code === 'request_in_progress' ? { 'retry-after': '2' } : {}
}

// Replaces the wording of Fastify's own refusals, by error code.
const FRAMEWORK_MESSAGES: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body: more bytes than this operation accepts.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'body: send JSON with Content-Type: application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body: its length differs from the Content-Length header.',
  FST_ERR_BAD_URL: 'The address is malformed: check its percent-encoding.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the address is longer than any id.',
}

/** Any error as status and body. `isBug`: it was unexpected and has to be logged in full. */
export function toErrorReply(error: unknown): ErrorReply & { isBug: boolean } {
  if (error instanceof Failure) return { ...reply(STATUS[error.kind], error.message, error), isBug: false }
  if (isDiskFull(error)) return { ...toErrorReply(diskFull(error)), isBug: false }
  // Errors of Fastify have these; others have none of them.
  const { statusCode, code, message } = error as { statusCode?: unknown; code?: unknown; message?: unknown }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const text = FRAMEWORK_MESSAGES[String(code)] ?? String(message)
    return { ...reply(statusCode, text), isBug: false }
  }
  return {
    ...reply(500, 'Something went wrong on our side. The X-Request-Id of this answer finds it in the log.'),
    isBug: true,
  }
}
