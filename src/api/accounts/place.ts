// A person, seen by somebody who shares an organization with them, or by themselves.
import { Type } from 'typebox'
import type { UserRow } from '../../access/principal.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { findUser, isInOneOf } from './rows.ts'

export type UserAt = { readonly user: UserRow; readonly isColleague: boolean }

export const onUser: Place<'user', UserAt> = {
  name: 'user',
  subject: 'user',
  path: '/users/{userId}',
  params: Type.Object({ userId: Id('A user.') }),
  noun: 'user',
  async find({ db, principal }, { userId = '' }) {
    const user = await findUser(db, userId)
    if (user === undefined || principal.kind !== 'user') return undefined
    return { user, isColleague: await isInOneOf(db, [...principal.memberships.keys()], user.id) }
  },
  role(principal, { user, isColleague }) {
    if (principal.kind === 'user' && principal.user.id === user.id) return 'self'
    return isColleague ? 'colleague' : null
  },
}
