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

export async function findMailLanguage(db: Db | Trx, userId: string): Promise<MailLanguage> {
  const row = await db
    .selectFrom('mail_languages')
    .select('language')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.language ?? 'en'
}
