// Sensitive operations: in a session they need a person who has just proved who they are, so that a browser which was
// left open does not give away what outlasts it. With a token nothing is asked.
import type { Principal } from '../access/principal.ts'
import { now } from '../base/clock.ts'
import { Failure } from '../base/errors.ts'

/** `true`: always. Otherwise for the bodies that `is` tells; `when` completes "… if it" in the description. */
export type Sensitive<Body> = true | { readonly when: string; readonly is: (body: Body) => boolean }

/** An operation, as far as this matters. */
type Asked = { readonly sensitive: Sensitive<unknown> | undefined }

/** For so long after a proof nothing is asked. */
export const CONFIRMED_MINUTES = 10

/** Until when a session counts as confirmed; null if it does not. */
export function confirmedUntil(confirmedAt: Date | null): Date | null {
  if (confirmedAt === null) return null
  const until = new Date(confirmedAt.getTime() + CONFIRMED_MINUTES * 60_000)
  return until > now() ? until : null
}

/** Refuses what is sensitive whatever its body is, before that is read. */
export function requireConfirmed({ sensitive }: Asked, principal: Principal): void {
  if (sensitive === true) requireProof(principal)
}

/** The same for what is sensitive by its body, which is valid. */
export function requireConfirmedFor({ sensitive }: Asked, principal: Principal, body: unknown): void {
  if (sensitive !== undefined && sensitive !== true && sensitive.is(body)) requireProof(principal)
}

function requireProof(principal: Principal): void {
  if (principal.kind !== 'user' || principal.session === null) return
  if (confirmedUntil(principal.session.confirmedAt) === null) throw UNCONFIRMED
}

const UNCONFIRMED = new Failure(
  'forbidden',
  'confirm_identity',
  `Confirm who you are first: POST /v1/user/session/confirm. It counts for ${CONFIRMED_MINUTES} minutes.`,
)
