// SQL over idempotency_keys. Only the mark runs in a `transaction()`: everything else is a single statement, and no
// cache depends on the table.
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../platform/db/database.ts'
import type { IdempotencyKeys } from '../platform/db/tables.ts'

/**
 * How long a request that has written nothing is assumed to be alive: twice as long as it may take to arrive, and
 * twice as long as a statement may take. A longer-lived one cannot write any more, see `markCommitted`.
 */
export const LEASE_SECONDS = 120
export const KEY_HOURS = 24

/** A request under one of a caller's keys. */
export interface KeyedRequest {
  readonly id: string
  /** As in the column `user_id`: see migration 0033. */
  readonly caller: string
  readonly keyHash: Buffer
  readonly requestHash: Buffer
}

/** `isOver`: its process's lease has expired. */
export type KeyRow = Pick<
  Selectable<IdempotencyKeys>,
  'request_hash' | 'state' | 'status' | 'headers' | 'body'
> & { readonly isOver: boolean }

const claimedUntil = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`
const isOver = sql<boolean>`claimed_until <= now()`

/** False if the key is taken. */
export async function insertKey(db: Db, claim: KeyedRequest): Promise<boolean> {
  const row = await db
    .insertInto('idempotency_keys')
    .values({
      user_id: claim.caller,
      key_hash: claim.keyHash,
      request_hash: claim.requestHash,
      claim_id: claim.id,
      claimed_until: claimedUntil,
    })
    .onConflict(conflict => conflict.columns(['user_id', 'key_hash']).doNothing())
    .returning('claim_id')
    .executeTakeFirst()
  return row !== undefined
}

export const findKey = (db: Db, { caller, keyHash }: KeyedRequest): Promise<KeyRow | undefined> =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'state', 'status', 'headers', 'body', isOver.as('isOver')])
    .where('user_id', '=', caller)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()

/** Takes the key from a request that ended without writing; false if there is none. */
export async function takeOverKey(db: Db, claim: KeyedRequest): Promise<boolean> {
  const row = await db
    .updateTable('idempotency_keys')
    .set({
      request_hash: claim.requestHash,
      claim_id: claim.id,
      claimed_until: claimedUntil,
      created_at: sql<Date>`now()`,
    })
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('state', '=', 'running')
    .where(isOver)
    .returning('claim_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records, in the request's own transaction, that the request has written something. False if another request took
 * the key: then that transaction must not commit.
 */
export async function markCommitted(trx: Trx, claim: KeyedRequest): Promise<boolean> {
  const row = await trx
    .updateTable('idempotency_keys')
    // A transaction that outlives its request finds the answer already recorded.
    .set({ state: sql<'committed'>`case state when 'running' then 'committed' else state end` })
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('claim_id', '=', claim.id)
    .returning('claim_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the claim with its answer, or with `null` if the answer may not be kept. */
export async function updateKeyAnswer(
  db: Db,
  claim: KeyedRequest,
  answer: { readonly status: number; readonly headers: object; readonly body: Buffer | null } | null,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set(
      answer === null
        ? { state: 'withheld' }
        : {
            state: 'answered',
            status: answer.status,
            headers: JSON.stringify(answer.headers),
            body: answer.body,
          },
    )
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('claim_id', '=', claim.id)
    .execute()
}

/** Frees the key; false if something was written under it, so that it stays taken. */
export async function removeKey(db: Db, claim: KeyedRequest): Promise<boolean> {
  const row = await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('claim_id', '=', claim.id)
    .where('state', '=', 'running')
    .returning('claim_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the request as over if it wrote something but has no answer to keep. */
export async function expireLease(db: Db, claim: KeyedRequest): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_until: sql<Date>`now()` })
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('claim_id', '=', claim.id)
    .execute()
}

/** Ends every claim: for a database that only this process has open, at the start. */
export async function expireLeases(db: Db): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_until: sql<Date>`now()` })
    .where('state', 'in', ['running', 'committed'])
    .execute()
}

export async function removeOldKeys(db: Db): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${sql.lit(KEY_HOURS)})`)
    .execute()
}
