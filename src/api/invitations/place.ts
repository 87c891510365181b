// An invitation, for people who have its id, and an organization, for people with an email address of its domains.
import { allows, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { orMissing } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import { below, type Place } from '../../http/place.ts'
import { domainOf } from '../accounts/users-by-email.ts'
import { type CollectionAt, findCollectionFor } from '../collections/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findSpaceFor, type SpaceAt } from '../spaces/place.ts'
import { findInvite, type InviteRow } from './rows.ts'

/** What an invitation is to, with the role that the caller has there. */
export type Target =
  | { readonly kind: 'organization'; readonly role: RoleOn<'organization'> | null }
  | ({ readonly kind: 'space' } & SpaceAt)
  | ({ readonly kind: 'collection' } & CollectionAt)

export type InviteAt = OrganizationAt & { readonly invite: InviteRow; readonly target: Target }

const onInviteAt = (path: string): Place<'invitation', InviteAt> =>
  below(inOrganization, {
    subject: 'invitation',
    path: `${path}/{inviteId}`,
    params: { inviteId: Id('An invitation to the organization.') },
    noun: 'invitation',
    async find(context, at, { inviteId }) {
      const invite = await findInvite(context.db, at.organization.id, inviteId)
      return invite && { ...at, invite, target: await findTarget(context, at, invite) }
    },
    role(principal, { organization, target }) {
      if (!mayJoin(principal, organization.id)) return null
      return mayInviteTo(target) ? 'admin' : 'invited'
    },
  })

/** For those who manage it. */
export const onLinkInvite = onInviteAt('/link-invites')

/** For those who accept it. */
export const onInvitation = onInviteAt('/invites')

/** Throws `missing` if it was deleted in the meantime. */
export async function findTarget(
  context: Context,
  { organization }: OrganizationAt,
  invite: Pick<InviteRow, 'space_id' | 'collection_id'>,
): Promise<Target> {
  if (invite.space_id !== null) {
    const at = orMissing(await findSpaceFor(context, invite.space_id), 'invitation')
    return { kind: 'space', ...at }
  }
  if (invite.collection_id !== null) {
    const at = orMissing(await findCollectionFor(context, invite.collection_id), 'invitation')
    return { kind: 'collection', ...at }
  }
  return { kind: 'organization', role: roleInOrganization(context.principal, organization.id) }
}

/** People who may invite to a target may see, change and delete the invitations to it. */
const mayInviteTo = (target: Target): boolean => {
  switch (target.kind) {
    case 'organization':
      return allows('organization', 'invite', target.role)
    case 'space':
      return allows('space', 'viewInviteLinks', target.role)
    case 'collection':
      return allows('collection', 'viewInviteLinks', target.role)
  }
}

/** A token or a session for one organization cannot be used to join another. */
const mayJoin = (principal: Principal, organizationId: string): boolean =>
  principal.kind === 'user' && (principal.onlyIn === null || principal.onlyIn === organizationId)

/** An organization, for its members and for everybody with an email address of its domains. */
export const onJoinableOrganization: Place<'invitation', OrganizationAt> = {
  ...inOrganization,
  subject: 'invitation',
  role(principal, { organization }) {
    if (principal.kind !== 'user' || !mayJoin(principal, organization.id)) return null
    const isMember = principal.memberships.has(organization.id)
    return isMember || organization.email_domains.includes(domainOf(principal.user.email)) ? 'invited' : null
  },
}
