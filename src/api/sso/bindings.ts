// Which account a person of an identity provider has. The first sign-in binds the account of their address to who they
// are there; from then on this decides, and no address: providers give addresses that are free again to other people.
import { sql } from 'kysely'
import type { UserRow } from '../../access/principal.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { findUserByEmail } from '../accounts/rows.ts'
import { type Identity, refuse, type Subject } from './identity.ts'

/** `providerId`: of an organization, or null for the provider of the installation. An issuer is known within it alone. */
type Bound = Subject & { readonly providerId: string | null }

/**
 * The account of a person, by what the directory of the organization says or by their address, bound to them if they have a subject. `create`: makes one for an address that nobody has.
 * Throws if the account of the address is bound to another person of the issuer.
 */
export async function findOrBindUser(
  trx: Trx,
  providerId: string | null,
  identity: Identity,
  create: () => Promise<UserRow>,
): Promise<UserRow> {
  const subject = identity.subject && { ...identity.subject, providerId }
  const bound = subject && (await findBoundUser(trx, subject))
  if (bound !== undefined) return bound
  const user =
    (await findInDirectory(trx, providerId, identity.email)) ??
    (await findUserByEmail(trx, identity.email)) ??
    (await create())
  if (subject === undefined || (await insertBinding(trx, subject, user.id))) return user
  // The same person may have signed in twice at once.
  const rival = await findBoundUser(trx, subject)
  if (rival?.id === user.id) return user
  throw refuse(
    'sso_bound',
    `The account here with the email address ${identity.email} belongs to somebody else of this identity provider, who had the address before you, or to a former account of yours there. Ask the operator of this server to release it (octavo unbind).`,
  )
}

const findBoundUser = (db: Db | Trx, { providerId, issuer, id }: Bound): Promise<UserRow | undefined> =>
  db
    .selectFrom('sso_bindings')
    .innerJoin('users', 'users.id', 'sso_bindings.user_id')
    .selectAll('users')
    .where('provider_id', 'is not distinct from', providerId)
    .where('issuer', '=', issuer)
    .where('subject', '=', id)
    .executeTakeFirst()

/** The member whom the organization's directory (SCIM) knows by this address or name, whatever their account says. */
async function findInDirectory(
  trx: Trx,
  providerId: string | null,
  email: string,
): Promise<UserRow | undefined> {
  if (providerId === null) return undefined
  return trx
    .selectFrom('scim_people')
    .innerJoin('users', 'users.id', 'scim_people.user_id')
    .selectAll('users')
    .where(({ eb, selectFrom }) =>
      eb(
        'scim_people.organization_id',
        '=',
        selectFrom('saml_providers').select('organization_id').where('id', '=', providerId),
      ),
    )
    .where(sql<boolean>`(lower(scim_people.email) = lower(${email})
      or lower(scim_people.user_name) = lower(${email}))`)
    .where(sql<boolean>`exists (select from members where members.organization_id = scim_people.organization_id
      and members.user_id = scim_people.user_id)`)
    .orderBy(sql`lower(scim_people.email) <> lower(${email})`)
    .limit(1)
    .executeTakeFirst()
}

/** False if the subject or the account is bound already. */
async function insertBinding(trx: Trx, { providerId, issuer, id }: Bound, userId: string): Promise<boolean> {
  const row = await trx
    .insertInto('sso_bindings')
    .values({ provider_id: providerId, issuer, subject: id, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Releases an account: the next person who signs in with its address has it. Returns how many bindings it had. */
export async function removeBindings(trx: Trx, userId: string): Promise<number> {
  const rows = await trx
    .deleteFrom('sso_bindings')
    .where('user_id', '=', userId)
    .returning('issuer')
    .execute()
  return rows.length
}
