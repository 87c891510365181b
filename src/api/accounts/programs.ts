// Programs as authors: what an installation writes is shown as written by a user that has its id and the title of its
// integration. It has no tokens, no password and no memberships, and stays when the installation goes.
import { sql } from 'kysely'
import type { Author } from '../../access/principal.ts'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Person, PROGRAM_DOMAIN } from './wire.ts'

/** Makes the user of an installation that writes for the first time; to be called before a row names it. */
export async function requireAuthor(trx: Trx, author: Author): Promise<void> {
  if (author.kind === 'user') return
  // The address has a part that nobody knows, so that no account has it already.
  await sql`insert into users (id, email, display_name)
    select installations.id, ${`${newId()}${PROGRAM_DOMAIN}`}, integrations.title
    from installations join integrations on integrations.name = installations.integration
    where installations.id = ${author.installationId}
    on conflict (id) do nothing`.execute(trx)
}

/** How an author is shown, even one that has not written anything yet. */
export async function findAuthor(db: Db | Trx, author: Author): Promise<Person> {
  if (author.kind === 'user') return author.user
  const { title } = await db
    .selectFrom('integrations')
    .select('title')
    .where('name', '=', author.integration)
    .executeTakeFirstOrThrow()
  return { id: author.installationId, display_name: title, email: PROGRAM_DOMAIN, photo_url: null }
}
