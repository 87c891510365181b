// In which language somebody gets mail: the one that they chose with their notifications, or that of the browser with
// which they signed in before they chose one, or English.
import type { Db, Trx } from '../../platform/db/database.ts'

/** Those of the workspace. */
export const MAIL_LANGUAGES = ['en', 'de'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'mail_languages.language': MailLanguage
  }
}

/** That of the first of these people who has one: somebody invited has none yet, and is spoken to as their inviter is. */
export async function findMailLanguage(db: Db | Trx, ...userIds: readonly string[]): Promise<MailLanguage> {
  const rows = await db
    .selectFrom('mail_languages')
    .select(['user_id', 'language'])
    .where('user_id', 'in', userIds)
    .execute()
  const known = new Map(rows.map(({ user_id, language }) => [user_id, language]))
  const first = userIds.find(id => known.has(id)) ?? ''
  return known.get(first) ?? 'en'
}
