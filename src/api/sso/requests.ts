// SQL over questions to identity providers that are open, and over assertions that were used.
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

/** Whoever signs in has so long to do it. */
export const REQUEST_MINUTES_MAX = 15
/** Open at once. A row has some 300 bytes, and anybody can make one. */
const REQUESTS_MAX = 100_000
const MINUTE_MS = 60_000

export type RequestRow = Selectable<SsoRequests>

export type NewRequest = {
  readonly id: string
  /** null: the OpenID Connect provider of the installation */
  readonly providerId: string | null
  /** Where the browser goes afterwards, a path of this server. */
  readonly next: string
  /** What only the browser that asks will know. */
  readonly browserSecret: string
  readonly verifier?: string
  readonly nonce?: string
}

const openSince = (): Date => new Date(now().getTime() - REQUEST_MINUTES_MAX * MINUTE_MS)

export async function insertRequest(db: Db, request: NewRequest): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into sso_requests (id, provider_id, next, browser_hash, verifier, nonce)
    select ${request.id}, ${request.providerId}, ${request.next}, ${hashToken(request.browserSecret)}::bytea,
      ${request.verifier ?? null}, ${request.nonce ?? null}
    where (select count(*) from (select from sso_requests limit ${REQUESTS_MAX}) as open) < ${REQUESTS_MAX}
    returning id`.execute(db)
  if (rows.length === 0)
    throw throttled('More people are signing in than there is room for. Try again in some minutes.')
}

/** The request, for the one answer that it is given: whether it holds or not, nobody can answer it again. */
export const takeOpenRequest = (db: Db, providerId: string, id: string): Promise<RequestRow | undefined> =>
  db
    .deleteFrom('sso_requests')
    .where('id', '=', id)
    .where('provider_id', '=', providerId)
    .where('answer', 'is', null)
    .where('created_at', '>', openSince())
    .returningAll()
    .executeTakeFirst()

/**
 * Keeps the request with its answer until its browser comes for it, under another id: the old one is known to whoever
 * asked, the new one, which is answered, only to whoever brought the answer.
 */
export async function insertAnswered(trx: Trx, request: RequestRow, identity: Identity): Promise<string> {
  const id = newId()
  await trx
    .insertInto('sso_requests')
    .values({ ...request, id, answer: JSON.stringify(identity) })
    .execute()
  return id
}

/** The request of this browser, which nobody can have again. `isAnswered`: only one with its answer. */
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
    .where('created_at', '>', openSince())
    .returningAll()
    .executeTakeFirst()

/** Writes down that an assertion was used. False: it was before. */
export async function useAssertion(
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

/** Requests that nobody came back for, and assertions that would be refused for their age. */
export async function removeOldRequests(db: Db): Promise<void> {
  await db.deleteFrom('sso_requests').where('created_at', '<=', openSince()).execute()
  await db.deleteFrom('saml_assertions').where('expires_at', '<=', now()).execute()
}
