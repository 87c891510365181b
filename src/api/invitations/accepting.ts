// How people come in: by an invitation that they hold, or by their mail domain.
import { allows, type MemberRole } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { rankOf } from '../../access/roles.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden, invalid, missing } from '../../base/errors.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { domainOf } from '../accounts/newcomers.ts'
import { giveRole } from '../grants/actions.ts'
import { joinOrganization, raiseMember } from '../members/joining.ts'
import { findOrganization, type OrganizationRow } from '../organizations/rows.ts'
import { about, linksAreOff } from './actions.ts'
import type { InviteAt } from './place.ts'
import { findRights, type InviteRow, lockInvite, type Rights, thingOf } from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'invite.accepted': { invite: string; collection?: string; role: MemberRole | null }
  }
}

/**
 * Takes what the invitation gives, which is never less than one has; who has as much already changes nothing.
 *
 * An invitation is worth what its maker may still give: when they have left, or are no admin there any more, it no
 * longer works. Throws `conflict` for that, for one that has expired and where links are off; `forbidden` for who was
 * kept out by name, whom only an admin lets in again.
 */
export async function acceptInvite(
  context: ActionContext,
  { organization, invite }: InviteAt,
): Promise<void> {
  await context.transaction(async trx => {
    const locked = await lockInvite(trx, organization.id, invite.id)
    if (locked === undefined) throw missing('invitation')
    await requireUsable(trx, locked)
    const thing = thingOf(locked)
    const rights = await findRights(trx, organization.id, context.principal.user.id, thing)
    requireNotShutOut(context.principal, locked, rights)
    const hasChanged =
      thing === null
        ? await enter(trx, context, locked, rights)
        : await enterThing(trx, context, locked, rights)
    if (!hasChanged) return
    const { payload, ...rest } = about(context.principal, locked)
    const { expiresAt: _, ...accepted } = payload
    await context.events.append(trx, { type: 'invite.accepted', ...rest, payload: accepted })
  })
}

async function requireUsable(trx: Trx, invite: InviteRow): Promise<void> {
  const organization = await findOrganization(trx, invite.organization_id)
  if (organization === undefined) throw missing('invitation')
  if (!organization.invite_links) throw linksAreOff()
  if (invite.expires_at !== null && invite.expires_at <= now())
    throw conflict('invite_expired', 'This invitation has expired. Ask for a new one.')
  if (!(await mayMakerInvite(trx, invite)))
    throw conflict(
      'invite_unfounded',
      'Whoever made this invitation may not invite any more. Ask somebody else for a new one.',
    )
}

async function mayMakerInvite(trx: Trx, invite: InviteRow): Promise<boolean> {
  if (invite.created_by === null) return false
  const thing = thingOf(invite)
  const { role } = await findRights(trx, invite.organization_id, invite.created_by, thing)
  return thing === null ? allows('organization', 'invite', role) : allows(thing.kind, 'viewInviteLinks', role)
}

function requireNotShutOut(
  { memberships }: UserPrincipal,
  { organization_id }: InviteRow,
  { member, isKeptOut }: Rights,
): void {
  if (member?.disabled) throw isDisabled()
  // signed in with something that does not open it, such as a password
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

/** Answers whether anything is different now. */
async function enter(
  trx: Trx,
  context: ActionContext,
  { organization_id, role }: InviteRow,
  { member }: Rights,
): Promise<boolean> {
  const userId = context.principal.user.id
  const joining = { organizationId: organization_id, userId, role, how: 'link' } as const
  if (member === undefined && (await joinOrganization(trx, context, joining))) return true
  return raiseMember(trx, context, joining)
}

async function enterThing(
  trx: Trx,
  context: ActionContext,
  invite: InviteRow,
  { member, role }: Rights,
): Promise<boolean> {
  const { user } = context.principal
  const at = { organizationId: invite.organization_id, thing: thingOf(invite)! }
  const asGuest = { organizationId: at.organizationId, userId: user.id, role: null, how: 'link' } as const
  const hasJoined = member === undefined && (await joinOrganization(trx, context, asGuest))
  if (invite.role === null || rankOf(role) >= rankOf(invite.role)) return hasJoined
  await giveRole(trx, context, at, user.id, invite.role)
  return true
}

/**
 * Becomes a member with the default role, by the domain of a mail address that is known to be theirs; who is a member
 * already stays as they are. Throws `invalid` where nobody knows that the address is theirs, `conflict` where nobody has
 * proven that the domain belongs to the organization.
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
        'Your mail address is not verified yet. Open a link that was mailed to it, or sign in with an identity provider, and try again.',
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
