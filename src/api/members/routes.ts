// The people of an organization.
import { findMemberAccess } from '../../access/member-access.ts'
import { assert } from '../../base/assert.ts'
import { forbidden, orMissing } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import { type List, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import type { Page } from '../../platform/db/page.ts'
import { makesAdmin } from '../organizations/makes-admin.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { changeMember, deleteMember, recordMemberSeen, SEEN_SECONDS, setSsoMember } from './actions.ts'
import { type MemberAt, onMember } from './place.ts'
import { findMember, listMembers } from './rows.ts'
import { ChangeMember, ListMembers, Member, Members, VisitorClaims } from './schema.ts'
import { findFactorHolders, seesFactors } from './second-factor.ts'
import { type MemberRow, toMember } from './wire.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const operation = operationsOf<'member', MemberAt>()

type ReadContext = Pick<Context, 'db' | 'rowCache' | 'decisions' | 'urls' | 'principal'>

/** Their access takes a few more queries, however many members there are. */
async function readMembers(
  context: ReadContext,
  organizationId: string,
  rows: Page<MemberRow>,
): Promise<List<Member>> {
  const ids = rows.items.map(({ id }) => id)
  const reach = await findMemberAccess(context, organizationId, ids)
  const holders = seesFactors(context.principal, organizationId)
    ? await findFactorHolders(context.db, ids)
    : undefined
  return toList(rows, row => ({
    ...toMember(context.urls, row, reach(row.id)),
    ...(holders === undefined ? {} : { secondFactor: holders.has(row.id) }),
  }))
}

async function readMember(context: ReadContext, organizationId: string, row: MemberRow): Promise<Member> {
  const { items } = await readMembers(context, organizationId, { items: [row], count: 1 })
  const [member] = items
  assert(member !== undefined, 'one row is one member')
  return member
}

async function readWritten(context: ReadContext, { organization, member }: MemberAt): Promise<Member> {
  const row = await findMember(context.db, organization.id, member.id)
  return readMember(context, organization.id, orMissing(row, 'member'))
}

export const memberOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        id: 'listMembersInOrganizationById',
        method: 'GET',
        path: '/members',
        summary: 'List members of an organization',
        description: 'Includes guests, who have no role.',
        tag: 'Members',
        may: 'listMembers',
        scope: 'organization:members:read',
        query: ListMembers,
        reply: Members,
        run: async ({ context, at: { organization }, query }) => {
          if (query.secondFactor !== undefined && !seesFactors(context.principal, organization.id))
            throw forbidden(
              'query.secondFactor: only admins of the organization see who has a second factor.',
            )
          return readMembers(context, organization.id, await listMembers(context.db, organization.id, query))
        },
      }),
      inOrganizationOperation({
        id: 'updateOrganizationMemberLastSeenAt',
        method: 'POST',
        path: '/ping',
        summary: 'Record that you are active',
        description: `Sets your \`lastSeenAt\`, at most once in ${SEEN_SECONDS} seconds.`,
        tag: 'Members',
        may: 'view',
        scope: 'any',
        reply: VisitorClaims,
        run: async ({ context, at }) => {
          await recordMemberSeen(context, at.organization.id, context.principal.user.id)
          return {}
        },
      }),
    ],
  ),
  ...mount(
    [onMember],
    [
      operation({
        id: 'getMemberInOrganizationById',
        method: 'GET',
        path: '',
        summary: 'Get a member of an organization',
        description: 'Guests can only read themselves.',
        tag: 'Members',
        may: 'view',
        scope: 'organization:members:read',
        reply: Member,
        run: async ({ context, at }) => readMember(context, at.organization.id, at.member),
      }),
      operation({
        id: 'updateMemberInOrganizationById',
        method: 'PATCH',
        path: '',
        summary: 'Change a member',
        description: 'The last admin of an organization cannot be demoted or disabled: 409.',
        tag: 'Members',
        may: 'manage',
        scope: 'organization:members:write',
        body: ChangeMember,
        reply: Member,
        failures: [409],
        sensitive: makesAdmin((body: ChangeMember) => [body.role], {
          when: 'says how they sign in',
          is: ({ sso }) => sso !== undefined,
        }),
        run: async ({ context, at, body }) => {
          await changeMember(context, at, body)
          return readWritten(context, at)
        },
      }),
      operation({
        id: 'removeMemberFromOrganizationById',
        method: 'DELETE',
        path: '',
        summary: 'Remove a member, or leave',
        description:
          'Admins can remove anyone, and everyone can remove themselves; the last admin cannot leave: 409. Grants and team memberships are removed; what the member wrote stays.',
        tag: 'Members',
        may: 'leave',
        scope: 'organization:members:write',
        absent: 'done',
        failures: [409],
        run: ({ context, at }) => deleteMember(context, at),
      }),
      operation({
        id: 'setUserAsSSOMemberForOrganization',
        method: 'POST',
        path: '/sso',
        summary: 'Require a member to sign in through an identity provider',
        tag: 'Members',
        may: 'manage',
        scope: 'organization:members:write',
        reply: Member,
        sensitive: true,
        run: async ({ context, at }) => {
          await setSsoMember(context, at)
          return readWritten(context, at)
        },
      }),
    ],
  ),
]
