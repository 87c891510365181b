// How much several people see of one organization: how many of its spaces, and how many teams they are in. And one
// person's rights on all of its spaces, for lists. Both are worked out in memory, from the snapshot of the organization
// and what each person was granted.
import { sql } from 'kysely'
import type { InvalidatingCache } from '../platform/cache/invalidating.ts'
import type { Db } from '../platform/db/database.ts'
import { type Decisions, findAccessVersion } from './decisions.ts'
import { type Person, rankOf } from './roles.ts'
import {
  bestOf,
  type GrantRow,
  type Grants,
  NO_GRANTS,
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
 * Members by their user ids. Somebody who is disabled or no member sees what is open to everybody. One query about the
 * people, however many they are, and none about the organization while its snapshot is kept.
 */
export async function findMemberAccess(
  reads: Reads,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => MemberAccess> {
  const version = await findAccessVersion(reads, organizationId)
  const [snapshot, people] = await Promise.all([
    getSnapshot(reads, organizationId, version),
    findPeople(reads.db, organizationId, [...new Set(userIds)]),
  ])
  const teamGrants = combine(snapshot.teams)
  const access = new Map(
    people.map(({ id, rank, teams, own }) => {
      const member = rank === null ? null : { rank, own, teams: teamGrants(teams) }
      return [id, { spaces: countVisibleSpaces(snapshot, member), teams: teams.length }]
    }),
  )
  return id => access.get(id) ?? { spaces: snapshot.root.total.open, teams: 0 }
}

/** Of one person, with no query while nothing that decides is written. */
export async function findSpaceView(
  reads: Reads,
  organizationId: string,
  { userId, memberships }: Person,
): Promise<SpaceView> {
  const version = await findAccessVersion(reads, organizationId)
  const role = memberships.get(organizationId)
  if (role === undefined) return { snapshot: await getSnapshot(reads, organizationId, version), member: null }
  const [snapshot, { own, teams }] = await Promise.all([
    getSnapshot(reads, organizationId, version),
    reads.decisions.grants.get(`${organizationId}:${userId}:${version}`, async () => {
      const [person] = await findPeople(reads.db, organizationId, [userId])
      return { own: person?.own ?? NO_GRANTS, teams: person?.teams ?? [] }
    }),
  ])
  return { snapshot, member: { rank: rankOf(role), own, teams: combine(snapshot.teams)(teams) } }
}

const getSnapshot = ({ db, decisions }: Reads, organizationId: string, version: string) =>
  decisions.snapshots.get(`${organizationId}:${version}`, () => findVisibilitySnapshot(db, organizationId))

/** Many people are in the same teams: what these were granted together is worked out once. */
function combine(teams: VisibilitySnapshot['teams']): (ids: readonly string[]) => Grants {
  const bySet = new Map<string, Grants>()
  return ids => {
    const key = JSON.stringify(ids)
    const known = bySet.get(key)
    if (known !== undefined) return known
    const grants = bestOf(ids.map(id => teams.get(id) ?? NO_GRANTS))
    bySet.set(key, grants)
    return grants
  }
}

/** A row of `grants` with its grantee. Its space is looked up by key: joined, all spaces would be read. */
const grantOf = (kind: 'user' | 'team', column: 'user_id' | 'team_id') => sql<GrantRow>`json_build_object(
  ${sql.lit(kind)}, ${sql.ref(column)}, 'rank', rank, 'collection', collection_id, 'space',
  case when space_id is not null then (
    select json_build_object('id', id, 'parent', parent_id, 'level', level_rank, 'visibility', visibility)
    from spaces where spaces.id = grants.space_id and deleted_at is null) end)`

type Member = {
  readonly id: string
  /** null: disabled */
  readonly rank: number | null
  /** In one order, so that the same teams are the same list. */
  readonly teams: readonly string[]
}

/** Each with what they were granted themselves. */
async function findPeople(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(Member & { readonly own: Grants })[]> {
  const ids = [...userIds]
  const { rows } = await sql<{
    members: readonly Member[]
    grants: readonly (GrantRow & { user: string })[]
  }>`
    select
      (select coalesce(json_agg(json_build_object('id', user_id, 'rank', case when disabled then null else rank end,
          'teams', array(select team_id from team_members where team_members.user_id = members.user_id
            and team_members.organization_id = members.organization_id order by team_id))), '[]')
        from members where organization_id = ${organizationId} and user_id = any(${ids}::text[])) as members,
      (select coalesce(json_agg(${grantOf('user', 'user_id')}), '[]')
        from grants where organization_id = ${organizationId} and user_id = any(${ids}::text[])) as grants`.execute(
    db,
  )
  const { members, grants } = rows[0] ?? { members: [], grants: [] }
  const byUser = Map.groupBy(grants, ({ user }) => user)
  return members.map(member => ({ ...member, own: toGrants(byUser.get(member.id) ?? []) }))
}

async function findVisibilitySnapshot(db: Db, organizationId: string): Promise<VisibilitySnapshot> {
  const { rows } = await sql<{
    collections: readonly {
      readonly id: string
      readonly parent: string | null
      readonly level: number | null
    }[]
    groups: readonly SpaceGroup[]
    grants: readonly (GrantRow & { team: string })[]
  }>`
    select
      (select coalesce(json_agg(json_build_object('id', id, 'parent', parent_id, 'level', level_rank)), '[]')
        from collections where organization_id = ${organizationId}) as collections,
      (select coalesce(json_agg(json_build_object('parent', parent_id, 'level', level_rank, 'visibility', visibility,
          'spaces', spaces)), '[]')
        from (select parent_id, level_rank, visibility, count(*) as spaces from spaces
          where organization_id = ${organizationId} and deleted_at is null group by 1, 2, 3) as alike) as groups,
      (select coalesce(json_agg(${grantOf('team', 'team_id')}), '[]')
        from grants where organization_id = ${organizationId} and team_id is not null) as grants`.execute(db)
  const { collections, groups, grants } = rows[0] ?? { collections: [], groups: [], grants: [] }
  const byTeam = Map.groupBy(grants, ({ team }) => team)
  return toVisibilitySnapshot(
    collections,
    groups,
    new Map([...byTeam].map(([team, all]) => [team, toGrants(all)])),
  )
}
