// SQL over teams. For their members see membership.ts.
import { type Expression, type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { Teams } from '../../platform/db/tables.ts'
import type { ListTeams, ListTeamsOfMember, TeamRole } from './schema.ts'

/** A team with its counts. */
export type TeamRow = Selectable<Teams> & {
  readonly members: number
  /** Spaces that it was granted a role on directly. */
  readonly spaces: number
}

/** A team as a user sees it: with their own role in it, null if they are not in it. */
export type SeenTeam = TeamRow & { readonly own: TeamRole | null }

export const selectTeams = (db: Db | Trx) =>
  db
    .selectFrom('teams')
    .selectAll('teams')
    .select([
      sql<number>`(select count(*)::integer from team_members where team_members.team_id = teams.id)`.as(
        'members',
      ),
      sql<number>`(select count(*)::integer from grants
        where grants.organization_id = teams.organization_id and grants.team_id = teams.id and grants.rank > 0
          and (select deleted_at is null from spaces where spaces.id = grants.space_id))`.as('spaces'),
    ])

/** A team of this organization. */
export const findTeam = (db: Db | Trx, organizationId: string, id: string): Promise<TeamRow | undefined> =>
  selectTeams(db)
    .where('teams.organization_id', '=', organizationId)
    .where('teams.id', '=', id)
    .executeTakeFirst()

/** Those of these teams that belong to the organization, by id. */
export async function findTeams(
  db: Db | Trx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TeamRow>> {
  if (ids.length === 0) return new Map()
  const rows = await selectTeams(db)
    .where('teams.organization_id', '=', organizationId)
    .where(sql<boolean>`teams.id = any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

const selectSeenTeams = (db: Db, organizationId: string, userId: string) =>
  selectTeams(db)
    .select(
      sql<TeamRole | null>`(select role from team_members
        where team_members.team_id = teams.id and team_members.user_id = ${userId})`.as('own'),
    )
    .where('teams.organization_id', '=', organizationId)

const BY_TITLE = [
  ['title', 'asc'],
  ['id', 'asc'],
] as const

/** Somebody's role in a team; no row if they are not in it. The `offset` makes PostgreSQL look it up by key. */
const roleIn = (userId: string) => sql<{ role: TeamRole }>`(
  select role from team_members where team_members.team_id = teams.id and team_members.user_id = ${userId} offset 0)`

/** By title, as `userId` sees them. */
export function listTeams(
  db: Db,
  organizationId: string,
  userId: string,
  { owner, title, ...query }: ListTeams,
): Promise<Page<SeenTeam>> {
  let teams = withTitle(selectSeenTeams(db, organizationId, userId), title)
  if (owner !== undefined) teams = teams.where(isManagedBy(organizationId, owner))
  const filters = { owner: owner ?? null, title: title ?? null }
  const question = { list: 'teams', organization: organizationId, ...filters }
  return page(teams, { question, by: BY_TITLE, ...query })
}

/**
 * Teams of the organization with one of these people among their members, by title. `people`: a subquery of ids; it is
 * run once, whatever the planner knows. `viewerId`: only the teams of this person; null: all.
 */
export function listTeamsAmong(
  db: Db,
  organizationId: string,
  { people, viewerId }: { readonly people: Expression<unknown>; readonly viewerId: string | null },
  { search, ...query }: PageQuery & { readonly search?: string | undefined },
): Promise<Page<{ readonly id: string; readonly title: string }>> {
  const among = sql<boolean>`teams.id = any(array(select team_id from team_members
    where team_members.organization_id = ${organizationId} and team_members.user_id = any(array(${people}))))`
  const all = db
    .selectFrom('teams')
    .select(['teams.id', 'teams.title'])
    .where('teams.organization_id', '=', organizationId)
    .where(among)
  const seen = viewerId === null ? all : all.innerJoinLateral(roleIn(viewerId).as('own'), on => on.onTrue())
  const question = {
    ...{ list: 'teams among people', organization: organizationId, viewer: viewerId },
    search: search ?? null,
  }
  return page(withTitle(seen, search), { question, by: BY_TITLE, ...query })
}

/** The teams of a member, by title, with their role in each; as `userId` sees them. */
export function listTeamsOfMember(
  db: Db,
  organizationId: string,
  memberId: string,
  userId: string,
  { title, ...query }: ListTeamsOfMember,
): Promise<Page<SeenTeam & { readonly role: TeamRole }>> {
  const teams = selectSeenTeams(db, organizationId, userId)
    .innerJoinLateral(roleIn(memberId).as('theirs'), join => join.onTrue())
    .select('theirs.role')
  const filters = { member: memberId, title: title ?? null }
  const question = { list: 'teams of a member', organization: organizationId, ...filters }
  return page(withTitle(teams, title), { question, by: BY_TITLE, ...query })
}

/** Whether the title contains the text, literally. */
const withTitle = <DB, TB extends keyof DB, Row>(
  teams: SelectQueryBuilder<DB, TB, Row>,
  title: string | undefined,
): SelectQueryBuilder<DB, TB, Row> =>
  title === undefined ? teams : teams.where(sql<boolean>`strpos(lower(teams.title), lower(${title})) > 0`)

/** The same as `allows('team', 'manageMembers', …)` for an active member: an owner, or an admin of the organization. */
const isManagedBy = (organizationId: string, userId: string) => {
  const member = sql`select from members
    where organization_id = ${organizationId} and user_id = ${userId} and not disabled`
  return sql<boolean>`(exists (${member} and role = 'admin') or exists (${member}) and (
    select role = 'owner' from team_members where team_members.team_id = teams.id and team_members.user_id = ${userId}))`
}

/** The row of a team, locked until the transaction ends. Also held while its members change. */
export const lockTeam = (
  trx: Trx,
  organizationId: string,
  id: string,
): Promise<Selectable<Teams> | undefined> =>
  trx
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const insertTeam = (trx: Trx, row: Insertable<Teams>) => trx.insertInto('teams').values(row).execute()

export const updateTitle = (trx: Trx, id: string, title: string) =>
  trx.updateTable('teams').set({ title }).where('id', '=', id).execute()

export const removeTeam = (trx: Trx, id: string) => trx.deleteFrom('teams').where('id', '=', id).execute()
