// SQL over idempotency_keys. None of it but the mark is in a `transaction()`: each is one statement, and nothing that is
// cached depends on the table.
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../platform/db/database.ts'
import type { IdempotencyKeys } from '../platform/db/tables.ts'

/**
 * How long a request is believed to be alive that has written nothing: twice what it may take to arrive, and twice what
 * a statement may take. One that lives longer cannot write any more, see `markCommitted`.
 */
export const LEASE_SECONDS = 120
export const KEY_HOURS = 24

/** One request under a key of one caller. */
export interface KeyedRequest {
  readonly id: string
  /** As the column `user_id` has it: see migration 0033. */
  readonly caller: string
  readonly keyHash: Buffer
  readonly requestHash: Buffer
}

/** `isOver`: the lease of its process has expired. */
export type KeyRow = Pick<
  Selectable<IdempotencyKeys>,
  'request_hash' | 'state' | 'status' | 'headers' | 'body'
> & { readonly isOver: boolean }

const claimedUntil = sql<Date>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`
const isOver = sql<boolean>`claimed_until <= now()`

/** False when the key is taken. */
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

/** Takes the key from a request that is over and wrote nothing; false when there is none. */
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
 * Writes, in the transaction that it is about, that the request has written something. False when the key was taken
 * from it in the meantime: then that transaction must not commit.
 */
export async function markCommitted(trx: Trx, claim: KeyedRequest): Promise<boolean> {
  const row = await trx
    .updateTable('idempotency_keys')
    // A transaction that outlives its request finds the answer there already.
    .set({ state: sql<'committed'>`case state when 'running' then 'committed' else state end` })
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('claim_id', '=', claim.id)
    .returning('claim_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the claim with its answer, or without one that may be kept (`null`). */
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

/** Frees the key; false when something was written under it, so that it stays taken. */
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

/** Says that its request is over, when something was written and there is no answer to keep. */
export async function expireLease(db: Db, claim: KeyedRequest): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ claimed_until: sql<Date>`now()` })
    .where('user_id', '=', claim.caller)
    .where('key_hash', '=', claim.keyHash)
    .where('claim_id', '=', claim.id)
    .execute()
}

/** Ends every claim: for a database that only this process has open, when it starts. */
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
