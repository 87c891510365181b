// Who has which role on a space or a collection: one resource, at two places. And what a member has a role on.
import { Type } from 'typebox'
import { allows, type MemberRole, type RoleOn } from '../../access/policy.ts'
import type { Memberships } from '../../access/principal.ts'
import { roleInOrganization, type Thing } from '../../access/roles.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/operation.ts'
import { inCollection } from '../collections/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { onSpace } from '../spaces/place.ts'
import { findMemberRole } from './rows.ts'

/** What roles are given on. */
export type PermissionsAt<S extends 'space' | 'collection' = 'space' | 'collection'> = {
  readonly thing: Thing
  readonly organizationId: string
  /** Of a space, who may read it without a role. */
  readonly visibility: string | null
  readonly role: RoleOn<S> | null
}

export const inSpacePermissions: Place<'space', PermissionsAt<'space'>> = {
  ...onSpace,
  path: `${onSpace.path}/permissions`,
  async find(context, params) {
    const at = await onSpace.find(context, params)
    return (
      at && {
        thing: { kind: 'space', id: at.space.id },
        organizationId: at.space.organization_id,
        visibility: at.space.visibility,
        role: at.role,
      }
    )
  },
  role: (_principal, { role }) => role,
}

export const inCollectionPermissions: Place<'collection', PermissionsAt<'collection'>> = {
  ...inCollection,
  path: `${inCollection.path}/permissions`,
  async find(context, params) {
    const at = await inCollection.find(context, params)
    return (
      at && {
        thing: { kind: 'collection', id: at.collection.id },
        organizationId: at.collection.organization_id,
        visibility: null,
        role: at.role,
      }
    )
  },
  role: (_principal, { role }) => role,
}

/** A member, or a guest, of an organization. */
export type MemberAt = OrganizationAt & {
  readonly userId: string
  /** What they are there; null is a guest. Nothing for who is disabled. */
  readonly memberships: Memberships
}

/** For themselves, and for those who may list members. */
export const onMemberSpaces: Place<'organization', MemberAt> = {
  ...inOrganization,
  name: 'memberSpaces',
  path: `${inOrganization.path}/members/{userId}`,
  params: Type.Object({
    ...inOrganization.params.properties,
    userId: Id('A member of the organization, or a guest.'),
  }),
  noun: 'member',
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    const userId = params.userId ?? ''
    const member = at && (await findMemberRole(context.db, at.organization.id, userId))
    if (at === undefined || member === undefined) return undefined
    const role = member.role as MemberRole | null
    return { ...at, userId, memberships: new Map(member.disabled ? [] : [[at.organization.id, role]]) }
  },
  role(principal, { organization, userId }) {
    const role = roleInOrganization(principal, organization.id)
    const isSelf = principal.kind === 'user' && principal.user.id === userId
    return isSelf || allows('organization', 'listMembers', role) ? role : null
  },
}
