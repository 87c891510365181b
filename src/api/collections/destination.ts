// Where something may be put: into a collection, or at the root of an organization.
import { allows } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { forbidden, invalid } from '../../base/errors.ts'
import type { Db } from '../../platform/db/database.ts'
import { findCollectionFor } from './place.ts'
import type { Parent } from './tree.ts'

/**
 * Throws unless somebody may create there. `field` of the body names the collection: `invalid` if it does not exist, is
 * another organization's or may not be seen; `forbidden` for too weak a role.
 */
export async function checkDestination(
  db: Db,
  principal: UserPrincipal,
  { organizationId, parentId }: Parent,
  field: string,
): Promise<void> {
  if (parentId === null) {
    const role = roleInOrganization(principal, organizationId)
    if (!allows('organization', 'createContent', role))
      throw forbidden(
        `${field}: outside of collections this needs the role create in the organization; yours is ${role ?? 'none'}. Name a collection that you may create in.`,
      )
    return
  }
  const at = await findCollectionFor({ db, principal }, parentId)
  if (at === undefined || at.collection.organization_id !== organizationId || at.role === null)
    throw invalid(
      'collection_unknown',
      `${field}: there is no such collection in the organization, or you may not see it.`,
    )
  if (!allows('collection', 'create', at.role))
    throw forbidden(`${field}: this needs the role create on the collection; yours is ${at.role}.`)
}

/** Whether somebody may create there, for places that no body names. */
export async function mayCreateIn(
  db: Db,
  principal: UserPrincipal,
  { organizationId, parentId }: Parent,
): Promise<boolean> {
  if (parentId === null)
    return allows('organization', 'createContent', roleInOrganization(principal, organizationId))
  const at = await findCollectionFor({ db, principal }, parentId)
  return at !== undefined && allows('collection', 'create', at.role)
}
