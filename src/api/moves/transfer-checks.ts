// Reasons why spaces cannot leave their organization.
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A user in the merge rules of one of these spaces who is no active member of the organization. */
export async function findForeignReviewer(
  db: Db,
  spaceIds: readonly string[],
  organizationId: string,
): Promise<{ space: string; user: string } | undefined> {
  const { rows } = await sql<{ space: string; user: string }>`
    select spaces.id as space, named.id as "user"
    from spaces
      cross join jsonb_array_elements(coalesce(merge_rules -> 'rules', '[]')) as rule
      cross join jsonb_array_elements_text(coalesce(rule -> 'users', '[]')) as named (id)
    where spaces.id = any(${[...spaceIds]}::text[]) and not exists (
      select from members where organization_id = ${organizationId} and user_id = named.id and not disabled)
    order by spaces.id limit 1`.execute(db)
  return rows[0]
}

/** Whether an import or export of one of these spaces is running. */
export async function hasGitOperation(db: Db, spaceIds: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('git_operations')
    .select('id')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .where('completed_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}
