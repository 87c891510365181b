// Who may read a space without belonging to it: everybody where it is open, and whoever brings a proof that fits.
import type { Db } from '../platform/db/database.ts'
import type { RoleOn } from './policy.ts'
import type { Principal } from './principal.ts'
import { fits, type Proofs, type Verifying } from './proofs.ts'
import { findEffectiveRole, roleInOrganization } from './roles.ts'

/** Who asks, with what they bring. */
export type Requester = { readonly principal: Principal; readonly proofs: Proofs }

/** Who asks, and what their proofs are held against. */
export type Visitor = Requester & Pick<Verifying, 'rowCache' | 'signingKey'>

/** The columns of a space that decide who may see it. */
export type SpaceAccess = {
  readonly id: string
  readonly organization_id: string
  readonly parent_id: string | null
  readonly visibility: string
}

/**
 * The role of the one who asks on a space. Members have theirs; an installation what its scopes say; whoever has none
 * is a visitor where they may read it, else a stranger. At most two queries.
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
  const { principal, proofs, rowCache, signingKey } = visitor
  if (principal.kind === 'content' && principal.spaceId === space.id) return true
  switch (space.visibility) {
    case 'public':
    case 'unlisted':
      return true
    case 'in-collection':
      return mayOpenParent(db, principal, space)
    default:
      return fits({ db, rowCache, signingKey }, proofs, space)
  }
}

/** Who has a role on the collection may read what stands in it, where the space says so. */
async function mayOpenParent(db: Db, principal: Principal, space: SpaceAccess): Promise<boolean> {
  if (space.parent_id === null || roleInOrganization(principal, space.organization_id) === null) return false
  const collection = { kind: 'collection', id: space.parent_id } as const
  return (await findEffectiveRole(db, principal, space.organization_id, collection)).role !== null
}
