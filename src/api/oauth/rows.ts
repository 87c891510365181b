// SQL over clients and grants.
import { type Insertable, type Selectable, sql } from 'kysely'
import { now } from '../../base/clock.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { OauthClients, OauthGrants } from '../../platform/db/tables.ts'
import type { Client } from './clients.ts'

export type ClientRow = Selectable<OauthClients>
export type GrantRow = Selectable<OauthGrants>

const DAY_MS = 24 * 3600 * 1000
const daysAgo = (days: number): Date => new Date(now().getTime() - days * DAY_MS)

export const findClient = (db: Db, id: string): Promise<ClientRow | undefined> =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'registered')
    .executeTakeFirst()

export const insertClient = (trx: Trx, client: Insertable<OauthClients>): Promise<ClientRow> =>
  trx.insertInto('oauth_clients').values(client).returningAll().executeTakeFirstOrThrow()

/** A grant refers to its client; a document is kept as it was when somebody last agreed. False: it is gone. */
export async function putUsedClient(trx: Trx, { id, kind, name, redirectUris }: Client): Promise<boolean> {
  const used = { name, redirect_uris: [...redirectUris], used_at: now() }
  const row =
    kind === 'document'
      ? await trx
          .insertInto('oauth_clients')
          .values({ id, kind, ...used })
          .onConflict(conflict => conflict.column('id').doUpdateSet(used))
          .returning('id')
          .executeTakeFirst()
      : await trx
          .updateTable('oauth_clients')
          .set({ used_at: now() })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
  return row !== undefined
}

/** How many registrations nobody has used, of one network or of all; counts no further than `max`. */
export async function countUnusedClients(trx: Trx, network: string | null, max: number): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (
      select from oauth_clients where used_at is null ${network === null ? sql`` : sql`and network = ${network}`}
      limit ${max}) as unused`.execute(trx)
  return Number(rows[0]?.count ?? 0)
}

/** Clients that nobody lets act for them any more; those that nobody ever did go after a day. */
export async function removeUnusedClients(db: Db): Promise<void> {
  await sql`delete from oauth_clients as client
    where not exists (select from oauth_grants where client_id = client.id)
      and (case when used_at is null then created_at < ${daysAgo(1)} else used_at < ${daysAgo(30)} end)`.execute(
    db,
  )
}

export const insertGrant = (trx: Trx, grant: Insertable<OauthGrants>): Promise<GrantRow> =>
  trx.insertInto('oauth_grants').values(grant).returningAll().executeTakeFirstOrThrow()

export const countGrants = (trx: Trx, userId: string): Promise<number> =>
  countRows(trx.selectFrom('oauth_grants').where('user_id', '=', userId))

/** By one of its secrets, as a hash; locked, since each may be used once. */
export const lockGrant = (
  trx: Trx,
  secret: 'code_hash' | 'family_hash',
  hash: Buffer,
): Promise<GrantRow | undefined> =>
  trx.selectFrom('oauth_grants').selectAll().where(secret, '=', hash).forUpdate().executeTakeFirst()

export async function updateGrant(
  trx: Trx,
  id: string,
  change: Pick<GrantRow, 'family_hash' | 'refresh_hash' | 'refresh_expires_at' | 'used_at'>,
): Promise<void> {
  await trx.updateTable('oauth_grants').set(change).where('id', '=', id).execute()
}

/** The owner of grants. `onlyIn`: only those for that organization. */
export type GrantOwner = { readonly userId: string; readonly onlyIn: string | null }

/** Its tokens go with it. */
export function removeGrant(trx: Trx, { userId, onlyIn }: GrantOwner, id: string) {
  const theirs = trx.deleteFrom('oauth_grants').where('user_id', '=', userId).where('id', '=', id)
  return (onlyIn === null ? theirs : theirs.where('organization_id', '=', onlyIn))
    .returning(['id', 'user_id', 'client_id', 'organization_id'])
    .executeTakeFirst()
}

const GRANT_COLUMNS = [
  'id',
  'client_id',
  'scopes',
  'organization_id',
  'created_at',
  'expires_at',
  'code_redirect_uri',
] as const

/** With the client's name, and the last use that was written. */
export type ListedGrantRow = Pick<GrantRow, (typeof GRANT_COLUMNS)[number]> & {
  readonly client_name: string
  readonly last_used_at: Date | null
}

export function listGrants(db: Db, { userId, onlyIn }: GrantOwner, query: PageQuery) {
  const theirs = db
    .selectFrom('oauth_grants')
    .select(GRANT_COLUMNS)
    .select(sql<string>`(select name from oauth_clients where id = oauth_grants.client_id)`.as('client_name'))
    .select(
      sql<Date | null>`greatest(used_at, (
        select max(last_used_at) from tokens where oauth_grant_id = oauth_grants.id))`.as('last_used_at'),
    )
    .where('user_id', '=', userId)
  return page(onlyIn === null ? theirs : theirs.where('organization_id', '=', onlyIn), {
    question: { list: 'oauth grants', user: userId, onlyIn },
    by: NEWEST_FIRST,
    ...query,
  })
}

/** Grants by which nothing can act any more. */
export async function removeEndedGrants(db: Db): Promise<void> {
  await sql`delete from oauth_grants
    where coalesce(refresh_expires_at, code_expires_at) < ${now()} or expires_at < ${now()}`.execute(db)
}
