// The ways to sign in, besides a password, on a sign-in page.
import type { Services } from '../../http/context.ts'
import { listActiveProviders } from './rows.ts'
import { toLogins } from './wire.ts'

export type Login = { readonly label: string; readonly href: string }

/** Hostnames and ids are no longer than this. */
const ORGANIZATION_CHARACTERS_MAX = 128

/**
 * The provider of the installation, if the operator set one up, and those of the organization, by its id or hostname.
 * An unknown organization is answered like one without providers.
 */
export async function listLogins(
  services: Pick<Services, 'config' | 'db' | 'urls'>,
  organization?: string,
): Promise<Login[]> {
  const { config } = services
  const common = config.oidc === undefined ? [] : [{ label: config.oidc.label, href: '/sso/oidc/start' }]
  if (organization === undefined) return common
  const own = await findLogins(services, organization)
  return [...common, ...own]
}

async function findLogins(
  { db, urls }: Pick<Services, 'db' | 'urls'>,
  organization: string,
): Promise<Login[]> {
  if (organization.length > ORGANIZATION_CHARACTERS_MAX || organization.includes('\0')) return []
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where(({ eb, or }) => or([eb('id', '=', organization), eb('hostname', '=', organization.toLowerCase())]))
    .executeTakeFirst()
  if (row === undefined) return []
  const { items } = toLogins(urls, await listActiveProviders(db, row.id))
  return items.map(({ label, startURL }) => ({ label, href: new URL(startURL).pathname }))
}
