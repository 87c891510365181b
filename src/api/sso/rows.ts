// SQL over identity providers.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { OLDEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { OpenidProviders, SamlProviders } from '../../platform/db/tables.ts'

/** Names of attributes with which a provider says who somebody is. */
export type PersonAttributes = {
  readonly email?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly displayName?: string
}

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'saml_providers.attributes': PersonAttributes
  }
}

export type ProviderRow = Selectable<SamlProviders>

/** Has everything that a sign-in needs. */
export const isActive = ({ entity_id, certificate, sso_url }: ProviderRow): boolean =>
  entity_id !== '' && certificate !== '' && sso_url !== ''

export const findProvider = (db: Db | Trx, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('saml_providers').selectAll().where('id', '=', id).executeTakeFirst()

/** Oldest first. */
export const listProviders = (db: Db, organizationId: string, query: PageQuery) =>
  page(db.selectFrom('saml_providers').selectAll().where('organization_id', '=', organizationId), {
    question: { list: 'saml-providers', organization: organizationId },
    by: OLDEST_FIRST,
    ...query,
  })

/** Those of an organization that people can sign in with, oldest first. */
export const listActiveProviders = async (db: Db, organizationId: string): Promise<ProviderRow[]> => {
  const rows = await db
    .selectFrom('saml_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.filter(isActive)
}

/** Locks the organization's row, so that concurrent inserts count one after the other. */
export async function countProviders(trx: Trx, organizationId: string): Promise<number> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return countRows(trx.selectFrom('saml_providers').where('organization_id', '=', organizationId))
}

export const insertProvider = (trx: Trx, row: Insertable<SamlProviders>): Promise<ProviderRow> =>
  trx.insertInto('saml_providers').values(row).returningAll().executeTakeFirstOrThrow()

export const updateProvider = (
  trx: Trx,
  id: string,
  change: Updateable<SamlProviders>,
): Promise<ProviderRow | undefined> =>
  trx.updateTable('saml_providers').set(change).where('id', '=', id).returningAll().executeTakeFirst()

export const removeProvider = (trx: Trx, id: string): Promise<ProviderRow | undefined> =>
  trx.deleteFrom('saml_providers').where('id', '=', id).returningAll().executeTakeFirst()

export type OpenIdRow = Selectable<OpenidProviders>

/** Undefined until somebody has used the provider. */
export const findOpenIdOutcomes = (db: Db, issuer: string): Promise<OpenIdRow | undefined> =>
  db.selectFrom('openid_providers').selectAll().where('issuer', '=', issuer).executeTakeFirst()
