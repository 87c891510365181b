// Reading a space without being a member: anybody if it is open, and visitors with a proof.
import type { Db } from '../platform/db/database.ts'
import type { RoleOn } from './policy.ts'
import type { Principal } from './principal.ts'
import { fits, type ProofServices, type Proofs } from './proofs.ts'
import { findEffectiveRole, roleInOrganization } from './roles.ts'

/** The caller with their proofs. */
export type Requester = { readonly principal: Principal; readonly proofs: Proofs }

/** The caller, and what verifies their proofs. */
export type Visitor = Requester & Pick<ProofServices, 'rowCache' | 'signingKey' | 'linkUses'>

/** The columns of a space that decide who may see it. */
export type SpaceAccess = {
  readonly id: string
  readonly organization_id: string
  readonly parent_id: string | null
  readonly visibility: string
}

/**
 * The caller's role on a space. Members have their own, installations that of their scopes; others are visitors where
 * they may read it. At most two queries.
 */
export async function roleOnSpace(
  db: Db,
  visitor: Visitor,
  space: SpaceAccess,
): Promise<RoleOn<'space'> | null> {
  const role = await ownRole(db, visitor.principal, space)
  if (role !== null) return role
  return (await mayVisit(db, visitor, space)) ? 'visitor' : null
}

async function ownRole(db: Db, principal: Principal, space: SpaceAccess): Promise<RoleOn<'space'> | null> {
  if (principal.kind === 'user') {
    const thing = { kind: 'space', id: space.id } as const
    return (await findEffectiveRole(db, principal, space.organization_id, thing)).role
  }
  if (principal.kind !== 'installation' || principal.organizationId !== space.organization_id) return null
  if (principal.spaces !== null && !principal.spaces.has(space.id)) return null
  if (principal.scopes.includes('space:content:write')) return 'edit'
  return principal.scopes.includes('space:content:read') ? 'read' : null
}

async function mayVisit(db: Db, visitor: Visitor, space: SpaceAccess): Promise<boolean> {
  const { principal, proofs } = visitor
  if (principal.kind === 'content' && principal.spaceId === space.id) return true
  switch (space.visibility) {
    case 'public':
    case 'unlisted':
      return true
    case 'in-collection':
      return mayOpenParent(db, principal, space)
    default:
      return fits({ ...visitor, db }, proofs, space)
  }
}

/** `in-collection`: a role on the collection opens the space. */
async function mayOpenParent(db: Db, principal: Principal, space: SpaceAccess): Promise<boolean> {
  if (space.parent_id === null || roleInOrganization(principal, space.organization_id) === null) return false
  const collection = { kind: 'collection', id: space.parent_id } as const
  return (await findEffectiveRole(db, principal, space.organization_id, collection)).role !== null
}
