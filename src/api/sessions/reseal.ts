// The secrets of authenticator apps, encrypted anew by the key that signs now.

import { resealSecrets } from '../../access/sealed-secrets.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

/** Returns how many there are. */
export async function resealTotp(trx: Trx, keys: SigningKeys): Promise<number> {
  const rows = await trx
    .selectFrom('totp_secrets')
    .select(['user_id', 'secret'])
    .where('secret', 'is not', null)
    .forUpdate()
    .execute()
  for (const row of rows)
    await trx
      .updateTable('totp_secrets')
      .set({ secret: resealSecrets(keys, row.secret as Buffer) })
      .where('user_id', '=', row.user_id)
      .execute()
  return rows.length
}
