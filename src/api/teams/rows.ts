// SQL over teams and who is in them.
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/open.ts'
import type { Teams } from '../../platform/db/tables.ts'

/** A team, with what is counted of it. */
export type TeamRow = Selectable<Teams> & {
  readonly members: number
  /** Spaces that it was given a role on directly. */
  readonly spaces: number
}

export const selectTeams = (db: Db | Trx) =>
  db
    .selectFrom('teams')
    .selectAll('teams')
    .select([
      sql<number>`(select count(*)::integer from team_members where team_members.team_id = teams.id)`.as(
        'members',
      ),
      sql<number>`(select count(*)::integer from grants join spaces on spaces.id = grants.space_id
        where grants.team_id = teams.id and grants.rank > 0 and spaces.deleted_at is null)`.as('spaces'),
    ])

/** A team of this organization. */
export const findTeam = (db: Db | Trx, organizationId: string, id: string): Promise<TeamRow | undefined> =>
  selectTeams(db)
    .where('teams.organization_id', '=', organizationId)
    .where('teams.id', '=', id)
    .executeTakeFirst()
