// The secrets of repositories that spaces are kept in sync with, encrypted anew by the key that signs now.

import { resealSecrets } from '../../access/sealed-secrets.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

/** Returns how many there are. */
export async function resealSyncs(trx: Trx, keys: SigningKeys): Promise<number> {
  const rows = await trx
    .selectFrom('git_syncs')
    .select(['space_id', 'secrets'])
    .where('secrets', 'is not', null)
    .forUpdate()
    .execute()
  for (const row of rows)
    await trx
      .updateTable('git_syncs')
      .set({ secrets: resealSecrets(keys, row.secrets as Buffer) })
      .where('space_id', '=', row.space_id)
      .execute()
  return rows.length
}
