// Invitations: by email address, by link, and by email domain.

import { personOf } from '../../access/roles.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { makesAdmin } from '../organizations/makes-admin.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { acceptInvite, joinByDomain } from './accepting.ts'
import { changeInvite, createInvite, deleteInvite, inviteUsers } from './actions.ts'
import { findTarget, type InviteAt, onInvitation, onJoinableOrganization, onLinkInvite } from './place.ts'
import { listInvites } from './rows.ts'
import {
  Accepted,
  ChangeInvite,
  CreateInvite,
  InvitedUsers,
  InviteLink,
  InviteLinks,
  InviteUsersToOrganization,
  ListInvites,
} from './schema.ts'
import { readInvite, readInvites } from './wire.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const operation = operationsOf<'invitation', InviteAt>()
const joinOperation = operationsOf<'invitation', OrganizationAt>()

const tag = 'Invitations'

export const invitationOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        id: 'inviteUsersToOrganization',
        method: 'POST',
        path: '/invites',
        summary: 'Invite people by email address',
        description:
          'Each of them becomes a member at once. If email is set up, they get one, with a link to choose a password if they have none. Existing members are not changed.',
        tag,
        may: 'invite',
        scope: 'organization:members:write',
        body: InviteUsersToOrganization,
        reply: InvitedUsers,
        sensitive: makesAdmin(({ role, emails }: InviteUsersToOrganization) => [
          role,
          ...emails.map(one => (typeof one === 'string' ? undefined : one.role)),
        ]),
        run: async ({ context, at, body }) => inviteUsers(context, at.organization, body),
      }),
      inOrganizationOperation({
        id: 'listOrganizationInviteLinks',
        method: 'GET',
        path: '/link-invites',
        summary: 'List invitation links',
        description:
          'Newest first: admins of the organization see all, others those to spaces and collections where they are admins. Whoever has a link can join, so this needs the scope for changing members.',
        tag,
        may: 'view',
        scope: 'organization:members:write',
        query: ListInvites,
        reply: InviteLinks,
        // Anyone who has an id may join with the role of the link, as an admin too.
        sensitive: true,
        run: async ({ context, at, query }) =>
          readInvites(
            context,
            await listInvites(context.db, at.organization.id, personOf(context.principal), query),
          ),
      }),
      inOrganizationOperation({
        id: 'createOrganizationInvite',
        method: 'POST',
        path: '/link-invites',
        summary: 'Create an invitation link',
        description:
          'Anyone who has it may join, until it is deleted or expires. You need the role `admin` on its target: the organization, a space or a collection. Anyone who accepts one to a space or a collection becomes a guest with that role.',
        tag,
        may: 'view',
        scope: 'organization:members:write',
        body: CreateInvite,
        reply: InviteLink,
        status: 201,
        sensitive: makesAdmin(({ role, level }: CreateInvite) => [role, level]),
        run: async ({ context, at, body }) => {
          const row = await createInvite(context, at.organization, body)
          const target = await findTarget(context, at, row)
          const invite = await readInvite(context, row, target)
          return created(invite)
        },
      }),
    ],
  ),
  ...mount(
    [onLinkInvite],
    [
      operation({
        id: 'getOrganizationInviteLink',
        method: 'GET',
        path: '',
        summary: 'Get an invitation',
        description: 'For anyone who has its id: its target and its role.',
        isAddressSecret: true,
        tag,
        may: 'view',
        scope: 'organization:members:read',
        reply: InviteLink,
        run: async ({ context, at }) => readInvite(context, at.invite, at.target),
      }),
      operation({
        id: 'updateOrganizationInviteById',
        method: 'PATCH',
        path: '',
        summary: 'Change an invitation',
        description: 'People who have accepted it keep what it gave.',
        isAddressSecret: true,
        tag,
        may: 'admin',
        scope: 'organization:members:write',
        body: ChangeInvite,
        reply: InviteLink,
        failures: [409],
        // One that makes admins, and has expired or is used up, would be open again.
        sensitive: makesAdmin(({ role, level }: ChangeInvite) => [role, level], {
          when: 'says when it expires or how many it lets in',
          is: ({ expiresAt, usesMax }) => expiresAt !== undefined || usesMax !== undefined,
        }),
        run: async ({ context, at, body }) =>
          readInvite(context, await changeInvite(context, at, body), at.target),
      }),
      operation({
        id: 'deleteOrganizationInviteById',
        method: 'DELETE',
        path: '',
        summary: 'Delete an invitation',
        description: 'People who have accepted it stay.',
        isAddressSecret: true,
        tag,
        may: 'admin',
        scope: 'organization:members:write',
        absent: 'done',
        run: ({ context, at }) => deleteInvite(context, at),
      }),
    ],
  ),
  ...mount(
    [onInvitation],
    [
      operation({
        id: 'joinOrganizationWithInvite',
        method: 'POST',
        path: '',
        summary: 'Accept an invitation',
        description:
          'You then have its role, or the stronger one that you had. 409 if it has expired, if it is used up, if its maker may no longer invite, or if the organization has turned invitation links off.',
        isAddressSecret: true,
        tag,
        may: 'accept',
        scope: 'unscoped',
        reply: Accepted,
        run: async ({ context, at }) => {
          await acceptInvite(context, at)
          return {}
        },
      }),
    ],
  ),
  ...mount(
    [onJoinableOrganization],
    [
      joinOperation({
        id: 'joinOrganization',
        method: 'POST',
        path: '/join',
        summary: 'Join by your email domain',
        description:
          'For those whose verified email address has a domain of `emailDomains`. They get the default role; existing members are not changed.',
        tag,
        may: 'accept',
        scope: 'unscoped',
        run: ({ context, at }) => joinByDomain(context, at.organization),
      }),
    ],
  ),
]
