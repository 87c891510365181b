// SQL over pending requests to identity providers, and over used assertions.
import { type Selectable, sql } from 'kysely'
import { hashToken } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { throttled } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { SsoRequests } from '../../platform/db/tables.ts'
import type { Identity } from './identity.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'sso_requests.answer': Identity
  }
}

/** Time to complete a sign-in. */
export const REQUEST_MINUTES_MAX = 15
/** Pending at once. A row has some 300 bytes, and anybody can cause one. */
const REQUESTS_MAX = 100_000
const MINUTE_MS = 60_000

export type RequestRow = Selectable<SsoRequests>

export type NewRequest = {
  readonly id: string
  /** null: the OpenID Connect provider of the installation */
  readonly providerId: string | null
  /** Where the browser goes afterwards: a path of this server. */
  readonly next: string
  /** Known to the requesting browser only. */
  readonly browserSecret: string
  readonly verifier?: string
  readonly nonce?: string
  /** The session that the answer confirms; absent: it begins one. */
  readonly sessionId?: string | undefined
}

const notBefore = (): Date => new Date(now().getTime() - REQUEST_MINUTES_MAX * MINUTE_MS)

export async function insertRequest(db: Db, request: NewRequest): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into sso_requests (id, provider_id, next, browser_hash, verifier, nonce, session_id)
    select ${request.id}, ${request.providerId}, ${request.next}, ${hashToken(request.browserSecret)}::bytea,
      ${request.verifier ?? null}, ${request.nonce ?? null}, ${request.sessionId ?? null}
    where (select count(*) from (select from sso_requests limit ${REQUESTS_MAX}) as open) < ${REQUESTS_MAX}
    returning id`.execute(db)
  if (rows.length === 0)
    throw throttled('More people are signing in than there is room for. Try again in some minutes.')
}

/** Deletes the request and returns it, so that it is answered only once, whether the answer is valid or not. */
export const takeOpenRequest = (db: Db, providerId: string, id: string): Promise<RequestRow | undefined> =>
  db
    .deleteFrom('sso_requests')
    .where('id', '=', id)
    .where('provider_id', '=', providerId)
    .where('answer', 'is', null)
    .where('created_at', '>', notBefore())
    .returningAll()
    .executeTakeFirst()

/**
 * Keeps the request with its answer until its browser fetches it. It gets a new id, which only the browser that posted
 * the answer learns: the old one is known to the browser that began.
 */
export async function insertAnswered(trx: Trx, request: RequestRow, identity: Identity): Promise<string> {
  const id = newId()
  await trx
    .insertInto('sso_requests')
    .values({ ...request, id, answer: JSON.stringify(identity) })
    .execute()
  return id
}

/** Deletes the request of this browser and returns it. `isAnswered`: only one with its answer. */
export const takeRequest = (
  db: Db | Trx,
  id: string,
  browserSecret: string,
  { isAnswered }: { readonly isAnswered: boolean },
): Promise<RequestRow | undefined> =>
  db
    .deleteFrom('sso_requests')
    .where('id', '=', id)
    .where('browser_hash', '=', hashToken(browserSecret))
    .where('answer', isAnswered ? 'is not' : 'is', null)
    .where('created_at', '>', notBefore())
    .returningAll()
    .executeTakeFirst()

/** Records the use of an assertion. False if it was used before. */
export async function recordAssertionUse(
  trx: Trx,
  providerId: string,
  assertionId: string,
  expiresAt: Date,
): Promise<boolean> {
  const row = await trx
    .insertInto('saml_assertions')
    .values({ provider_id: providerId, assertion_id: assertionId, expires_at: expiresAt })
    .onConflict(conflict => conflict.doNothing())
    .returning('assertion_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes abandoned requests, and assertions that are refused for their age anyway. */
export async function removeOldRequests(db: Db): Promise<void> {
  await db.deleteFrom('sso_requests').where('created_at', '<=', notBefore()).execute()
  await db.deleteFrom('saml_assertions').where('expires_at', '<=', now()).execute()
}
