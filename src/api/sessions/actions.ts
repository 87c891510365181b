// Beginning and ending sessions of browsers. Their secrets are stored hashed, like tokens.
import { type Factor, hashToken, type SessionMethod, type UserPrincipal } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { removeVouchedLinks } from './password-links.ts'
import {
  insertFirstSignIn,
  insertSession,
  type Owner,
  ownerOf,
  removeSession,
  removeSessions,
} from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'session.begun': { session: string; method: SessionMethod; factor?: Factor }
    /** `user`: whose session it was. */
    'session.ended': { session: string; user: string; why: SessionEnd }
  }
}

/**
 * Why a session ended before its time: signed out of, ended from elsewhere, or the password or the second factor was
 * changed.
 */
export type SessionEnd = 'signed_out' | 'ended' | 'password_changed' | 'second_factor_changed'

/** The longest a session lasts; an unused one ends sooner (SESSION_IDLE_DAYS_MAX). */
export const SESSION_DAYS_MAX = 30
const DAY_MS = 24 * 60 * 60 * 1000
const USER_AGENT_CHARACTERS_MAX = 256

export type NewSession = {
  readonly userId: string
  readonly method: SessionMethod
  /** The second factor that the person has shown; absent: none. */
  readonly factor?: Factor
  /** The organization that vouches for the user, by its identity provider or by a link: the session opens no other. */
  readonly organizationId: string | null
  /** The provider of an organization that vouched, by which the session is confirmed again. */
  readonly providerId?: string
  /** When the person proved who they are: absent for a provider, which may have let them in without asking. */
  readonly confirmedAt?: Date
  /** The token that began it: the session ends with the token and has its scopes. */
  readonly tokenId: string | null
  readonly address: string | null
  readonly userAgent: string | null
}

/** Returns the secret, which only the browser has. */
export async function beginSession(trx: Trx, events: Events, session: NewSession): Promise<string> {
  const secret = newSecret()
  const id = newId()
  await insertSession(trx, {
    id,
    user_id: session.userId,
    secret_hash: hashToken(secret),
    method: session.method,
    factor: session.factor ?? null,
    organization_id: session.organizationId,
    token_id: session.tokenId,
    provider_id: session.providerId ?? null,
    confirmed_at: session.confirmedAt ?? null,
    address: session.address,
    user_agent: session.userAgent === null ? null : toPlain(session.userAgent),
    expires_at: new Date(now().getTime() + SESSION_DAYS_MAX * DAY_MS),
  })
  if (await insertFirstSignIn(trx, session.userId)) await removeVouchedLinks(trx, session.userId)
  await events.append(trx, {
    type: 'session.begun',
    organizationId: session.organizationId,
    actorId: session.userId,
    payload: {
      session: id,
      method: session.method,
      ...(session.factor === undefined ? {} : { factor: session.factor }),
    },
  })
  return secret
}

/** The user agent is shown to people later. */
const toPlain = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, USER_AGENT_CHARACTERS_MAX)

/** Signs out the calling browser. */
export const signOut = (services: SessionServices, { user, session }: UserPrincipal): Promise<void> =>
  session === null
    ? Promise.resolve()
    : end(services, { userId: user.id, onlyIn: null }, session.id, 'signed_out')

/** Idempotent: succeeds for a session that has ended, or is not theirs. */
export const endSession = (context: ActionContext, sessionId: string): Promise<void> =>
  end(context, ownerOf(context.principal), sessionId, 'ended')

type SessionServices = Pick<Services, 'transaction' | 'events'>

const end = (services: SessionServices, owner: Owner, sessionId: string, why: SessionEnd): Promise<void> =>
  services.transaction(async trx => {
    const ended = await removeSession(trx, owner, sessionId)
    if (ended === undefined) return
    await appendEnds(trx, services.events, [ended], { userId: owner.userId, actorId: owner.userId, why })
  })

type Ending = {
  readonly userId: string
  /** Who ended them; null: the operator. */
  readonly actorId: string | null
  readonly why: SessionEnd
}

/** Ends all sessions of a person, except for the kept one, if any. */
export async function endSessions(
  trx: Trx,
  events: Events,
  ending: Ending & { readonly keptId: string | null },
): Promise<void> {
  await appendEnds(trx, events, await removeSessions(trx, ending.userId, ending.keptId), ending)
}

async function appendEnds(
  trx: Trx,
  events: Events,
  ended: readonly { id: string; organization_id: string | null }[],
  { userId, actorId, why }: Ending,
): Promise<void> {
  for (const { id, organization_id } of ended)
    await events.append(trx, {
      type: 'session.ended',
      organizationId: organization_id,
      actorId,
      payload: { session: id, user: userId, why },
    })
}
