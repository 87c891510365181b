// Who made a revision of the space, which the wire embeds.
import { sql } from 'kysely'
import type { Context } from '../../http/context.ts'
import type { User } from '../accounts/schema.ts'
import { toUser } from '../accounts/wire.ts'
import type { RevisionRow } from '../spaces/revisions.ts'

/** By the id of the person; one query. Who left the server is not there. */
export async function findAuthorsOf(
  { db, urls }: Pick<Context, 'db' | 'urls'>,
  revisions: readonly Pick<RevisionRow, 'created_by'>[],
): Promise<ReadonlyMap<string, User>> {
  const ids = [...new Set(revisions.flatMap(({ created_by }) => created_by ?? []))]
  if (ids.length === 0) return new Map()
  const people = await db
    .selectFrom('users')
    .select(['id', 'display_name', 'email', 'photo_url'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute()
  return new Map(people.map(person => [person.id, toUser(urls, person)]))
}
