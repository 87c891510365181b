// A space, for people with a role on it, and for everyone where it is open.
import { allows, type RoleOn } from '../../access/policy.ts'
import { hasProof, NO_PROOFS } from '../../access/proofs.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { roleOnSpace } from '../../access/visits.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import { type Place, placeOf } from '../../http/place.ts'
import { nameOrganization } from '../../platform/fairness/party.ts'
import { findSpace, type SpaceRow } from './rows.ts'

/** A space, with the role of the caller. */
export type SpaceAt = { readonly space: SpaceRow; readonly role: RoleOn<'space'> | null }

/** A space that is not deleted. */
export const onSpace = placeOf('space', {
  path: '/spaces/{spaceId}',
  params: { spaceId: Id('A space.') },
  find: (context, { spaceId }) => findSpaceFor(context, spaceId),
  role: (_principal, { role }) => role,
})

/** A space, deleted or not: deleted ones exist for people who can restore them. */
export const onAnySpace: Place<'space', SpaceAt> = {
  ...onSpace,
  async find(context, { spaceId = '' }) {
    const space = await findCachedSpace(context, spaceId)
    return space && { space, role: await findCachedRole(context, space) }
  },
  role: (_principal, { space, role }) =>
    space.deleted_at === null || allows('space', 'admin', role) ? role : null,
}

const keyOf = (id: string) => `space:${id}`
const rowsOf = ({ id, organization_id }: SpaceRow) => [id, organization_id]

/** The row with its head. */
export async function findCachedSpace(
  { db, rowCache }: Pick<Context, 'db' | 'rowCache'>,
  id: string,
): Promise<SpaceRow | undefined> {
  const space = await rowCache.get(keyOf(id), () => findSpace(db, id), rowsOf)
  if (space !== undefined) nameOrganization(space.organization_id)
  return space
}

/**
 * To be called in the transaction that changes the row to `next`. Not for a transfer to another organization: the row
 * carries the access version of its organization.
 */
export function replaceCachedSpace(
  { rowCache }: Pick<Context, 'rowCache'>,
  row: SpaceRow,
  next: SpaceRow,
): void {
  if (next.organization_id !== row.organization_id) return
  rowCache.replace(keyOf(row.id), row, next, rowsOf)
}

type SpaceContext = Pick<
  Context,
  'db' | 'rowCache' | 'decisions' | 'signingKey' | 'linkUses' | 'principal' | 'proofs'
>

/** A space that is not deleted, with the role of the caller, which may be none. */
export async function findSpaceFor(context: SpaceContext, id: string): Promise<SpaceAt | undefined> {
  const space = await findCachedSpace(context, id)
  if (space === undefined || space.deleted_at !== null) return undefined
  return { space, role: await findCachedRole(context, space) }
}

/** A person's own role is cached until something that decides it changes; without one, a proof may open the space. */
async function findCachedRole(context: SpaceContext, space: SpaceRow): Promise<RoleOn<'space'> | null> {
  const { db, decisions, principal, proofs } = context
  const asker = principal.kind === 'user' ? (principal.tokenId ?? principal.session?.id ?? null) : null
  if (asker === null) return roleOnSpace(db, context, space)
  // Versions count within an organization. The membership may have been read before the version, so it is in the key.
  const { id, organization_id, access_version } = space
  const membership = roleInOrganization(principal, organization_id)
  const key = `${asker}:${id}:${organization_id}:${membership}:${access_version}`
  const { role } = await decisions.roles.get(key, async () => ({
    role: await roleOnSpace(db, { ...context, proofs: NO_PROOFS }, space),
  }))
  return role === null && hasProof(proofs) ? roleOnSpace(db, context, space) : role
}
