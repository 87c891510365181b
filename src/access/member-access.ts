// How far several people reach in one organization: the number of spaces each may see, and of the teams they are in.
import { type RawBuilder, sql } from 'kysely'
import type { InvalidatingCache } from '../platform/cache/invalidating.ts'
import type { Db } from '../platform/db/database.ts'
import { type Decisions, findAccessVersion } from './decisions.ts'
import { rankOf } from './roles.ts'
import {
  bestOf,
  type CollectionCountsRow,
  type CollectionNode,
  type CollectionTree,
  countVisibleSpaces,
  type GivenSpace,
  type OpenedByGrants,
  toCollectionTree,
} from './visible-space-counts.ts'

export type MemberAccess = { readonly spaces: number; readonly teams: number }

type Reads = {
  readonly db: Db
  readonly rowCache: InvalidatingCache<string, object>
  readonly decisions: Decisions
}

const ADMIN_RANK = rankOf('admin')
const NOTHING: OpenedByGrants = { folders: new Map(), spaces: new Map() }

/**
 * Members by their user ids; whoever is disabled or no member reaches what is open to everybody. Two queries about them,
 * however many they are. The collections, and what teams were given, are the same whoever is asked about: they are kept
 * while nothing of it changes.
 */
export async function findMemberAccess(
  { db, rowCache, decisions }: Reads,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => MemberAccess> {
  const ids = [...new Set(userIds)]
  const version = await findAccessVersion({ db, rowCache }, organizationId)
  const [{ folders, teams }, own, people] = await Promise.all([
    decisions.collectionTrees.get(`${organizationId}:${version}`, () => findGround(db, organizationId)),
    findGiven(db, organizationId, sql`user_id`, sql`user_id = any(${ids}::text[])`),
    findPeople(db, organizationId, ids),
  ])
  const ofUser = openedBy(folders, own)
  const ofTeams = combined(teams)
  const spacesOf = (person: PersonRow): number => {
    if (person.rank === null) return folders.open
    if (person.rank === ADMIN_RANK) return folders.spaces
    const kind = person.rank > 0 ? 'member' : 'guest'
    return countVisibleSpaces(folders, kind, ofUser.get(person.id) ?? NOTHING, ofTeams(person.teams))
  }
  const access = new Map(
    people.map(person => [person.id, { spaces: spacesOf(person), teams: person.teams.length }]),
  )
  return id => access.get(id) ?? { spaces: folders.open, teams: 0 }
}

/** What decides about everybody in an organization alike: its collections, and by the ids of teams what they were given. */
export type Ground = { readonly folders: CollectionTree; readonly teams: ReadonlyMap<string, OpenedByGrants> }

async function findGround(db: Db, organizationId: string): Promise<Ground> {
  const [folders, given] = await Promise.all([
    findFolders(db, organizationId),
    findGiven(db, organizationId, sql`team_id`, sql`team_id is not null`),
  ])
  return { folders, teams: openedBy(folders, given) }
}

/** Many people are in the same teams: what these come to together is worked out once. */
function combined(teams: Ground['teams']): (ids: readonly string[]) => OpenedByGrants {
  const bySet = new Map<string, OpenedByGrants>()
  return ids => {
    const key = JSON.stringify(ids)
    const known = bySet.get(key)
    if (known !== undefined) return known
    const opened = bestOf(ids.map(id => teams.get(id) ?? NOTHING))
    bySet.set(key, opened)
    return opened
  }
}

/** `rank` is null for who is disabled. The teams stand in one order, so that the same teams are the same list. */
type PersonRow = { readonly id: string; readonly rank: number | null; readonly teams: readonly string[] }

async function findPeople(db: Db, organizationId: string, ids: readonly string[]): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select user_id as id, case when disabled then null else rank end as rank,
      array(select team_id from team_members where team_members.user_id = members.user_id
        and team_members.organization_id = members.organization_id order by team_id) as teams
    from members where organization_id = ${organizationId} and user_id = any(${[...ids]}::text[])`.execute(db)
  return rows
}

async function findFolders(db: Db, organizationId: string): Promise<CollectionTree> {
  // one row a collection, and one for the root if anything stands there
  const { rows } = await sql<CollectionCountsRow>`
    with held as (
      select parent_id, sum(spaces)::integer as spaces,
        sum(spaces) filter (where is_open)::integer as open,
        sum(spaces) filter (where not is_open and level_rank > 0)::integer as members,
        sum(spaces) filter (where not is_open and (level_rank is null or (level_rank = 0 and is_with_parent)))::integer
          as members_if_open,
        sum(spaces) filter (where not is_open and (level_rank is null or is_with_parent))::integer as guests_if_open
      from (select parent_id, level_rank, count(*) as spaces, visibility in ('public', 'unlisted') as is_open,
          visibility = 'in-collection' and parent_id is not null as is_with_parent
        from spaces where organization_id = ${organizationId} and deleted_at is null
        group by parent_id, level_rank, visibility) as alike
      group by parent_id)
    select id, collections.parent_id as parent, level_rank as level, coalesce(spaces, 0) as spaces,
      coalesce(open, 0) as open, coalesce(members, 0) as members, coalesce(members_if_open, 0) as members_if_open,
      coalesce(guests_if_open, 0) as guests_if_open
    from collections left join held on held.parent_id = collections.id where organization_id = ${organizationId}
    union all
    select null, null, null, spaces, coalesce(open, 0), coalesce(members, 0), coalesce(members_if_open, 0),
      coalesce(guests_if_open, 0)
    from held where parent_id is null`.execute(db)
  return toCollectionTree(rows)
}

type GivenRow = {
  /** A user or a team. */
  readonly to: string
  readonly folder: string | null
  /** Both null: it is a space that was deleted, or that everybody sees. */
  readonly space: string | null
  readonly parent: string | null
  readonly level: number | null
  readonly is_open_with_parent: boolean | null
  readonly given: boolean
}

/** What was given to those who are meant. */
async function findGiven(
  db: Db,
  organizationId: string,
  to: RawBuilder<unknown>,
  isMeant: RawBuilder<unknown>,
): Promise<GivenRow[]> {
  // each space is looked up by its key: joined, all of them would be read
  const { rows } = await sql<GivenRow>`
    select ${to} as to, collection_id as folder, space.id as space, space.parent_id as parent, space.level_rank as level,
      visibility = 'in-collection' and parent_id is not null as is_open_with_parent, rank > 0 as given
    from grants left join lateral (select id, parent_id, level_rank, visibility from spaces
      where spaces.id = grants.space_id and deleted_at is null and visibility not in ('public', 'unlisted') limit 1) as space
      on true
    where grants.organization_id = ${organizationId} and ${isMeant}`.execute(db)
  return rows
}

/** What each of them was given. */
function openedBy(
  { root, byId }: CollectionTree,
  rows: readonly GivenRow[],
): ReadonlyMap<string, OpenedByGrants> {
  const folderOf = (id: string | null): CollectionNode => (id === null ? root : (byId.get(id) ?? root))
  const opened = new Map<string, { folders: Map<CollectionNode, boolean>; spaces: Map<string, GivenSpace> }>()
  for (const { to, folder, space, parent, level, is_open_with_parent, given } of rows) {
    const one = opened.get(to) ?? { folders: new Map(), spaces: new Map() }
    opened.set(to, one)
    const known = folder === null ? undefined : byId.get(folder)
    if (known !== undefined) one.folders.set(known, given)
    if (space !== null)
      one.spaces.set(space, {
        parent: folderOf(parent),
        level,
        isOpenWithParent: is_open_with_parent === true,
        given,
      })
  }
  return opened
}
