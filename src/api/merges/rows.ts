// SQL over what was undone.
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type Rollback = {
  /** Whose merge it undoes, or brings back. */
  readonly changeRequest: string | null
  readonly isRedone: boolean
}

/** What a revision that undid another one did. Few revisions do, so that those of an organization are looked through. */
export function findRollback(
  db: Db,
  organizationId: string,
  revisionId: string,
): Promise<Rollback | undefined> {
  return db
    .selectFrom('events')
    .select([
      sql<string | null>`payload->>'changeRequest'`.as('changeRequest'),
      sql<boolean>`coalesce(payload->>'redone', 'false') = 'true'`.as('isRedone'),
    ])
    .where('organization_id', '=', organizationId)
    .where('type', '=', 'space.rolled_back')
    .where(sql<boolean>`payload->>'revision' = ${revisionId}`)
    .executeTakeFirst()
}
