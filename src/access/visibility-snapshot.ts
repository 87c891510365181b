// Who may see which spaces of an organization, decided over numbers, for a list with its count. Spaces that are alike are
// decided together: those of one collection with one level and one visibility are one decision, however many they are.
// The rule is that of roles.ts, and a property holds them together.
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { rankOf } from './roles.ts'

type Kind = { readonly parent: string | null; readonly level: number | null; readonly visibility: string }

/** The collections and spaces of an organization, as far as they decide; the same whoever asks. */
export type VisibilitySnapshot = {
  /** Parents stand before their children. */
  readonly folders: readonly {
    readonly id: string
    readonly parent: string | null
    readonly level: number | null
  }[]
  readonly alike: readonly (Kind & { readonly spaces: number })[]
}

/** What somebody and their teams were given in an organization. */
export type Grants = {
  /** By the id of the space or collection. */
  readonly ranks: ReadonlyMap<string, number>
  /** The spaces among them. */
  readonly spaces: readonly (Kind & { readonly id: string })[]
}

const NO_GRANTS: Grants = { ranks: new Map(), spaces: [] }

/** How somebody stands. `rank`: in the organization; 0 is a guest's, null a stranger's. */
export type MemberView = {
  readonly rank: number | null
  readonly grants: Grants
  /** Their rank on each collection. */
  readonly folders: ReadonlyMap<string, number>
}

const ADMIN_RANK = rankOf('admin')

export function viewOf({ folders }: VisibilitySnapshot, rank: number | null, grants: Grants): MemberView {
  const ranks = new Map<string, number>()
  // an admin's rank is the same on all of them
  if (rank !== null && rank !== ADMIN_RANK)
    for (const { id, parent, level } of folders) {
      const inherited = parent === null ? rank : (ranks.get(parent) ?? 0)
      ranks.set(id, grants.ranks.get(id) ?? levelFor(rank, level) ?? inherited)
    }
  // who is no member, or disabled, has nothing of what they were given
  return { rank, grants: rank === null ? NO_GRANTS : grants, folders: ranks }
}

/** To a guest a level gives nothing. */
const levelFor = (rank: number, level: number | null): number | null =>
  level === null ? null : rank === 0 ? 0 : level

/** The rank on a space that was given `own`, if anything; 0 for none. */
export function rankOnSpace(
  { rank, folders }: MemberView,
  { parent, level }: Kind,
  own: number | undefined,
): number {
  if (rank === null || rank === ADMIN_RANK) return rank ?? 0
  return own ?? levelFor(rank, level) ?? (parent === null ? rank : (folders.get(parent) ?? 0))
}

function sees(view: MemberView, kind: Kind, own: number | undefined): boolean {
  const { visibility, parent } = kind
  if (visibility === 'public' || visibility === 'unlisted') return true
  if (visibility === 'in-collection' && parent !== null && (view.folders.get(parent) ?? 0) > 0) return true
  return rankOnSpace(view, kind, own) > 0
}

/** How many spaces they may see: all of them, or those that stand in one collection. */
export function countVisible({ alike }: VisibilitySnapshot, view: MemberView, parentId?: string): number {
  const isMeant = ({ parent }: Kind) => parentId === undefined || parent === parentId
  let count = 0
  for (const kind of alike) if (isMeant(kind) && sees(view, kind, undefined)) count += kind.spaces
  return count + countGiven(view, view.grants.spaces.filter(isMeant))
}

/** By how many of these spaces what was given on them raises, or lowers, the number that is seen. */
function countGiven(view: MemberView, spaces: Grants['spaces']): number {
  let count = 0
  for (const space of spaces)
    count += Number(sees(view, space, view.grants.ranks.get(space.id))) - Number(sees(view, space, undefined))
  return count
}

export async function findVisibilitySnapshot(db: Db, organizationId: string): Promise<VisibilitySnapshot> {
  const { rows } = await sql<{
    folders: VisibilitySnapshot['folders'] | null
    alike: VisibilitySnapshot['alike'] | null
  }>`
    select
      (select json_agg(json_build_object('id', id, 'parent', parent_id, 'level', level_rank))
        from collections where organization_id = ${organizationId}) as folders,
      (select json_agg(json_build_object('parent', parent_id, 'level', level_rank, 'visibility', visibility, 'spaces', spaces))
        from (select parent_id, level_rank, visibility, count(*) as spaces from spaces
          where organization_id = ${organizationId} and deleted_at is null group by 1, 2, 3) as alike) as alike`.execute(
    db,
  )
  const { folders, alike } = rows[0] ?? { folders: null, alike: null }
  return { folders: parentsFirst(folders ?? []), alike: alike ?? [] }
}

function parentsFirst(folders: VisibilitySnapshot['folders']): VisibilitySnapshot['folders'] {
  const below = Map.groupBy(folders, ({ parent }) => parent)
  const sorted = [...(below.get(null) ?? [])]
  // the list grows while it is walked: each brings its children
  for (const { id } of sorted) sorted.push(...(below.get(id) ?? []))
  return sorted
}

type Given = {
  user: string
  thing: string
  rank: number
  is_own: boolean
  /** null: it is no space, or one that was deleted */
  space: Kind | null
}

/** What each of these users was given. What they were given themselves goes before the best of what their teams were. */
export async function findGrants(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<(userId: string) => Grants> {
  const ids = [...userIds]
  // each space is looked up by its key: joined, all of them would be read
  const { rows } = await sql<Given>`
    with given as (
      select user_id as user, space_id, collection_id, rank, true as is_own from grants
      where organization_id = ${organizationId} and user_id = any(${ids}::text[])
      union all
      select team_members.user_id, space_id, collection_id, grants.rank, false
      from team_members join grants on grants.team_id = team_members.team_id
        and grants.organization_id = team_members.organization_id
      where team_members.organization_id = ${organizationId} and team_members.user_id = any(${ids}::text[]))
    select given.user, coalesce(space_id, collection_id) as thing, given.rank, is_own,
      (select json_build_object('parent', parent_id, 'level', level_rank, 'visibility', visibility) from spaces
        where spaces.id = given.space_id and spaces.deleted_at is null) as space
    from given`.execute(db)
  const byUser = new Map(
    [...Map.groupBy(rows, ({ user }) => user)].map(([user, all]) => [user, toGrants(all)]),
  )
  return userId => byUser.get(userId) ?? NO_GRANTS
}

function toGrants(given: readonly Given[]): Grants {
  const ranks = new Map<string, number>()
  for (const { thing, rank } of given.filter(one => !one.is_own))
    ranks.set(thing, Math.max(rank, ranks.get(thing) ?? 0))
  for (const { thing, rank } of given.filter(one => one.is_own)) ranks.set(thing, rank)
  const spaces = new Map<string, Grants['spaces'][number]>()
  for (const { thing, space } of given) if (space !== null) spaces.set(thing, { ...space, id: thing })
  return { ranks, spaces: [...spaces.values()] }
}
