// How far several people reach in one organization: the number of spaces each may see, and of the teams they are in.
import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import { counterOf, findGifts, findLayout } from './layout.ts'

export type Reach = { readonly spaces: number; readonly teams: number }

/**
 * Members by their user ids; whoever is disabled or no member reaches what is open to everybody. Three queries, however
 * many they are.
 */
export async function findReach(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => Reach> {
  const ids = [...new Set(userIds)]
  const [layout, giftsOf, people] = await Promise.all([
    findLayout(db, organizationId),
    findGifts(db, organizationId, ids),
    findPeople(db, organizationId, ids),
  ])
  const countFor = counterOf(layout)
  const spacesOf = (id: string, rank: number | null) => countFor(rank, giftsOf(id))
  const reach = new Map(people.map(({ id, rank, teams }) => [id, { spaces: spacesOf(id, rank), teams }]))
  return id => reach.get(id) ?? { spaces: spacesOf(id, null), teams: 0 }
}

/** `rank` is null for who is disabled. */
async function findPeople(db: Db, organizationId: string, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; rank: number | null; teams: number }>`
    select user_id as id, case when disabled then null else rank end as rank,
      (select count(*)::integer from team_members where team_members.organization_id = members.organization_id
        and team_members.user_id = members.user_id) as teams
    from members where organization_id = ${organizationId} and user_id = any(${[...ids]}::text[])`.execute(db)
  return rows
}
