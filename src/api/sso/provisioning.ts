// Signs in people whom an identity provider vouches for: the provider of an organization for that organization alone,
// the operator's provider for the whole installation.
import type { MemberRole } from '../../access/policy.ts'
import type { UserRow } from '../../access/principal.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findUserByEmail, updateUser } from '../accounts/rows.ts'
import { domainOf, findOrCreateUser } from '../accounts/users-by-email.ts'
import { verifyEmail } from '../accounts/verify-email.ts'
import { joinOrganization } from '../members/joining.ts'
import { beginSession, type NewSession } from '../sessions/actions.ts'
import { findClosed } from '../sessions/closed.ts'
import { joinTeam } from '../teams/actions.ts'
import { findOrBindUser } from './bindings.ts'
import { type Identity, refuse } from './identity.ts'
import type { ProviderRow } from './rows.ts'

/** The browser that signs in. */
export type Browser = {
  /** Ties the request to its answer. */
  readonly secret: string
  readonly address: string | null
  readonly userAgent: string | null
}

/**
 * Signs a person in to the organization of the provider; a new one becomes a member. The session opens this
 * organization only, so an organization cannot vouch for access to another. Returns the secret of the session.
 */
export async function provisionInOrganization(
  trx: Trx,
  services: Pick<Services, 'events'>,
  provider: ProviderRow,
  identity: Identity,
  browser: Browser,
): Promise<string> {
  const organizationId = provider.organization_id
  // The address is not marked as verified: only the operator's provider can vouch for that.
  const user = await findOrBindUser(trx, provider.id, identity, () => createProvisionedUser(trx, identity))
  const isNew = await joinOrganization(trx, services, {
    organizationId,
    userId: user.id,
    role: provider.default_role,
    how: 'saml',
    // For this organization: a password opens the others as before.
    sso: true,
  })
  if (isNew && provider.default_team_id !== null)
    await joinTeam(trx, services, { organizationId, teamId: provider.default_team_id, userId: user.id })
  if (!isNew) await refuseDisabled(trx, organizationId, user.id)
  return begin(trx, services, user, { method: 'saml', organizationId, providerId: provider.id }, browser)
}

async function refuseDisabled(trx: Trx, organizationId: string, userId: string): Promise<void> {
  const member = await trx
    .selectFrom('members')
    .select('disabled')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (member?.disabled !== false)
    throw refuse(
      'member_disabled',
      'Your membership of this organization is disabled. Ask one of its administrators.',
    )
}

/** Organizations that a new person joins by email domain; more would be a mistake. */
const DOMAIN_ORGANIZATIONS_MAX = 10
/** Organizations whose proof is looked up: anybody can claim a domain. */
const DOMAIN_ORGANIZATIONS_NAMED_MAX = 10_000

/** Organizations that have proven the person's email domain. Asks the DNS, so it must not run in a transaction. */
export async function findJoinableOrganizations(
  { db, emailDomains }: Pick<Services, 'db' | 'emailDomains'>,
  { email }: Identity,
): Promise<readonly JoinableOrganization[]> {
  const domain = domainOf(email)
  const named = await db
    .selectFrom('organizations')
    .select(['id', 'default_role'])
    .where(({ eb, val }) => eb(val(domain), '=', eb.fn.any('email_domains')))
    .orderBy('created_at')
    .limit(DOMAIN_ORGANIZATIONS_NAMED_MAX)
    .execute()
  const proven = new Set(
    await emailDomains.provenOf(
      named.map(({ id }) => id),
      domain,
    ),
  )
  return named.filter(({ id }) => proven.has(id)).slice(0, DOMAIN_ORGANIZATIONS_MAX)
}

type JoinableOrganization = { readonly id: string; readonly default_role: MemberRole | null }

/**
 * Signs in a person whom the operator's provider knows: one with an account here, or a new one who becomes a member of
 * the `joinable` organizations.
 */
export async function provisionInInstallation(
  trx: Trx,
  services: Pick<Services, 'events'>,
  identity: Identity,
  joinable: readonly JoinableOrganization[],
  browser: Browser,
): Promise<string> {
  const user = await findOrBindUser(trx, null, identity, () =>
    createMemberByDomain(trx, services, identity, joinable),
  )
  if ((await findClosed(trx, user.id, null)) === 'disabled')
    throw refuse(
      'member_disabled',
      'Your membership has been disabled. Ask an administrator of your organization.',
    )
  // The provider may know the person by another address than the account has.
  const isVouchedFor = (await findUserByEmail(trx, identity.email))?.id === user.id
  if (isVouchedFor) await verifyEmail(trx, services.events, user.id)
  return begin(trx, services, user, { method: 'oidc', organizationId: null }, browser)
}

async function createMemberByDomain(
  trx: Trx,
  services: Pick<Services, 'events'>,
  identity: Identity,
  joinable: readonly JoinableOrganization[],
): Promise<UserRow> {
  if (joinable.length === 0)
    throw refuse(
      'user_unknown',
      `Nobody here has the email address ${identity.email}, and no organization accepts everybody with an address at ${domainOf(identity.email)}. Ask for an invitation.`,
    )
  const user = await createProvisionedUser(trx, identity)
  for (const { id, default_role } of joinable)
    await joinOrganization(trx, services, {
      organizationId: id,
      userId: user.id,
      role: default_role,
      how: 'oidc',
    })
  return user
}

async function createProvisionedUser(trx: Trx, { email, name }: Identity): Promise<UserRow> {
  const user = await findOrCreateUser(trx, email)
  return (name === null ? undefined : await updateUser(trx, user.id, { display_name: name })) ?? user
}

const begin = (
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  user: UserRow,
  by: Pick<NewSession, 'method' | 'organizationId' | 'providerId'>,
  { address, userAgent }: Browser,
): Promise<string> => beginSession(trx, events, { userId: user.id, tokenId: null, address, userAgent, ...by })
