// SQL over passkeys.
import type { Selectable } from 'kysely'
import { now } from '../../base/clock.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { Passkeys } from '../../platform/db/tables.ts'

export type PasskeyRow = Selectable<Passkeys>

/** What an authenticator tells of a new one. */
export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'signatures' | 'transports'>

export const PASSKEYS_MAX = 20

/** Oldest first; at most `PASSKEYS_MAX`. */
export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(PASSKEYS_MAX)
    .execute()

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst()

/** Undefined if somebody has it already. */
export const insertPasskey = (
  trx: Trx,
  passkey: NewPasskey & { readonly id: string; readonly user_id: string; readonly name: string },
) =>
  trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict(conflict => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()

/** False if it has signed since it was read, or was removed. */
export async function spendPasskey(trx: Trx, passkey: PasskeyRow, signatures: number): Promise<boolean> {
  const row = await trx
    .updateTable('passkeys')
    .set({ signatures, last_used_at: now() })
    .where('id', '=', passkey.id)
    .where('signatures', '=', passkey.signatures)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const removePasskey = (trx: Trx, userId: string, id: string) =>
  trx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

export const removePasskeys = (trx: Trx, userId: string) =>
  trx.deleteFrom('passkeys').where('user_id', '=', userId).returning('id').execute()
