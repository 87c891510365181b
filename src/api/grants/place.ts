// The permissions of a space or a collection: one resource at two places.
import type { RoleOn } from '../../access/policy.ts'
import type { Resource } from '../../access/roles.ts'
import { below, type Place } from '../../http/place.ts'
import { inCollection } from '../collections/place.ts'
import { onSpace } from '../spaces/place.ts'

/** The resource that roles are granted on. */
export type PermissionsAt<S extends 'space' | 'collection' = 'space' | 'collection'> = {
  readonly resource: Resource
  readonly organizationId: string
  /** Of a space; null for a collection. */
  readonly visibility: string | null
  readonly role: RoleOn<S> | null
}

export const inSpacePermissions: Place<'space', PermissionsAt<'space'>> = below(onSpace, {
  subject: 'space',
  path: '/permissions',
  find: (_context, { space, role }) => ({
    resource: { kind: 'space', id: space.id },
    organizationId: space.organization_id,
    visibility: space.visibility,
    role,
  }),
  role: (_principal, { role }) => role,
})

export const inCollectionPermissions: Place<'collection', PermissionsAt<'collection'>> = below(inCollection, {
  subject: 'collection',
  path: '/permissions',
  find: (_context, { collection, role }) => ({
    resource: { kind: 'collection', id: collection.id },
    organizationId: collection.organization_id,
    visibility: null,
    role,
  }),
  role: (_principal, { role }) => role,
})
