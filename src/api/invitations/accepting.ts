// Joining an organization by an invitation or by the domain of an email address.
import { allows, type MemberRole } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { type Resource, rankOf } from '../../access/roles.ts'
import { conflict, forbidden, invalid, orMissing } from '../../base/errors.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { domainOf } from '../accounts/users-by-email.ts'
import { grantRole } from '../grants/actions.ts'
import { joinOrganization, raiseMemberRole } from '../members/joining.ts'
import { findOrganization, type OrganizationRow } from '../organizations/rows.ts'
import { about, isOver, isUsedUp, linksAreOff } from './actions.ts'
import type { InviteAt } from './place.ts'
import { findRights, type InviteRow, lockInvite, type Rights, resourceOf, updateInvite } from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'invite.accepted': { invite: string; collection?: string; role: MemberRole | null }
  }
}

/**
 * Grants the role of the invitation, unless the person has it or a stronger one.
 *
 * An invitation works only while its maker may invite there. Throws `conflict` if not, if it has expired, and if links
 * are off; `forbidden` for people whose access was explicitly denied: only an admin can undo that.
 */
export async function acceptInvite(
  context: ActionContext,
  { organization, invite }: InviteAt,
): Promise<void> {
  await context.transaction(async trx => {
    const locked = orMissing(await lockInvite(trx, organization.id, invite.id), 'invitation')
    await requireUsable(trx, locked)
    const resource = resourceOf(locked)
    const rights = await findRights(trx, organization.id, context.principal.user.id, resource)
    requireNotExcluded(context.principal, locked, rights)
    const hasChanged =
      resource === null
        ? await joinWithRole(trx, context, locked, rights)
        : await joinResource(trx, context, resource, locked, rights)
    if (!hasChanged) return
    // Rolled back: whom it has let in before finds that nothing changes.
    if (isUsedUp(locked)) throw usedUp()
    await updateInvite(trx, locked.id, { uses: locked.uses + 1 })
    const { payload, ...rest } = about(context.principal, locked)
    const { expiresAt: _end, usesMax: _max, ...accepted } = payload
    await context.events.append(trx, { type: 'invite.accepted', ...rest, payload: accepted })
  })
}

async function requireUsable(trx: Trx, invite: InviteRow): Promise<void> {
  const organization = orMissing(await findOrganization(trx, invite.organization_id), 'invitation')
  if (!organization.invite_links) throw linksAreOff()
  if (isOver(invite)) throw conflict('invite_expired', 'This invitation has expired. Ask for a new one.')
  if (!(await mayStillInvite(trx, invite)))
    throw conflict(
      'invite_unfounded',
      'The person who made this invitation may no longer invite. Ask somebody else for a new one.',
    )
}

const usedUp = () =>
  conflict(
    'invite_used_up',
    'This invitation has let in as many people as it was made for. Ask for a new one.',
  )

async function mayStillInvite(trx: Trx, invite: InviteRow): Promise<boolean> {
  if (invite.created_by === null) return false
  const resource = resourceOf(invite)
  const { role } = await findRights(trx, invite.organization_id, invite.created_by, resource)
  return resource === null
    ? allows('organization', 'invite', role)
    : allows(resource.kind, 'viewInviteLinks', role)
}

function requireNotExcluded(
  { memberships }: UserPrincipal,
  { organization_id }: InviteRow,
  { member, isKeptOut }: Rights,
): void {
  if (member?.disabled) throw isDisabled()
  // Signed in in a way that does not open the organization, such as a password.
  if (member?.sso && !memberships.has(organization_id))
    throw forbidden(
      'You are a member, and its identity provider signs you in. Sign in with it and try again.',
    )
  if (isKeptOut)
    throw forbidden(
      'You were given no access to this, and an invitation does not change that. Ask an admin of it.',
    )
}

const isDisabled = () =>
  conflict('member_disabled', 'Your membership of this organization is disabled. Ask an admin of it.')

/** Returns whether anything changed. */
async function joinWithRole(
  trx: Trx,
  context: ActionContext,
  { organization_id, role }: InviteRow,
  { member }: Rights,
): Promise<boolean> {
  const userId = context.principal.user.id
  const joining = { organizationId: organization_id, userId, role, how: 'link' } as const
  if (member === undefined && (await joinOrganization(trx, context, joining))) return true
  return raiseMemberRole(trx, context, joining)
}

async function joinResource(
  trx: Trx,
  context: ActionContext,
  resource: Resource,
  invite: InviteRow,
  { member, role }: Rights,
): Promise<boolean> {
  const { user } = context.principal
  const at = { organizationId: invite.organization_id, resource }
  const asGuest = { organizationId: at.organizationId, userId: user.id, role: null, how: 'link' } as const
  const hasJoined = member === undefined && (await joinOrganization(trx, context, asGuest))
  if (invite.role === null || rankOf(role) >= rankOf(invite.role)) return hasJoined
  await grantRole(trx, context, at, user.id, invite.role)
  return true
}

/**
 * Makes the caller a member with the default role, by the domain of their verified email address. Members are not
 * changed. Throws `invalid` for an address that is not verified, `conflict` for a domain that is not proven to belong
 * to the organization.
 */
export async function joinByDomain(context: ActionContext, organization: OrganizationRow): Promise<void> {
  const { user } = context.principal
  const domain = domainOf(user.email)
  const isProven = await context.emailDomains.isProven(organization.id, domain)
  await context.transaction(async trx => {
    const { member } = await findRights(trx, organization.id, user.id, null)
    if (member?.disabled) throw isDisabled()
    if (member !== undefined) return
    if (user.email_verified_at === null)
      throw invalid(
        'email_unverified',
        'Your email address is not verified yet. Open a link that was mailed to it, or sign in with an identity provider, and try again.',
      )
    if (!isProven)
      throw conflict(
        'domain_unproven',
        `Nobody has proven yet that ${domain} belongs to this organization. Ask an admin of it: GET /v1/orgs/${organization.id}/email-domains says how.`,
      )
    await joinOrganization(trx, context, {
      organizationId: organization.id,
      userId: user.id,
      role: organization.default_role,
      how: 'domain',
    })
  })
}
