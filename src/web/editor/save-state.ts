// Where the saving of a page stands, and what a failure makes of it.
import type { Text } from '@codemirror/state'
import { ApiError, isStatus } from '../data/client.ts'
import type { PageText } from '../data/page-text.ts'
import type { ClashingField } from './page-fields.ts'

export type SaveState =
  | { readonly kind: 'saved' | 'unsaved' | 'saving' }
  /** It is tried again, by itself. */
  | { readonly kind: 'waiting'; readonly error: ApiError }
  | { readonly kind: 'refused'; readonly error: Error }
  /** Others wrote the same places: what the server has now. */
  | { readonly kind: 'clash'; readonly now: PageText }

/** Both versions of a clash. */
export type Versions = {
  readonly theirs: Text
  readonly mine: Text
  readonly fields: readonly ClashingField[]
}

/** Others wrote the same as the writer, where no server has merged both. */
export class Clash extends Error {
  readonly now: PageText

  constructor(now: PageText) {
    super('others wrote the same')
    this.now = now
  }
}

/** No network, a session that has ended, a server that is busy or has no room left. */
const PASSING = [0, 401, 429, 502, 503, 504, 507]

export function stateAfter(error: unknown): SaveState {
  if (error instanceof Clash) return { kind: 'clash', now: error.now }
  if (error instanceof ApiError && isStatus(error, ...PASSING)) return { kind: 'waiting', error }
  return { kind: 'refused', error: error instanceof Error ? error : new Error(String(error)) }
}

/** Whether the server said that it has not written. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500
