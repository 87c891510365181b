// A space, for whoever has a role on it or for everyone where it is open.
import { Type } from 'typebox'
import { allows } from '../../access/policy.ts'
import { roleOnSpace } from '../../access/roles.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/operation.ts'
import { findSpace, type SpaceRow } from './rows.ts'

export type SpaceAt = { readonly space: SpaceRow }

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
  async find(context, { spaceId = '' }) {
    const space = await findFreshSpace(context, spaceId)
    return space === undefined || space.deleted_at !== null ? undefined : { space }
  },
  role: (principal, { space }) => roleOnSpace(principal, space),
}

/** A space, deleted or not: a deleted one is there for those who could restore it (api-facts §8-36). */
export const onAnySpace: Place<'space', SpaceAt> = {
  ...base,
  name: 'anySpace',
  async find(context, { spaceId = '' }) {
    const space = await findFreshSpace(context, spaceId)
    return space === undefined ? undefined : { space }
  },
  role(principal, { space }) {
    const role = roleOnSpace(principal, space)
    return space.deleted_at === null || allows('space', 'admin', role) ? role : null
  },
}

/** The row with its head, kept in the process while nothing is written. */
export const findFreshSpace = ({ db, fresh }: Pick<Context, 'db' | 'fresh'>, id: string) =>
  fresh.get(`space:${id}`, () => findSpace(db, id)) as Promise<SpaceRow | undefined>
