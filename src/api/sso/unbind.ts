// `octavo unbind`: releases an account from the people of identity providers that it belongs to.

import { sql } from 'kysely'
import { invalid } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findUserByEmail } from '../accounts/rows.ts'
import { removeBindings } from './bindings.ts'

export type UnbindOptions = { readonly email: string }

/** How many it belonged to. */
export type UnbindResult = { readonly released: number }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The operator released the account from whom it belonged to at identity providers. */
    'user.unbound': { user: string; bindings: number }
  }
}

/** Directories of organizations that the account has left, which tell its next owner apart (record 96). */
const countFormer = (trx: Trx, userId: string): Promise<number> =>
  countRows(
    trx
      .selectFrom('scim_people')
      .where('user_id', '=', userId)
      .where(sql<boolean>`not exists (select from members
        where members.organization_id = scim_people.organization_id and members.user_id = scim_people.user_id)`),
  )

/** @throws {Failure} invalid: `user_missing`. */
export async function unbind(services: Services, { email }: UnbindOptions): Promise<UnbindResult> {
  const user = await findUserByEmail(services.db, email)
  if (user === undefined) throw invalid('user_missing', `There is no user with the address ${email}.`)
  const released = await services.transaction(async trx => {
    const bindings = await removeBindings(trx, user.id)
    const released = bindings + (await countFormer(trx, user.id))
    if (released > 0)
      await services.events.append(trx, { type: 'user.unbound', payload: { user: user.id, bindings } })
    return released
  })
  return { released }
}
