// The secrets that deliveries are signed with, encrypted anew by the key that signs now.

import { resealSecrets } from '../../access/sealed-secrets.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

/** Returns how many there are. */
export async function resealWebhooks(trx: Trx, keys: SigningKeys): Promise<number> {
  const rows = await trx
    .selectFrom('webhooks')
    .select(['id', 'secret'])
    .where('secret', 'is not', null)
    .forUpdate()
    .execute()
  for (const row of rows)
    await trx
      .updateTable('webhooks')
      .set({ secret: resealSecrets(keys, row.secret as Buffer) })
      .where('id', '=', row.id)
      .execute()
  return rows.length
}
