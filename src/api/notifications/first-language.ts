// The language of somebody's mails before they choose one.
import { hashToken } from '../../access/principal.ts'
import type { Db } from '../../platform/db/database.ts'
import type { MailLanguage } from '../accounts/mail-language.ts'

/** That of the browser which the session of this secret is in, for somebody who has none. */
export async function supposeMailLanguage(db: Db, secret: string, language: MailLanguage): Promise<void> {
  await db
    .insertInto('mail_languages')
    .columns(['user_id', 'language'])
    .expression(
      db
        .selectFrom('sessions')
        .select(({ val }) => ['user_id', val(language).as('language')])
        .where('secret_hash', '=', hashToken(secret)),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
