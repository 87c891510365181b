// How many spaces of an organization people see, for a thousand people at once. To be seen, a space has to be open or
// not, whichever the role: so of each collection it is known beforehand how many spaces are seen in it and below when it
// is open to somebody, and how many when it is not. A person costs as much as what they were given, however large the
// organization is. The rule is that of roles.ts, and a property holds them together.

/** Spaces in a collection alone, those below its collections not among them. A null `id` is the root of the organization. */
export type CollectionCountsRow = {
  readonly id: string | null
  readonly parent: string | null
  readonly level: number | null
  readonly spaces: number
  /** Those that everybody sees, then by whom the others are seen: because of their level, or when the collection is open. */
  readonly open: number
  readonly members: number
  readonly members_if_open: number
  readonly guests_if_open: number
}

/** Guests get nothing from levels and from being in the organization, members do. */
type Kind = 'member' | 'guest'

/** What is seen in a collection and below it, when it is open and when it is not; nothing was given below it. */
type VisibleCounts = { ifOpen: number; ifClosed: number }

export type CollectionNode = {
  readonly parent: CollectionNode | null
  /** Whether its level opens it, null where that is inherited. */
  readonly level: Readonly<Record<Kind, boolean | null>>
  readonly seen: Readonly<Record<Kind, VisibleCounts>>
}

export type CollectionTree = {
  readonly root: CollectionNode
  readonly byId: ReadonlyMap<string, CollectionNode>
  readonly open: number
  readonly spaces: number
}

/** A space that something was given on, and that is not open to everybody. */
export type GivenSpace = {
  readonly parent: CollectionNode
  readonly level: number | null
  readonly isOpenWithParent: boolean
  /** Whether what was given opens it. */
  readonly given: boolean
}

/** What somebody was given, or a team, or several of them: the collections it opens or closes, and the spaces by their ids. */
export type OpenedByGrants = {
  readonly folders: ReadonlyMap<CollectionNode, boolean>
  readonly spaces: ReadonlyMap<string, GivenSpace>
}

/** Whatever one of them opens is open. */
export function bestOf(all: readonly OpenedByGrants[]): OpenedByGrants {
  const folders = new Map<CollectionNode, boolean>()
  const spaces = new Map<string, GivenSpace>()
  for (const one of all) {
    for (const [folder, given] of one.folders) if (given || !folders.has(folder)) folders.set(folder, given)
    for (const [id, space] of one.spaces) if (space.given || !spaces.has(id)) spaces.set(id, space)
  }
  return { folders, spaces }
}

const levelOf = (level: number | null): CollectionNode['level'] => ({
  member: level === null ? null : level > 0,
  guest: level === null ? null : false,
})

export function toCollectionTree(rows: readonly CollectionCountsRow[]): CollectionTree {
  const below = Map.groupBy(
    rows.filter(row => row.id !== null),
    row => row.parent,
  )
  const top = rows.find(row => row.id === null)
  // who is in the organization stands in it as in a collection of that level
  const root: CollectionNode = { parent: null, level: { member: true, guest: false }, seen: seenIn(top) }
  const byId = new Map<string, CollectionNode>()
  const sorted: [id: string | null, folder: CollectionNode][] = [[null, root]]
  // the list grows while it is walked: each brings its children
  for (const [id, parent] of sorted)
    for (const row of below.get(id) ?? []) {
      const folder = { parent, level: levelOf(row.level), seen: seenIn(row) }
      byId.set(row.id as string, folder)
      sorted.push([row.id, folder])
    }
  for (const [, { parent, level, seen }] of sorted.toReversed())
    for (const kind of ['member', 'guest'] as const)
      if (parent !== null) {
        parent.seen[kind].ifOpen += tallied(seen[kind], level[kind] ?? true)
        parent.seen[kind].ifClosed += tallied(seen[kind], level[kind] ?? false)
      }
  const sum = (of: (row: CollectionCountsRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  return { root, byId, open: sum(row => row.open), spaces: sum(row => row.spaces) }
}

const seenIn = (row: CollectionCountsRow | undefined): CollectionNode['seen'] => {
  const { open, members, members_if_open, guests_if_open } = row ?? NOTHING
  return {
    member: { ifClosed: open + members, ifOpen: open + members + members_if_open },
    guest: { ifClosed: open, ifOpen: open + guests_if_open },
  }
}
const NOTHING = { open: 0, members: 0, members_if_open: 0, guests_if_open: 0 }

const tallied = ({ ifOpen, ifClosed }: VisibleCounts, isOpen: boolean) => (isOpen ? ifOpen : ifClosed)

/** How many spaces a member or guest sees who was given `own` things, which go before what `teams` were. */
export function countVisibleSpaces(
  { root }: CollectionTree,
  kind: Kind,
  own: OpenedByGrants,
  teams: OpenedByGrants,
): number {
  const inherited = ({ parent, level }: CollectionNode): boolean =>
    level[kind] ?? (parent === null ? false : isOpen(parent))
  const isOpen = (folder: CollectionNode): boolean =>
    own.folders.get(folder) ?? teams.folders.get(folder) ?? inherited(folder)
  let count = tallied(root.seen[kind], isOpen(root))
  for (const [folder, given] of decidedBy(own.folders, teams.folders)) {
    const before = inherited(folder)
    if (given !== before) count += tallied(folder.seen[kind], given) - tallied(folder.seen[kind], before)
  }
  for (const [, { parent, level, isOpenWithParent, given }] of decidedBy(own.spaces, teams.spaces)) {
    const isIn = isOpen(parent)
    if (isOpenWithParent && isIn) continue
    count += Number(given) - Number(levelOf(level)[kind] ?? isIn)
  }
  return count
}

function* decidedBy<Thing, Given>(
  own: ReadonlyMap<Thing, Given>,
  teams: ReadonlyMap<Thing, Given>,
): Generator<readonly [Thing, Given]> {
  yield* own
  for (const one of teams) if (!own.has(one[0])) yield one
}
