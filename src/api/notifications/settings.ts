// What people want to be told, and how. Everything, until they say otherwise.
import type { ActionContext } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { findMailLanguage } from '../accounts/mail-language.ts'
import {
  type ChangeNotificationSettings,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationSettings,
} from './schema.ts'

type Ways = { readonly app: boolean; readonly mail: boolean }

const DEFAULT: Ways = { app: true, mail: true }

/** For each of these people and each kind. */
export async function listChosenWays(
  db: Db | Trx,
  userIds: readonly string[],
): Promise<(userId: string, kind: NotificationKind) => Ways> {
  const rows =
    userIds.length === 0
      ? []
      : await db
          .selectFrom('notification_settings')
          .select(['user_id', 'kind', 'app', 'mail'])
          .where('user_id', 'in', [...userIds])
          .execute()
  const chosen = new Map(rows.map(row => [`${row.user_id} ${row.kind}`, row]))
  return (userId, kind) => chosen.get(`${userId} ${kind}`) ?? DEFAULT
}

export async function readSettings({
  db,
  mail,
  principal,
}: Pick<ActionContext, 'db' | 'principal' | 'mail'>): Promise<NotificationSettings> {
  const ways = await listChosenWays(db, [principal.user.id])
  const kinds = NOTIFICATION_KINDS.map(kind => {
    const { app, mail } = ways(principal.user.id, kind)
    return [kind, { app, mail }]
  })
  return {
    object: 'notification-settings',
    mail: mail.isConfigured,
    language: await findMailLanguage(db, principal.user.id),
    // Object.fromEntries loses the names.
    kinds: Object.fromEntries(kinds) as NotificationSettings['kinds'],
  }
}

export async function changeSettings(
  context: ActionContext,
  { kinds = {}, language }: ChangeNotificationSettings,
): Promise<NotificationSettings> {
  const userId = context.principal.user.id
  await context.transaction(async trx => {
    const ways = await listChosenWays(trx, [userId])
    const rows = NOTIFICATION_KINDS.flatMap(kind => {
      const change = kinds[kind]
      const { app, mail } = ways(userId, kind)
      return change === undefined ? [] : [{ user_id: userId, kind, app, mail, ...change }]
    })
    if (language !== undefined)
      await trx
        .insertInto('mail_languages')
        .values({ user_id: userId, language })
        .onConflict(at => at.column('user_id').doUpdateSet({ language }))
        .execute()
    if (rows.length === 0) return
    await trx
      .insertInto('notification_settings')
      .values(rows)
      .onConflict(at =>
        at
          .columns(['user_id', 'kind'])
          .doUpdateSet(set => ({ app: set.ref('excluded.app'), mail: set.ref('excluded.mail') })),
      )
      .execute()
  })
  return readSettings(context)
}
