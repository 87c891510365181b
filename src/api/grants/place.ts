// Who has which role on a space or a collection: one resource, at two places.
import type { RoleOn } from '../../access/policy.ts'
import type { Resource } from '../../access/roles.ts'
import type { Place } from '../../http/operation.ts'
import { inCollection } from '../collections/place.ts'
import { onSpace } from '../spaces/place.ts'

/** What roles are given on. */
export type PermissionsAt<S extends 'space' | 'collection' = 'space' | 'collection'> = {
  readonly thing: Resource
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
