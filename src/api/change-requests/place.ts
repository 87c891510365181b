// A change request of a space, by its id or its number. Visitors of an open space do not learn that it has change
// requests.
import { allows, type RoleOn } from '../../access/policy.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import { below } from '../../http/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { type ChangeRequestRow, findChangeRequestOfSpace } from './rows.ts'

/** Visitors of the space have no role. */
export type ChangeRequestAt = SpaceAt & { readonly changeRequest: ChangeRequestRow }

export const onChangeRequest = below(onSpace, {
  name: 'changeRequest',
  subject: 'space',
  path: '/change-requests/{changeRequestId}',
  params: { changeRequestId: Id('A change request: its id, or its number in the space.') },
  noun: 'change request',
  async find(context, { space, role }, { changeRequestId }): Promise<ChangeRequestAt | undefined> {
    const changeRequest = await findCachedChangeRequest(context, space.id, changeRequestId)
    return changeRequest && { space, changeRequest, role: roleOfMember(role) }
  },
  role: (_principal, { role }) => role,
})

/** Without the role of a visitor. */
const roleOfMember = (role: RoleOn<'space'> | null): RoleOn<'space'> | null =>
  allows('space', 'access', role) ? role : null

const keyOf = (spaceId: string, idOrNumber: string) => `change-request:${spaceId}:${idOrNumber}`

export const findCachedChangeRequest = (
  { db, rowCache }: Pick<Context, 'db' | 'rowCache'>,
  spaceId: string,
  idOrNumber: string,
) => rowCache.get(keyOf(spaceId, idOrNumber), () => findChangeRequestOfSpace(db, spaceId, idOrNumber), rowsOf)

/** To be called in the transaction that changes the row to `next`. */
export function replaceCachedChangeRequest(
  { rowCache }: Pick<Context, 'rowCache'>,
  row: ChangeRequestRow,
  next: ChangeRequestRow,
): void {
  rowCache.replace(keyOf(row.space_id, row.id), row, next, rowsOf)
}

/** The ids of the rows that the row of a change request is built from. */
export const rowsOf = ({ id, space_id, created_by, merged_by }: ChangeRequestRow): string[] => [
  ...[id, space_id, created_by],
  ...(merged_by === null ? [] : [merged_by]),
]
