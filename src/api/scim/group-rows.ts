// SQL over the teams of an organization as its directory sees them.
import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../engines/scim/filter.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Attribute, type Attributes, filterToSql } from './filter-sql.ts'
import { GROUP_SCHEMA } from './group-draft.ts'

export type GroupRow = {
  readonly id: string
  readonly title: string
  readonly external_id: string | null
  readonly created_at: Date
  readonly changed_at: Date
}

const changedAt = sql<Date>`greatest(teams.created_at, scim_groups.changed_at)`

const groups = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('teams')
    .leftJoin('scim_groups', 'scim_groups.team_id', 'teams.id')
    .where('teams.organization_id', '=', organizationId)

const selectGroups = (db: Db | Trx, organizationId: string) =>
  groups(db, organizationId)
    .select(['teams.id', 'teams.title', 'scim_groups.external_id', 'teams.created_at'])
    .select(changedAt.as('changed_at'))

export const findGroup = (db: Db | Trx, organizationId: string, id: string): Promise<GroupRow | undefined> =>
  selectGroups(db, organizationId).where('teams.id', '=', id).executeTakeFirst()

/** In the order in which they were made: an index of titles would be read for what a filter finds by key. */
export const listGroups = (
  db: Db,
  organizationId: string,
  filter: Filter | null,
  { offset, count }: { readonly offset: number; readonly count: number },
): Promise<GroupRow[]> =>
  selectGroups(db, organizationId)
    .where(conditionOf(organizationId, filter))
    .orderBy('teams.created_at')
    .orderBy('teams.id')
    .offset(offset)
    .limit(count)
    .execute()

export const countGroups = (db: Db, organizationId: string, filter: Filter | null): Promise<number> =>
  countRows(groups(db, organizationId).where(conditionOf(organizationId, filter)))

/** Whether another team has the title. The organization's row is locked, so that concurrent writes see each other. */
export async function isTitleTaken(
  trx: Trx,
  organizationId: string,
  title: string,
  exceptId: string | null,
): Promise<boolean> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const row = await trx
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`lower(title) = lower(${title})`)
    .where(sql<boolean>`id is distinct from ${exceptId}::text`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const conditionOf = (organizationId: string, filter: Filter | null): RawBuilder<boolean> =>
  filter === null ? sql<boolean>`true` : filterToSql(filter, groupAttributes(organizationId))

function groupAttributes(organizationId: string): Attributes {
  const members: Attribute = {
    kind: 'references',
    has: id => sql<boolean>`(exists (select from team_members
      where team_members.team_id = teams.id and team_members.user_id = ${id}))`,
    hasAny: sql<boolean>`(exists (select from team_members where team_members.team_id = teams.id))`,
  }
  return {
    schema: GROUP_SCHEMA,
    byName: new Map<string, Attribute>([
      [
        'id',
        {
          ...{ kind: 'text', column: sql<string>`teams.id`, isCaseExact: true },
          equals: value => sql<boolean>`(teams.id = ${value})`,
        },
      ],
      [
        'displayname',
        {
          ...{ kind: 'text', column: sql<string>`teams.title`, isCaseExact: false },
          equals: value => sql<boolean>`(teams.id = any(array(select id from teams
            where lower(title) = lower(${value}::text) and organization_id = ${organizationId})))`,
        },
      ],
      [
        'externalid',
        {
          ...{ kind: 'text', column: sql<string | null>`scim_groups.external_id`, isCaseExact: true },
          equals: value => sql<boolean>`(teams.id = any(array(select team_id from scim_groups
            where organization_id = ${organizationId} and external_id = ${value})))`,
        },
      ],
      ['members', members],
      ['members.value', members],
      ['meta.created', { kind: 'time', column: sql<Date>`teams.created_at` }],
      ['meta.lastmodified', { kind: 'time', column: changedAt }],
      ['meta.resourcetype', { kind: 'text', column: sql<string>`'Group'`, isCaseExact: false }],
    ]),
  }
}

/** How many members each of these teams has. */
export async function countMembersOf(
  db: Db,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (teamIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('team_members')
    .select(['team_id', sql<number>`count(*)::integer`.as('count')])
    .where(sql<boolean>`team_id = any(${[...teamIds]}::text[])`)
    .groupBy('team_id')
    .execute()
  return new Map(rows.map(({ team_id, count }) => [team_id, count]))
}

export type MemberOfGroup = { readonly team_id: string; readonly id: string; readonly display_name: string }

/** All members of these teams. */
export async function findMembersOf(
  db: Db | Trx,
  organizationId: string,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, readonly MemberOfGroup[]>> {
  if (teamIds.length === 0) return new Map()
  const { rows } = await sql<MemberOfGroup>`
    select team_members.team_id, team_members.user_id as id, coalesce(
      (select display_name from scim_people
        where scim_people.organization_id = ${organizationId} and scim_people.user_id = team_members.user_id),
      (select display_name from users where users.id = team_members.user_id)) as display_name
    from team_members where team_members.team_id = any(${[...teamIds]}::text[])
    order by team_members.team_id, team_members.user_id`.execute(db)
  return Map.groupBy(rows, ({ team_id }) => team_id)
}

export const upsertGroupRecord = (
  trx: Trx,
  row: { team_id: string; organization_id: string; external_id: string | null },
) =>
  trx
    .insertInto('scim_groups')
    .values(row)
    .onConflict(conflict =>
      conflict.column('team_id').doUpdateSet(({ ref }) => ({
        external_id: ref('excluded.external_id'),
        changed_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()
