// Users by email address: an address that is new to this server becomes a user.
import { sql } from 'kysely'
import type { UserRow } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findUserByEmail } from './rows.ts'

const LOCAL_PART_CHARACTERS_MAX = 64
const ADDRESS_CHARACTERS_MAX = 254
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?'
// RFC 5321 §4.1.2 without quoted local parts and address literals, which no person has; RFC 6531 for other letters.
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
// The only letter that NFKC keeps and the database turns into an i.
const DOTTED_CAPITAL_I = '\u0130'
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'u')

/**
 * Whether mail can be sent to it; whether somebody reads it is another question. Letters that turn into others when
 * addresses are compared, as a Kelvin sign into a k, would make one person be taken for another.
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || text.length > ADDRESS_CHARACTERS_MAX || local.length > LOCAL_PART_CHARACTERS_MAX) return false
  if (text.normalize('NFKC') !== text || text.includes(DOTTED_CAPITAL_I)) return false
  return LOCAL_PART.test(local) && DOMAIN.test(text.slice(at + 1))
}

/** The part after the @, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

export const NAME_CHARACTERS_MAX = 64

/** Undefined if somebody has the address; safe when several transactions name it at once. */
export const createUserIfNew = (trx: Trx, email: string, name?: string): Promise<UserRow | undefined> =>
  trx
    .insertInto('users')
    .values({
      id: newId(),
      email,
      display_name: name ?? email.slice(0, email.lastIndexOf('@')).slice(0, NAME_CHARACTERS_MAX),
    })
    .onConflict(conflict => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst()

/** The person with this address, made if there is none, with this name or the part before the @. */
export async function findOrCreateUser(trx: Trx, email: string, name?: string): Promise<UserRow> {
  const user = (await createUserIfNew(trx, email, name)) ?? (await findUserByEmail(trx, email))
  assert(user !== undefined, 'the user that the insert conflicts with exists')
  return user
}
