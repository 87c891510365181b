// How many spaces of an organization people see, for a thousand people at once. Whether a space is visible depends on
// whether its collection is open to the person, not on which role opens it. So for each collection, the snapshot has
// the number of spaces visible in it and below when it is open and when it is not. The cost per person depends on
// their grants, not on the size of the organization.
import {
  ADMIN_RANK,
  type CollectionNode,
  countIn,
  isOpenToAll,
  kindOf,
  type MemberRights,
  nodeOf,
  rankOnCollection,
  ungrantedRankOnCollection,
  ungrantedRankOnSpace,
  type VisibilitySnapshot,
} from './visibility-snapshot.ts'

/** How many spaces a member sees, or a non-member for `null`. */
export function countVisibleSpaces(snapshot: VisibilitySnapshot, member: MemberRights | null): number {
  if (member === null) return snapshot.root.total.open
  if (member.rank === ADMIN_RANK) return snapshot.root.total.spaces
  const kind = kindOf(member)
  let count = countIn(snapshot.root.total[kind], member.rank > 0)
  for (const [id, rank] of decidingGrants(member.own.collections, member.teams.collections)) {
    const node = snapshot.byId.get(id)
    if (node === undefined) continue
    const ungranted = ungrantedRankOnCollection(member, node) > 0
    if (rank > 0 !== ungranted)
      count += countIn(node.total[kind], rank > 0) - countIn(node.total[kind], ungranted)
  }
  return count + countGranted(snapshot, member)
}

/** The same for the spaces directly in one collection. */
export function countVisibleSpacesIn(
  snapshot: VisibilitySnapshot,
  member: MemberRights | null,
  collectionId: string,
): number {
  const node = snapshot.byId.get(collectionId)
  if (node === undefined) return 0
  if (member === null) return node.direct.open
  if (member.rank === ADMIN_RANK) return node.direct.spaces
  const isOpen = rankOnCollection(member, node) > 0
  return countIn(node.direct[kindOf(member)], isOpen) + countGranted(snapshot, member, node)
}

/** How many more or fewer spaces are visible because of grants on the spaces themselves; `only` in one collection. */
function countGranted(snapshot: VisibilitySnapshot, member: MemberRights, only?: CollectionNode): number {
  let count = 0
  for (const [, { rank, space }] of decidingGrants(member.own.spaces, member.teams.spaces)) {
    const { visibility, parent } = space
    const node = nodeOf(snapshot, parent)
    if (isOpenToAll(visibility) || (only !== undefined && node !== only)) continue
    if (visibility === 'in-collection' && parent !== null && rankOnCollection(member, node) > 0) continue
    count += Number(rank > 0) - Number(ungrantedRankOnSpace(snapshot, member, space) > 0)
  }
  return count
}

/** A person's own grants, and their teams' grants on other resources. */
export function* decidingGrants<Granted>(
  own: ReadonlyMap<string, Granted>,
  teams: ReadonlyMap<string, Granted>,
): Generator<[string, Granted]> {
  yield* own
  for (const one of teams) if (!own.has(one[0])) yield one
}
