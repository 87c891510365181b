// How far several people reach in one organization: the number of spaces each may see, and of the teams they are in.
// A list of members shows it for a hundred people at once, so spaces that are alike are decided together: those of one
// collection with one level and one visibility are one decision, however many they are.
import { sql } from 'kysely'
import type { Db } from '../platform/db/open.ts'
import { rankOf } from './roles.ts'

export type Reach = { readonly spaces: number; readonly teams: number }

type Kind = { parent: string | null; level: number | null; visibility: string }
type Alike = Kind & { spaces: number }
type Given = { user: string; thing: string; rank: number; is_own: boolean }
type Facts = {
  people: { id: string; rank: number | null; teams: number }[] | null
  folders: { id: string; parent: string | null; level: number | null }[] | null
  alike: Alike[] | null
  /** The spaces that somebody of them was given something on. */
  singles: (Kind & { id: string })[] | null
  given: Given[] | null
}

/** Members by their user ids; whoever is disabled or no member reaches what is open to everybody. One query. */
export async function findReach(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => Reach> {
  const facts = await findFacts(db, organizationId, [...new Set(userIds)])
  const given = Map.groupBy(facts.given ?? [], ({ user }) => user)
  const reach = new Map(
    (facts.people ?? []).map(({ id, rank, teams }) => {
      const spaces = countSeen(facts, rank, decisive(given.get(id) ?? []))
      return [id, { spaces, teams }] as const
    }),
  )
  return id => reach.get(id) ?? { spaces: countSeen(facts, null, new Map()), teams: 0 }
}

/** What somebody was given themselves goes before what their teams were; of several teams the best counts. */
function decisive(given: readonly Given[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const { thing, rank } of given.filter(one => !one.is_own))
    ranks.set(thing, Math.max(rank, ranks.get(thing) ?? 0))
  for (const { thing, rank } of given.filter(one => one.is_own)) ranks.set(thing, rank)
  return ranks
}

/** `rank`: in the organization; 0 is a guest's, null a stranger's. The rule of roles.ts, over numbers. */
function countSeen(facts: Facts, rank: number | null, given: ReadonlyMap<string, number>): number {
  const alike = facts.alike ?? []
  if (rank === rankOf('admin')) return alike.reduce((sum, { spaces }) => sum + spaces, 0)
  const folders = rankFolders(facts, rank, given)
  const sees = ({ parent, level, visibility }: Kind, own: number | undefined): boolean => {
    if (visibility === 'public' || visibility === 'unlisted') return true
    const inParent = parent === null ? rank : (folders.get(parent) ?? 0)
    if (visibility === 'in-collection' && parent !== null && (inParent ?? 0) > 0) return true
    return rank !== null && (own ?? levelFor(rank, level) ?? inParent ?? 0) > 0
  }
  let count = alike.reduce((sum, kind) => sum + (sees(kind, undefined) ? kind.spaces : 0), 0)
  for (const space of facts.singles ?? []) {
    const own = given.get(space.id)
    if (own !== undefined) count += Number(sees(space, own)) - Number(sees(space, undefined))
  }
  return count
}

const levelFor = (rank: number, level: number | null): number | null =>
  level === null ? null : rank === 0 ? 0 : level

/** Parents stand before their children. */
function rankFolders(
  { folders }: Facts,
  rank: number | null,
  given: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  if (rank === null) return ranks
  for (const { id, parent, level } of folders ?? []) {
    const inherited = parent === null ? rank : (ranks.get(parent) ?? 0)
    ranks.set(id, given.get(id) ?? levelFor(rank, level) ?? inherited)
  }
  return ranks
}

async function findFacts(db: Db, organizationId: string, userIds: readonly string[]): Promise<Facts> {
  const { rows } = await sql<Facts>`
    with recursive
    tree as (
      select id, parent_id, level_rank, 0 as depth from collections
      where organization_id = ${organizationId} and parent_id is null
      union all
      select one.id, one.parent_id, one.level_rank, depth + 1 from tree join collections as one on one.parent_id = tree.id),
    given as (
      select user_id, coalesce(space_id, collection_id) as thing, space_id, rank, true as is_own from grants
      where organization_id = ${organizationId} and user_id = any(${userIds}::text[])
      union all
      select team_members.user_id, coalesce(space_id, collection_id), space_id, grants.rank, false
      from team_members join grants on grants.team_id = team_members.team_id
      where team_members.organization_id = ${organizationId} and team_members.user_id = any(${userIds}::text[]))
    select
      (select json_agg(json_build_object('id', user_id, 'rank', case when disabled then null else rank end,
          'teams', (select count(*) from team_members where team_members.organization_id = members.organization_id
            and team_members.user_id = members.user_id)))
        from members where organization_id = ${organizationId} and user_id = any(${userIds}::text[])) as people,
      (select json_agg(json_build_object('id', id, 'parent', parent_id, 'level', level_rank) order by depth) from tree) as folders,
      (select json_agg(json_build_object('parent', parent_id, 'level', level_rank, 'visibility', visibility, 'spaces', spaces))
        from (select parent_id, level_rank, visibility, count(*) as spaces from spaces
          where organization_id = ${organizationId} and deleted_at is null group by 1, 2, 3) as alike) as alike,
      (select json_agg(json_build_object('id', id, 'parent', parent_id, 'level', level_rank, 'visibility', visibility))
        from spaces where deleted_at is null and id = any(array(select space_id from given where space_id is not null))) as singles,
      (select json_agg(json_build_object('user', user_id, 'thing', thing, 'rank', rank, 'is_own', is_own)) from given) as given`.execute(
    db,
  )
  return rows[0] as Facts
}
