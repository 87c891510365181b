// The secrets of integrations, encrypted anew by the key that signs now.

import { resealSecrets } from '../../access/sealed-secrets.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'

/** Returns how many there are. */
export async function resealVersions(trx: Trx, keys: SigningKeys): Promise<number> {
  const rows = await trx
    .selectFrom('integration_versions')
    .select(['integration', 'version', 'secrets'])
    .where('secrets', 'is not', null)
    .forUpdate()
    .execute()
  for (const row of rows)
    await trx
      .updateTable('integration_versions')
      .set({ secrets: resealSecrets(keys, row.secrets as Buffer) })
      .where('integration', '=', row.integration)
      .where('version', '=', row.version)
      .execute()
  return rows.length
}
