// The invariant of the page tree, checked only where edits touch it. The tree before the edits is known to be valid,
// so a problem can only be about a page whose structure changed, a parent whose list changed, or a path to the root
// with a new link. It reads the edited pages, the siblings of those that arrived or changed their slug, the ancestors
// of those that moved, and the descendants of those that moved down.
import { inSlices, pause } from '../../base/slices.ts'
import { Draft } from './draft.ts'
import { type Edits, type Hash, isPageKey, type PageRecord, splitKey, TREE_KEY } from './records.ts'
import type { ObjectReads } from './store.ts'
import { TREE_DEPTH_MAX } from './tree.ts'
import {
  checkListing,
  checkPage,
  checkPageCount,
  checkSlugs,
  findCycles,
  inOrder,
  Links,
  type TreeProblem,
} from './tree-check.ts'
import { countEntries } from './trie.ts'

type Parent = string | null

/** An edited page before and after. */
type Change = { readonly id: string; readonly before: PageRecord | null; readonly after: PageRecord | null }

/** Differences of the tree: pages whose structure changed, and the children that parents gained or lost. */
type Differences = {
  readonly changes: readonly Change[]
  readonly gained: ReadonlyMap<Parent, ReadonlySet<string>>
  readonly lost: ReadonlySet<string>
}

/** The problems that `checkTree` would find after the edits, if there were none before. */
export async function checkEdits(store: ObjectReads, root: Hash, edits: Edits): Promise<TreeProblem[]> {
  const draft = new Draft(store, root, edits)
  const differences = await readDifferences(draft)
  const { changes, gained, lost } = differences
  if (changes.length === 0 && gained.size === 0 && lost.size === 0) return []

  const parents = changes.flatMap(({ before, after }) =>
    [before, after].flatMap(page => page?.parent ?? null),
  )
  await draft.loadPages([
    ...lost,
    ...[...gained.values()].flatMap(ids => [...ids]),
    ...parents,
    ...gained.keys(),
  ])
  const crowded = parentsOfNewSlugs(differences)
  await draft.loadPages([...crowded].flatMap(parent => draft.childrenOf(parent)))

  await pause()
  const links = new Links(draft)
  const arrivals = changes.filter(({ before, after }) => after !== null && before?.parent !== after.parent)
  const arrived = arrivals.map(({ id }) => id)
  await loadAncestors(draft, draft, arrived)
  const ofPages: TreeProblem[] = []
  for await (const id of inSlices(new Set([...changes.map(({ id }) => id), ...lost])))
    ofPages.push(...checkPage(links, id))
  for await (const [parent, ids] of inSlices(listingsToCheck(differences)))
    ofPages.push(...checkListing(links, parent, ids))
  for await (const parent of inSlices(crowded)) ofPages.push(...checkSlugs(links, parent))
  const cycles = findCycles(links, arrived)
  await pause()
  return inOrder([
    ...checkPageCount(await countPages(draft.store, root, changes)),
    ...ofPages,
    ...cycles,
    ...(await findTooDeep(draft, links, arrivals)),
  ])
}

async function readDifferences(draft: Draft): Promise<Differences> {
  const keys = [...draft.edits.keys()].filter(key => key === TREE_KEY || isPageKey(key))
  await draft.load(keys)
  await pause()
  const changes: Change[] = []
  const gained = new Map<Parent, Set<string>>()
  const lost = new Set<string>()
  for await (const key of inSlices(keys)) {
    const id = key === TREE_KEY ? null : splitKey(key)[1]
    const before = draft.treeBefore.childrenOf(id)
    const after = draft.childrenOf(id)
    if (!isSameList(before, after)) {
      gained.set(id, onlyIn(after, before))
      for (const child of onlyIn(before, after)) lost.add(child)
    }
    if (id === null) continue
    const change = { id, before: draft.treeBefore.page(id) ?? null, after: draft.page(id) ?? null }
    if (!isSameStructure(change.before, change.after)) changes.push(change)
  }
  return { changes, gained, lost }
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((id, i) => id === b[i]))

/** Includes ids that are listed twice, since the list before had every id once. */
function onlyIn(list: readonly string[], others: readonly string[]): Set<string> {
  const rest = new Set(others)
  return new Set(list.filter(id => !rest.delete(id)))
}

function isSameStructure(a: PageRecord | null, b: PageRecord | null): boolean {
  if (a === null || b === null) return a === b
  return a.type === b.type && a.slug === b.slug && a.parent === b.parent && isSameList(a.children, b.children)
}

/** Parents whose children may now have equal slugs: they gained a child, or a child changed its slug. */
function parentsOfNewSlugs({ changes, gained }: Differences): Set<Parent> {
  const crowded = new Set<Parent>()
  for (const [parent, ids] of gained) if (ids.size > 0) crowded.add(parent)
  for (const { before, after } of changes) {
    if (after !== null && (before?.slug !== after.slug || before.parent !== after.parent))
      crowded.add(after.parent)
  }
  return crowded
}

/** The ids to check in the list of each parent: those that it gained, and its own that were deleted or moved. */
function listingsToCheck({ changes, gained }: Differences): Map<Parent, Set<string>> {
  const listings = new Map<Parent, Set<string>>()
  const look = (parent: Parent, id: string): void => {
    const ids = listings.get(parent)
    if (ids === undefined) listings.set(parent, new Set([id]))
    else ids.add(id)
  }
  for (const [parent, ids] of gained) for (const id of ids) look(parent, id)
  for (const { id, before } of changes) if (before !== null) look(before.parent, id)
  return listings
}

async function countPages(store: ObjectReads, root: Hash, changes: readonly Change[]): Promise<number> {
  const { pages } = await countEntries(store, root)
  return changes.reduce(
    (count, { before, after }) => count + (after === null ? 0 : 1) - (before === null ? 0 : 1),
    pages,
  )
}

/** Loads the ancestors of these pages, one generation at a time. */
async function loadAncestors(draft: Draft, view: Pick<Draft, 'page'>, ids: readonly string[]): Promise<void> {
  const seen = new Set<Parent>()
  let generation: readonly string[] = ids
  while (generation.length > 0) {
    const parents = new Set<Parent>()
    for (const id of generation) {
      const page = view.page(id)
      if (page !== undefined && !seen.has(page.parent)) parents.add(page.parent)
    }
    for (const parent of parents) seen.add(parent)
    await draft.loadPages(parents)
    generation = [...parents].filter(parent => parent !== null)
  }
}

/** The pages just below the deepest level, below pages that were added or moved. */
async function findTooDeep(draft: Draft, links: Links, arrivals: readonly Change[]): Promise<TreeProblem[]> {
  const moved = arrivals.filter(({ before }) => before !== null).map(({ id }) => id)
  await loadAncestors(draft, draft.treeBefore, moved)
  const depthOf = depthsIn(links)
  const depthBefore = depthsIn(new Links(draft.treeBefore))
  const deep = new Set<string>()
  const sinking = new Map<number, Set<string>>()
  for await (const { id, before } of inSlices(arrivals)) {
    const depth = depthOf(id)
    if (depth === undefined || depth > TREE_DEPTH_MAX + 1) continue
    if (depth === TREE_DEPTH_MAX + 1) deep.add(id)
    // A new page has only new descendants; a page that did not move down makes none too deep.
    else if (before !== null && depth > (depthBefore(id) ?? 0))
      sinking.set(depth, (sinking.get(depth) ?? new Set()).add(id))
  }
  let level = new Set<string>()
  for (let depth = 1; depth <= TREE_DEPTH_MAX; depth++) {
    for (const id of sinking.get(depth) ?? []) level.add(id)
    await draft.loadPages(level)
    await draft.loadPages([...level].flatMap(id => draft.childrenOf(id)))
    await pause()
    level = new Set([...level].flatMap(id => links.childrenOf(id)))
  }
  for (const id of level) deep.add(id)
  return [...deep].map(page => ({ kind: 'too_deep', page }))
}

/** The depth of a page, 1 at the root; undefined if its parents do not lead to the root. */
function depthsIn(links: Links): (id: string) => number | undefined {
  const depths = new Map<string, number | undefined>()
  return id => {
    const way: string[] = []
    let at: string | null | undefined = id
    while (typeof at === 'string' && !depths.has(at)) {
      depths.set(at, undefined) // if met again on this way, it is a cycle
      way.push(at)
      at = links.parentOf(at)
    }
    let depth = at === null ? 0 : at === undefined ? undefined : depths.get(at)
    for (const step of way.reverse()) {
      if (depth !== undefined) depth++
      depths.set(step, depth)
    }
    return depths.get(id)
  }
}
