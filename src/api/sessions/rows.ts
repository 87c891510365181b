// SQL over sessions and passwords.
import { type Insertable, type Selectable, sql } from 'kysely'
import {
  type Factor,
  SESSION_IDLE_DAYS_MAX,
  type SessionMethod,
  type UserPrincipal,
} from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Sessions } from '../../platform/db/tables.ts'

const SESSION_COLUMNS = [
  'id',
  'method',
  'factor',
  'organization_id',
  'address',
  'user_agent',
  'created_at',
  'last_used_at',
  'expires_at',
] as const
export type SessionRow = Pick<Selectable<Sessions>, (typeof SESSION_COLUMNS)[number]>

const DAY_MS = 24 * 60 * 60 * 1000
const idleSince = (): Date => new Date(now().getTime() - SESSION_IDLE_DAYS_MAX * DAY_MS)

export const insertSession = (trx: Trx, session: Insertable<Sessions> & { method: SessionMethod }) =>
  trx.insertInto('sessions').values(session).execute()

/** `onlyIn`: only sessions limited to that organization. */
export type Owner = { readonly userId: string; readonly onlyIn: string | null }

export const ownerOf = ({ user, onlyIn }: Pick<UserPrincipal, 'user' | 'onlyIn'>): Owner => ({
  userId: user.id,
  onlyIn,
})

/** Valid sessions, newest first. */
export const listSessions = (db: Db, { userId, onlyIn }: Owner, query: PageQuery) =>
  page(
    db
      .selectFrom('sessions')
      .select(SESSION_COLUMNS)
      .where('user_id', '=', userId)
      .$if(onlyIn !== null, theirs => theirs.where('organization_id', '=', onlyIn))
      .where('expires_at', '>', now())
      .where('last_used_at', '>', idleSince()),
    {
      question: { list: 'sessions', user: userId, onlyIn },
      by: [
        ['created_at', 'desc'],
        ['id', 'desc'],
      ],
      ...query,
    },
  )

/** `onlyIn` does not limit it: the session asks for itself. */
export const findSession = (db: Db, id: string) =>
  db
    .selectFrom('sessions')
    .select([...SESSION_COLUMNS, 'provider_id'])
    .where('id', '=', id)
    .executeTakeFirst()

/** The person of a session has shown a second factor in it. */
export const updateSessionFactor = (trx: Trx, id: string, factor: Factor) =>
  trx.updateTable('sessions').set({ factor }).where('id', '=', id).execute()

/** Undefined if the session has ended. */
export const updateConfirmation = (trx: Trx, userId: string, id: string, at: Date) =>
  trx
    .updateTable('sessions')
    .set({ confirmed_at: at })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('organization_id')
    .executeTakeFirst()

export const removeSession = (trx: Trx, { userId, onlyIn }: Owner, id: string) =>
  trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(onlyIn !== null, theirs => theirs.where('organization_id', '=', onlyIn))
    .where('id', '=', id)
    .returning(['id', 'organization_id'])
    .executeTakeFirst()

/** Removes all sessions of a person except one. */
export const removeSessions = (trx: Trx, userId: string, keptId: string | null) =>
  trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptId !== null, query => query.where('id', '!=', keptId))
    .returning(['id', 'organization_id'])
    .execute()

/** Removes sessions that are no longer valid. */
export const removeExpiredSessions = (trx: Trx) =>
  trx
    .deleteFrom('sessions')
    .where(({ eb, or }) => or([eb('expires_at', '<', now()), eb('last_used_at', '<', idleSince())]))
    .execute()

/** Stores when sessions were last used, in one statement. */
export async function updateSessionUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return
  const ids = [...uses.keys()]
  const times = [...uses.values()].map(date => date.toISOString())
  await sql`update sessions set last_used_at = uses.used_at
    from unnest(${ids}::text[], ${times}::timestamptz[]) as uses (id, used_at)
    where sessions.id = uses.id`.execute(db)
}

/** Whether it is the first session of the person. */
export async function insertFirstSignIn(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .insertInto('first_sign_ins')
    .values({ user_id: userId })
    .onConflict(conflict => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export type PasswordRow = {
  readonly hash: string
  /** The organization on whose word it stands, which is the only one that it opens; null: on that of the person. */
  readonly organization_id: string | null
}

/** `locked` keeps it from changing until the transaction ends. */
export const findPassword = (db: Db, userId: string, mode?: 'locked'): Promise<PasswordRow | undefined> =>
  db
    .selectFrom('passwords')
    .select(['hash', 'organization_id'])
    .where('user_id', '=', userId)
    .$if(mode === 'locked', query => query.forUpdate())
    .executeTakeFirst()

export const putPassword = (trx: Trx, userId: string, password: PasswordRow) =>
  trx
    .insertInto('passwords')
    .values({ user_id: userId, ...password })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ ...password, changed_at: now() }))
    .execute()
