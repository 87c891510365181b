// A collection, for people with a role on it; and an organization, for people who may create somewhere in it.
import { allows, type RoleOn } from '../../access/policy.ts'
import { findEffectiveRole, personOf, roleInOrganization } from '../../access/roles.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import { type Place, placeOf } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { type CollectionRow, findCollection, mayCreateInSome } from './rows.ts'

/** A collection, with the role of the caller. */
export type CollectionAt = { readonly collection: CollectionRow; readonly role: RoleOn<'collection'> | null }

export const inCollection = placeOf('collection', {
  path: '/collections/{collectionId}',
  params: { collectionId: Id('A collection.') },
  find: (context, { collectionId }) => findCollectionFor(context, collectionId),
  role: (_principal, { role }) => role,
})

/** With the role of the caller, which may be none. */
export async function findCollectionFor(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  id: string,
): Promise<CollectionAt | undefined> {
  const collection = await findCollection(db, id)
  if (collection === undefined) return undefined
  const { role } = await findEffectiveRole(db, principal, collection.organization_id, {
    kind: 'collection',
    id,
  })
  return { collection, role }
}

/**
 * An organization to create something in. People who may create in at least one of its collections are admitted with
 * the role `create`: the collection is in the body, and `checkDestination` decides when that is read.
 */
export const inOrganizationToCreate: Place<
  'organization',
  OrganizationAt & { readonly role: RoleOn<'organization'> | null }
> = {
  ...inOrganization,
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    if (at === undefined) return undefined
    const { db, principal } = context
    const role = roleInOrganization(principal, at.organization.id)
    if (role === null || allows('organization', 'createContent', role)) return { ...at, role }
    const isLetIn = await mayCreateInSome(db, at.organization.id, personOf(principal))
    return { ...at, role: isLetIn ? 'create' : role }
  },
  role: (_principal, { role }) => role,
}
