// How much several people see of one organization: how many of its spaces, and how many teams they are in; and, for
// lists, one person's rights on all of its spaces. Both are computed in memory from the organization's snapshot and
// each person's grants.
import { type RawBuilder, sql } from 'kysely'
import type { InvalidatingCache } from '../platform/cache/cache.ts'
import type { Db } from '../platform/db/database.ts'
import { type Decisions, findAccessVersion } from './decisions.ts'
import { type Person, rankOf } from './roles.ts'
import {
  type CollectionVisibility,
  type GrantRow,
  type Grants,
  type SpaceGroup,
  type SpaceView,
  toGrants,
  toVisibilitySnapshot,
  type VisibilitySnapshot,
} from './visibility-snapshot.ts'
import { countVisibleSpaces } from './visible-space-counts.ts'

export type MemberAccess = { readonly spaces: number; readonly teams: number }

type Reads = {
  readonly db: Db
  readonly rowCache: InvalidatingCache<object>
  readonly decisions: Decisions
}

/**
 * Members by user id. A disabled person or a non-member sees what is open to everybody. One query about the people,
 * however many there are, and none about the organization while nothing that decides access changes.
 */
export async function findMemberAccess(
  reads: Reads,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => MemberAccess> {
  const version = await findAccessVersion(reads, organizationId)
  const [snapshot, teamGrants, people] = await Promise.all([
    getSnapshot(reads, organizationId, version),
    reads.decisions.teamGrants.get(`${organizationId}:${version}`, () =>
      findTeamGrants(reads.db, organizationId),
    ),
    findPeople(reads.db, organizationId, [...new Set(userIds)]),
  ])
  const combined = combine(teamGrants)
  const access = new Map(
    people.map(({ id, rank, teams, own }) => {
      const member = rank === null ? null : { rank, own, teams: combined(teams) }
      return [id, { spaces: countVisibleSpaces(snapshot, member), teams: teams.length }]
    }),
  )
  return id => access.get(id) ?? { spaces: snapshot.root.total.open, teams: 0 }
}

/** For one person, without a query while nothing that decides access changes. */
export async function findSpaceView(
  reads: Reads,
  organizationId: string,
  { userId, memberships }: Person,
): Promise<SpaceView> {
  const version = await findAccessVersion(reads, organizationId)
  const role = memberships.get(organizationId)
  if (role === undefined) return { snapshot: await getSnapshot(reads, organizationId, version), member: null }
  const [snapshot, grants] = await Promise.all([
    getSnapshot(reads, organizationId, version),
    reads.decisions.grants.get(`${organizationId}:${userId}:${version}`, () =>
      findGrants(reads.db, organizationId, userId),
    ),
  ])
  return { snapshot, member: { rank: rankOf(role), ...grants } }
}

const getSnapshot = ({ db, decisions }: Reads, organizationId: string, version: string) =>
  decisions.snapshots.get(`${organizationId}:${version}`, () => findVisibilitySnapshot(db, organizationId))

type TeamGrants = ReadonlyMap<string, readonly GrantRow[]>

/** Many people are in the same teams: the grants of a set of teams are combined once. */
function combine(teamGrants: TeamGrants): (ids: readonly string[]) => Grants {
  const bySet = new Map<string, Grants>()
  return ids => {
    const key = JSON.stringify(ids)
    const known = bySet.get(key)
    if (known !== undefined) return known
    const grants = toGrants(ids.flatMap(id => teamGrants.get(id) ?? []))
    bySet.set(key, grants)
    return grants
  }
}

/** The rows of a query as JSON, in one column. */
const jsonRows = <Row>(query: RawBuilder<unknown>) =>
  sql<readonly Row[]>`(select coalesce(json_agg(one), '[]') from (${query}) as one)`

/** Rows of `grants` with their grantees. Spaces are looked up by key: a join would read all of them. */
const grantsTo = <Grantee extends 'user_id' | 'team_id'>(
  grantee: Grantee,
  organizationId: string,
  isMeant: RawBuilder<unknown>,
) =>
  jsonRows<GrantRow & { readonly [id in Grantee]: string }>(sql`
    select ${sql.ref(grantee)}, rank, collection_id as collection, case when space_id is not null then (
      select to_json(one) from (select id, parent_id as parent, level_rank as level, visibility
        from spaces where spaces.id = grants.space_id and deleted_at is null) as one) end as space
    from grants where organization_id = ${organizationId} and ${isMeant}`)

/** What the person was granted, and what their teams were. */
async function findGrants(db: Db, organizationId: string, userId: string) {
  const teams = sql`array(select team_id from team_members
    where organization_id = ${organizationId} and user_id = ${userId})`
  const { own, ofTeams } = await db
    .selectNoFrom([
      grantsTo('user_id', organizationId, sql`user_id = ${userId}`).as('own'),
      grantsTo('team_id', organizationId, sql`team_id = any(${teams})`).as('ofTeams'),
    ])
    .executeTakeFirstOrThrow()
  return { own: toGrants(own), teams: toGrants(ofTeams) }
}

async function findTeamGrants(db: Db, organizationId: string): Promise<TeamGrants> {
  const { grants } = await db
    .selectNoFrom(grantsTo('team_id', organizationId, sql`team_id is not null`).as('grants'))
    .executeTakeFirstOrThrow()
  return Map.groupBy(grants, ({ team_id }) => team_id)
}

type Member = {
  readonly id: string
  /** null: disabled */
  readonly rank: number | null
  /** Sorted, so that members of the same teams have equal lists. */
  readonly teams: readonly string[]
}

/** People with their own grants. */
async function findPeople(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(Member & { readonly own: Grants })[]> {
  const isMeant = sql`user_id = any(${[...userIds]}::text[])`
  const { members, grants } = await db
    .selectNoFrom([
      jsonRows<Member>(sql`
        select user_id as id, case when disabled then null else rank end as rank,
          array(select team_id from team_members where team_members.user_id = members.user_id
            and team_members.organization_id = members.organization_id order by team_id) as teams
        from members where organization_id = ${organizationId} and ${isMeant}`).as('members'),
      grantsTo('user_id', organizationId, isMeant).as('grants'),
    ])
    .executeTakeFirstOrThrow()
  const byUser = Map.groupBy(grants, ({ user_id }) => user_id)
  return members.map(member => ({ ...member, own: toGrants(byUser.get(member.id) ?? []) }))
}

async function findVisibilitySnapshot(db: Db, organizationId: string): Promise<VisibilitySnapshot> {
  const { collections, groups } = await db
    .selectNoFrom([
      jsonRows<CollectionVisibility>(sql`
        select id, parent_id as parent, level_rank as level
        from collections where organization_id = ${organizationId}`).as('collections'),
      jsonRows<SpaceGroup>(sql`
        select parent_id as parent, level_rank as level, visibility, count(*) as spaces from spaces
        where organization_id = ${organizationId} and deleted_at is null group by 1, 2, 3`).as('groups'),
    ])
    .executeTakeFirstOrThrow()
  return toVisibilitySnapshot(collections, groups)
}
