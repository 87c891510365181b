// Tokens of integrations, as installing them makes them.
import { hashToken } from '../../src/access/principal.ts'
import type { Integration } from '../../src/api/integrations/schema.ts'
import { newId, newSecret } from '../../src/base/ids.ts'
import type { World } from './world.ts'

/** A token of an integration that is installed with these scopes. */
export async function installationToken(
  w: World,
  scopes: Integration['scopes'],
  spaces: readonly string[] | null,
): Promise<string> {
  const [name, installation, secret] = [`test-${newId().toLowerCase()}`, newId(), newSecret()]
  await w.services.transaction(async trx => {
    const about = { organization_id: w.organizationId, scopes }
    const manifest = JSON.stringify({})
    await trx
      .insertInto('integrations')
      .values({ ...about, name, title: 'Test', description: '', manifest })
      .execute()
    const space_selection = spaces === null ? ('all' as const) : ('selected' as const)
    await trx
      .insertInto('installations')
      .values({ ...about, id: installation, integration: name, space_selection })
      .execute()
    for (const space_id of spaces ?? [])
      await trx
        .insertInto('installation_spaces')
        .values({ installation_id: installation, space_id })
        .execute()
    await trx
      .insertInto('tokens')
      .values({
        ...{ id: newId(), kind: 'installation' as const, installation_id: installation, label: 'test' },
        secret_hash: hashToken(secret),
      })
      .execute()
  })
  return secret
}
