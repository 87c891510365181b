// Who is in a team.
import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import { selectMembers } from '../members/rows.ts'
import type { MemberRow } from '../members/wire.ts'
import type { TeamRow } from './rows.ts'
import type { TeamRole } from './schema.ts'

/** The role of a person in a team; null if they are not in it. */
export async function findMembership(db: Db, teamId: string, userId: string): Promise<TeamRole | null> {
  const roles = await findTeamRoles(db, teamId, [userId])
  return roles.get(userId) ?? null
}

/** The role of each of these people in a team; people outside of it have no entry. */
export async function findTeamRoles(
  db: Db | Trx,
  teamId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, TeamRole>> {
  const rows = await db
    .selectFrom('team_members')
    .select(['user_id', 'role'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.user_id, row.role]))
}

export async function listTeamMemberIds(db: Db | Trx, teamId: string): Promise<string[]> {
  const rows = await db.selectFrom('team_members').select('user_id').where('team_id', '=', teamId).execute()
  return rows.map(row => row.user_id)
}

/** A member of the organization, and their role in the team. */
export type TeamMemberRow = MemberRow & { readonly team_role: TeamRole }

/** In the order in which they joined. */
export const listTeamMembers = (
  db: Db,
  { id, organization_id }: Pick<TeamRow, 'id' | 'organization_id'>,
  query: PageQuery,
): Promise<Page<TeamMemberRow>> =>
  page(
    selectMembers(db, organization_id)
      .innerJoin('team_members', 'team_members.user_id', 'members.user_id')
      .select(['team_members.role as team_role', 'team_members.joined_at as came_at'])
      .where('team_members.team_id', '=', id),
    {
      question: { list: 'members of a team', team: id },
      by: [
        ['came_at', 'asc'],
        ['id', 'asc'],
      ],
      ...query,
    },
  )

/** Replaces the role of those already in the team. */
export const insertTeamMembers = (
  trx: Trx,
  { id, organization_id }: Pick<TeamRow, 'id' | 'organization_id'>,
  roles: ReadonlyMap<string, TeamRole>,
) =>
  trx
    .insertInto('team_members')
    .values([...roles].map(([user_id, role]) => ({ team_id: id, organization_id, user_id, role })))
    .onConflict(conflict =>
      conflict.columns(['team_id', 'user_id']).doUpdateSet(({ ref }) => ({ role: ref('excluded.role') })),
    )
    .execute()

export const removeTeamMembers = (trx: Trx, teamId: string, userIds: readonly string[]) =>
  trx
    .deleteFrom('team_members')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .execute()
