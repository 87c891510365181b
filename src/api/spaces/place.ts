// A space, for whoever has a role on it or for everyone where it is open.
import { Type } from 'typebox'
import { allows, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { hasProof, NO_PROOFS } from '../../access/proofs.ts'
import { roleOnSpace } from '../../access/visits.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { findSpace, type SpaceRow } from './rows.ts'

/** A space, with the role of the one who asks. */
export type SpaceAt = { readonly space: SpaceRow; readonly role: RoleOn<'space'> | null }

const base = {
  subject: 'space',
  path: '/spaces/{spaceId}',
  params: Type.Object({ spaceId: Id('A space.') }),
  noun: 'space',
} as const

/** A space that is not deleted. */
export const onSpace: Place<'space', SpaceAt> = {
  ...base,
  name: 'space',
  find: (context, { spaceId = '' }) => findSpaceFor(context, spaceId),
  role: (_principal, { role }) => role,
}

/** A space, deleted or not: a deleted one is there for those who could restore it (api-facts §8-36). */
export const onAnySpace: Place<'space', SpaceAt> = {
  ...base,
  name: 'anySpace',
  async find(context, { spaceId = '' }) {
    const space = await findFreshSpace(context, spaceId)
    return space && { space, role: await findFreshRole(context, space) }
  },
  role: (_principal, { space, role }) =>
    space.deleted_at === null || allows('space', 'admin', role) ? role : null,
}

/** The row with its head, kept in the process while nothing is written. */
export const findFreshSpace = ({ db, rowCache }: Pick<Context, 'db' | 'rowCache'>, id: string) =>
  rowCache.get(`space:${id}`, () => findSpace(db, id)) as Promise<SpaceRow | undefined>

type Asking = Pick<Context, 'db' | 'rowCache' | 'decisions' | 'signingKey' | 'principal' | 'proofs'>

/** A space that is not deleted, with the role of the one who asks, which may be none. */
export async function findSpaceFor(context: Asking, id: string): Promise<SpaceAt | undefined> {
  const space = await findFreshSpace(context, id)
  if (space === undefined || space.deleted_at !== null) return undefined
  return { space, role: await findFreshRole(context, space) }
}

/** Their own role, kept in the process while nothing that decides it changes; without one, what they bring may open the space. */
async function findFreshRole(context: Asking, space: SpaceRow): Promise<RoleOn<'space'> | null> {
  const { db, rowCache, decisions, principal, proofs } = context
  const asker = principal.kind === 'anonymous' ? null : (principal.tokenId ?? sessionOf(principal))
  if (asker === null) return roleOnSpace(db, context, space)
  const decide = async () => ({ role: await roleOnSpace(db, { ...context, proofs: NO_PROOFS }, space) })
  // an installation is not of the people whose changes move the number
  const { role } =
    principal.kind === 'user'
      ? await decisions.roles.get(`${asker}:${space.id}:${space.access_version}`, decide)
      : ((await rowCache.get(`role:${asker}:${space.id}`, decide)) as Awaited<ReturnType<typeof decide>>)
  return role === null && hasProof(proofs) ? roleOnSpace(db, context, space) : role
}

const sessionOf = (principal: Principal): string | null =>
  principal.kind === 'user' ? principal.sessionId : null
