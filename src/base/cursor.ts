// Opaque page tokens: where the next page of a list begins, bound to the list, its filters and its order.
import { canonicalJson, type Json, sha256 } from './canonical.ts'
import { type Failure, invalid } from './errors.ts'

export type CursorKey = string | number | boolean | null

// Raised when the meaning of a token changes, so that an old token is refused rather than misread.
const VERSION = 1
const FINGERPRINT_LENGTH = 10

const fingerprint = (question: Json): string => sha256(canonicalJson(question)).slice(0, FINGERPRINT_LENGTH)

/** The token for "after the row with these keys", valid only for the same `question` (list, filters and order). */
export const encodeCursor = (question: Json, after: readonly CursorKey[]): string =>
  Buffer.from(JSON.stringify([VERSION, fingerprint(question), ...after])).toString('base64url')

/** The keys of a token; throws an `invalid` Failure if it is malformed or belongs to another question. */
export function decodeCursor(question: Json, token: string): CursorKey[] {
  const parts = parse(token)
  if (parts === undefined || parts[0] !== VERSION || parts[1] !== fingerprint(question)) throw foreign()
  const after = parts.slice(2)
  if (!after.every(isCursorKey)) throw foreign()
  return after
}

const isCursorKey = (value: unknown): value is CursorKey =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

function parse(token: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const foreign = (): Failure =>
  invalid(
    'page_invalid',
    'page: this is not a token of this list. Take it from next.page of the previous answer to the same query.',
  )
