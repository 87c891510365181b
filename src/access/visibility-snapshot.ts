// Who sees which spaces of an organization, in memory: its collections with the number of spaces in each, the same
// for every requester, and each person's grants. The rule is that of roles.ts, on ranks; a property test checks that
// the two agree.
import { rankOf } from './roles.ts'

/** Members get the default levels and their role in the organization, guests only their grants. */
export type MemberKind = 'member' | 'guest'

/** The columns of a space that decide who sees it. */
export type SpaceVisibility = {
  readonly parent: string | null
  readonly level: number | null
  readonly visibility: string
}

export type CollectionVisibility = {
  readonly id: string
  readonly parent: string | null
  readonly level: number | null
}

/** Spaces that are decided alike. */
export type SpaceGroup = SpaceVisibility & { readonly spaces: number }

/** How many spaces are visible to people for whom the collection is open, and to those for whom it is not. */
export type VisibleCounts = { readonly ifOpen: number; readonly ifClosed: number }

/** How many spaces everybody sees, and how many members and guests see. */
type SpaceCounts = Readonly<Record<MemberKind, VisibleCounts>> & {
  readonly spaces: number
  readonly open: number
}

/** A null `id` is the root of the organization. */
export type CollectionNode = {
  readonly id: string | null
  readonly parent: CollectionNode | null
  readonly level: number | null
  readonly direct: SpaceCounts
  /** In it and below it, as if nothing below it were granted. */
  readonly total: SpaceCounts
}

export type VisibilitySnapshot = {
  readonly root: CollectionNode
  readonly byId: ReadonlyMap<string, CollectionNode>
}

/** A role granted on a collection, or on a space that is not deleted; on a deleted space both are null. */
export type GrantRow = {
  readonly rank: number
  readonly collection: string | null
  readonly space: (SpaceVisibility & { readonly id: string }) | null
}

export type SpaceGrant = { readonly rank: number; readonly space: SpaceVisibility }

/** Grants to a person, or to their teams together. */
export type Grants = {
  readonly collections: ReadonlyMap<string, number>
  readonly spaces: ReadonlyMap<string, SpaceGrant>
}

export const NO_GRANTS: Grants = { collections: new Map(), spaces: new Map() }

/** A member of the organization. Their own grants precede those of their teams. */
export type MemberRights = {
  /** In the organization; 0 for a guest. */
  readonly rank: number
  readonly own: Grants
  readonly teams: Grants
}

export const ADMIN_RANK = rankOf('admin')
export const kindOf = ({ rank }: MemberRights): MemberKind => (rank > 0 ? 'member' : 'guest')

/** The highest rank on each resource. */
export function toGrants(rows: Iterable<GrantRow>): Grants {
  const collections = new Map<string, number>()
  const spaces = new Map<string, SpaceGrant>()
  for (const { collection, space, rank } of rows) {
    if (collection !== null) collections.set(collection, Math.max(rank, collections.get(collection) ?? 0))
    if (space !== null && rank >= (spaces.get(space.id)?.rank ?? 0)) spaces.set(space.id, { rank, space })
  }
  return { collections, spaces }
}

/** The rank on a collection. At the root it is the rank in the organization. */
export const rankOnCollection = (member: MemberRights, node: CollectionNode): number =>
  (node.id === null
    ? undefined
    : (member.own.collections.get(node.id) ?? member.teams.collections.get(node.id))) ??
  ungrantedRankOnCollection(member, node)

/** The same, ignoring grants on the collection itself. */
export const ungrantedRankOnCollection = (member: MemberRights, { level, parent }: CollectionNode): number =>
  rankOfLevel(member.rank, level) ?? (parent === null ? member.rank : rankOnCollection(member, parent))

/** The rank on a space, without the grants on the space itself. */
export const ungrantedRankOnSpace = (
  snapshot: VisibilitySnapshot,
  member: MemberRights,
  { level, parent }: SpaceVisibility,
): number => rankOfLevel(member.rank, level) ?? rankOnCollection(member, nodeOf(snapshot, parent))

/** What a list of spaces is filtered and counted by. `member`: null for a non-member. */
export type SpaceView = { readonly snapshot: VisibilitySnapshot; readonly member: MemberRights | null }

/** The role on a space as a rank, 0 for none. */
export function rankOnSpace(
  { snapshot, member }: SpaceView,
  space: SpaceVisibility & { readonly id: string },
): number {
  if (member === null || member.rank === ADMIN_RANK) return member?.rank ?? 0
  const granted = member.own.spaces.get(space.id) ?? member.teams.spaces.get(space.id)
  return granted?.rank ?? ungrantedRankOnSpace(snapshot, member, space)
}

/** A default level gives guests nothing. */
const rankOfLevel = (rankInOrganization: number, level: number | null): number | null =>
  level === null ? null : rankInOrganization === 0 ? 0 : level

export const nodeOf = ({ root, byId }: VisibilitySnapshot, id: string | null): CollectionNode =>
  id === null ? root : (byId.get(id) ?? root)

export function toVisibilitySnapshot(
  collections: readonly CollectionVisibility[],
  groups: readonly SpaceGroup[],
): VisibilitySnapshot {
  const children = Map.groupBy(collections, ({ parent }) => parent)
  const groupsIn = Map.groupBy(groups, ({ parent }) => parent)
  const toNode = (id: string | null, level: number | null, parent: MutableNode | null): MutableNode => {
    const direct = newCounts()
    for (const group of groupsIn.get(id) ?? []) addGroup(direct, group)
    return { id, level, parent, direct, total: copyOf(direct) }
  }
  const root = toNode(null, null, null)
  const nodes = [root]
  const byId = new Map<string, MutableNode>()
  // the list grows as it is walked: each node adds its children
  for (const node of nodes)
    for (const { id, level } of children.get(node.id) ?? []) {
      const child = toNode(id, level, node)
      nodes.push(child)
      byId.set(id, child)
    }
  for (const { parent, level, total } of nodes.toReversed())
    if (parent !== null) addBelow(parent.total, total, level)
  return { root, byId }
}

export const countIn = ({ ifOpen, ifClosed }: VisibleCounts, isOpen: boolean) => (isOpen ? ifOpen : ifClosed)

type MutableCounts = Record<MemberKind, { ifOpen: number; ifClosed: number }> & {
  spaces: number
  open: number
}
type MutableNode = Omit<CollectionNode, 'parent' | 'total'> & {
  readonly parent: MutableNode | null
  readonly total: MutableCounts
}

const newCounts = (): MutableCounts => ({
  ...{ spaces: 0, open: 0 },
  ...{ member: { ifOpen: 0, ifClosed: 0 }, guest: { ifOpen: 0, ifClosed: 0 } },
})

const copyOf = (counts: MutableCounts): MutableCounts => ({
  ...counts,
  member: { ...counts.member },
  guest: { ...counts.guest },
})

/** One rank in the organization for each kind: visibility depends on nothing else. */
const RANKS = [
  ['member', 1],
  ['guest', 0],
] as const

function addGroup(counts: MutableCounts, { parent, level, visibility, spaces }: SpaceGroup): void {
  const isOpen = isOpenToAll(visibility)
  counts.spaces += spaces
  if (isOpen) counts.open += spaces
  for (const [kind, rank] of RANKS) {
    const isVisible = isOpen || (rankOfLevel(rank, level) ?? 0) > 0
    if (isVisible) counts[kind].ifClosed += spaces
    if (isVisible || level === null || (visibility === 'in-collection' && parent !== null))
      counts[kind].ifOpen += spaces
  }
}

/** Adds what is visible in a child with that level. */
function addBelow(counts: MutableCounts, below: SpaceCounts, level: number | null): void {
  counts.spaces += below.spaces
  counts.open += below.open
  for (const [kind, rank] of RANKS) {
    const own = rankOfLevel(rank, level)
    counts[kind].ifOpen += countIn(below[kind], (own ?? 1) > 0)
    counts[kind].ifClosed += countIn(below[kind], (own ?? 0) > 0)
  }
}

export const isOpenToAll = (visibility: string) => visibility === 'public' || visibility === 'unlisted'
