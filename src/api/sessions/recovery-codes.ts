// Codes for when the authenticator app and the passkeys are lost: ten of them, shown once, each good for one sign-in.

import { createHmac, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { now } from '../../base/clock.ts'
import { newSecret } from '../../base/ids.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

export const RECOVERY_CODES = 10
/** With so few left, people are told to make new ones. */
export const RECOVERY_CODES_FEW = 3

// Letters and digits that are not taken for one another (Crockford's base32): ten of them are 50 random bits.
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LETTERS = 10

/** `01234-56789`, as it is shown. */
function newCode(): string {
  const letters = [...Buffer.from(newSecret(), 'base64url').subarray(0, CODE_LETTERS)]
    .map(byte => LETTERS[byte % LETTERS.length])
    .join('')
  return `${letters.slice(0, CODE_LETTERS / 2)}-${letters.slice(CODE_LETTERS / 2)}`
}

/** As people type it: with or without the hyphen, in any case, and with the letters that look like digits. */
const readCode = (typed: string): string =>
  typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')

const hashOf = (signingKey: KeyObject, userId: string, code: string): Buffer =>
  createHmac('sha256', signingKey)
    .update(`recovery-code ${userId} ${readCode(code)}`)
    .digest()

/** New codes in place of all earlier ones. Only this answer has them. */
export async function renewCodes(
  trx: Trx,
  signingKey: SigningKeys,
  userId: string,
): Promise<readonly string[]> {
  await removeCodes(trx, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await trx
    .insertInto('recovery_codes')
    .values(
      codes.map(code => ({
        user_id: userId,
        code_hash: hashOf(signingKey.current, userId, code),
        key_id: signingKey.id,
      })),
    )
    .execute()
  return codes
}

export const removeCodes = (trx: Trx, userId: string) =>
  trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()

/** Those of everybody. Returns how many could still be used. */
export async function removeAllCodes(trx: Trx): Promise<number> {
  const rows = await trx.deleteFrom('recovery_codes').returning('used_at').execute()
  return rows.filter(({ used_at }) => used_at === null).length
}

/** Of these keys, those that made codes that can still be used, or may have made them. */
export async function findKeysOfCodes(trx: Trx, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select key.id from unnest(${[...keyIds]}::text[]) as key (id)
    where exists (select from recovery_codes where key_id = key.id and used_at is null)
      or exists (select from recovery_codes where key_id is null and used_at is null)`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** False if it is none of theirs, or was used. */
export async function spendCode(
  trx: Trx,
  signingKey: SigningKeys,
  userId: string,
  code: string,
): Promise<boolean> {
  const row = await trx
    .updateTable('recovery_codes')
    .set({ used_at: now() })
    .where('user_id', '=', userId)
    .where(
      'code_hash',
      'in',
      signingKey.known.map(key => hashOf(key, userId, code)),
    )
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** How many are left. */
export const countCodes = (db: Db, userId: string): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId).where('used_at', 'is', null))
