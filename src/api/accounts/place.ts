// A person, seen by somebody who shares an organization with them, or by themselves.
import type { UserRow } from '../../access/principal.ts'
import { Id } from '../../http/list.ts'
import { placeOf } from '../../http/place.ts'
import { findUser, isInOneOf } from './rows.ts'

export type UserAt = { readonly user: UserRow; readonly isColleague: boolean }

export const onUser = placeOf('user', {
  path: '/users/{userId}',
  params: { userId: Id('A user.') },
  async find({ db, principal }, { userId }): Promise<UserAt | undefined> {
    const user = await findUser(db, userId)
    if (user === undefined || principal.kind !== 'user') return undefined
    return { user, isColleague: await isInOneOf(db, [...principal.memberships.keys()], user.id) }
  },
  role(principal, { user, isColleague }) {
    if (principal.kind === 'user' && principal.user.id === user.id) return 'self'
    return isColleague ? 'colleague' : null
  },
})
