// Links with which invited people sign in for the first time.
import { toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { type MemberAt, onMember } from '../members/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { CreateSignInLinks, ListWaiting, SignInLinksMade, WaitingPeople } from './sign-in-link-schema.ts'
import { createSignInLinks, deleteSignInLink, listWaiting, toWaiting } from './sign-in-links.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const operation = operationsOf<'member', MemberAt>()

const tag = 'Invitations'

export const signInLinkOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        id: 'listSignInLinks',
        method: 'GET',
        path: '/sign-in-links',
        summary: 'List people who have not signed in yet',
        description:
          'Octavo extension. Newest first, each with the time until which their link works. The links themselves are shown once, when they are made.',
        tag,
        may: 'invite',
        scope: 'organization:members:read',
        query: ListWaiting,
        reply: WaitingPeople,
        run: async ({ context, at, query }) =>
          toList(await listWaiting(context.db, at.organization.id, query), toWaiting),
      }),
      inOrganizationOperation({
        id: 'createSignInLinks',
        method: 'POST',
        path: '/sign-in-links',
        summary: 'Make links for the first sign-in',
        description:
          'Octavo extension. With their link, somebody who has not signed in yet chooses a password, once; it opens this organization alone until they prove their email address. A new link ends the one before. A link also ends when the person signs in, when they are disabled or removed, and when its maker is no longer an admin.',
        tag,
        may: 'invite',
        scope: 'organization:members:write',
        body: CreateSignInLinks,
        reply: SignInLinksMade,
        isAnswerSecret: true,
        sensitive: true,
        run: ({ context, at, body }) => createSignInLinks(context, at.organization, body),
      }),
    ],
  ),
  ...mount(
    [onMember],
    [
      operation({
        id: 'deleteSignInLink',
        method: 'DELETE',
        path: '/sign-in-link',
        summary: 'End the link for the first sign-in of a member',
        description: 'Octavo extension.',
        tag,
        may: 'manage',
        scope: 'organization:members:write',
        absent: 'done',
        run: ({ context, at }) => deleteSignInLink(context, at.organization, at.member.id),
      }),
    ],
  ),
]
