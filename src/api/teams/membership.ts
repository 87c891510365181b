// Who is in a team.
import type { Db } from '../../platform/db/open.ts'

/** What a person is in a team; null when they are not in it. */
export async function findMembership(
  db: Db,
  teamId: string,
  userId: string,
): Promise<'owner' | 'member' | null> {
  const row = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}
