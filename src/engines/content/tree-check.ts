// Checks the invariant of the whole page tree. Every problem concerns one page, or one parent with its list, so that
// tree-check-edits.ts can check only what changed.
import { compareTexts } from '../../base/order.ts'
import { inSlices } from '../../base/slices.ts'
import type { PageRecord } from './records.ts'
import { TREE_DEPTH_MAX, TREE_PAGES_MAX, type TreeView, viewOf } from './tree.ts'

/**
 * What is wrong with a tree; `parent` null is the root. A page and the parent that lists it are linked when both say
 * so.
 */
export type TreeProblem =
  /** `parent` lists a page that does not exist. */
  | { readonly kind: 'child_missing'; readonly page: string; readonly parent: string | null }
  | { readonly kind: 'child_listed_twice'; readonly page: string; readonly parent: string | null }
  /** `parent` lists a page that names another parent. */
  | { readonly kind: 'parent_disagrees'; readonly page: string; readonly parent: string | null }
  /** The parent of the page does not exist or does not list it. */
  | { readonly kind: 'orphan'; readonly page: string; readonly parent: string | null }
  /** The page is below itself. Reported once per cycle, for its smallest id. */
  | { readonly kind: 'cycle'; readonly page: string }
  | {
      readonly kind: 'slug_taken'
      readonly page: string
      readonly parent: string | null
      readonly sibling: string
      readonly slug: string
    }
  /** Empty or with a '/': its path would be that of another page. */
  | { readonly kind: 'slug_invalid'; readonly page: string; readonly slug: string }
  /** Link and computed pages have no children. */
  | { readonly kind: 'children_forbidden'; readonly page: string }
  /** Groups are allowed at the root only. */
  | { readonly kind: 'group_nested'; readonly page: string; readonly parent: string }
  /** The first page of a path that is deeper than TREE_DEPTH_MAX. */
  | { readonly kind: 'too_deep'; readonly page: string }
  | { readonly kind: 'too_many_pages'; readonly pages: number }

type Checked = Parameters<typeof viewOf>[0]

/** All problems of a tree, in an order that depends on the tree alone; empty for a valid one. */
export const checkTree = (content: Checked): TreeProblem[] => inOrder([...findProblems(content)].flat())

/** The same, yielding to other work. */
export async function checkTreeInSlices(content: Checked): Promise<TreeProblem[]> {
  const problems: TreeProblem[] = []
  for await (const found of inSlices(findProblems(content))) problems.push(...found)
  return inOrder(problems)
}

/** Step by step. */
function* findProblems(content: Checked): Generator<TreeProblem[]> {
  const view = viewOf(content)
  const links = new Links(view)
  const ids = [...content.pages.keys()]
  yield checkPageCount(ids.length)
  for (const id of ids) yield checkPage(links, id)
  for (const parent of [null, ...ids]) {
    yield checkListing(links, parent, new Set(view.childrenOf(parent)))
    yield checkSlugs(links, parent)
  }
  yield findCycles(links, ids)
  yield findTooDeep(links)
}

/** Whether pages and parents refer to each other. Caches the lists as sets. */
export class Links {
  readonly view: TreeView
  readonly #listed = new Map<string | null, ReadonlySet<string>>()

  constructor(view: TreeView) {
    this.view = view
  }

  /** Whether the parent that a page names lists it. */
  isLinked(id: string, page: PageRecord): boolean {
    return this.lists(page.parent, id)
  }

  lists(parent: string | null, id: string): boolean {
    let listed = this.#listed.get(parent)
    if (listed === undefined) {
      listed = new Set(this.view.childrenOf(parent))
      this.#listed.set(parent, listed)
    }
    return listed.has(id)
  }

  /** The parent a page is linked to: an id, null for the root, undefined for none. */
  parentOf(id: string): string | null | undefined {
    const page = this.view.page(id)
    return page !== undefined && this.isLinked(id, page) ? page.parent : undefined
  }

  /** The children linked to a parent, each once, in the order of the list. */
  childrenOf(parent: string | null): string[] {
    return [...new Set(this.view.childrenOf(parent))].filter(id => this.view.page(id)?.parent === parent)
  }
}

export const checkPageCount = (pages: number): TreeProblem[] =>
  pages > TREE_PAGES_MAX ? [{ kind: 'too_many_pages', pages }] : []

/** Checks the fields of a page, and whether its parent lists it. */
export function checkPage(links: Links, id: string): TreeProblem[] {
  const page = links.view.page(id)
  if (page === undefined) return []
  const { type, slug, parent, children } = page
  const hasPath = type === 'document' || type === 'group'
  const problems: TreeProblem[] = []
  if (!links.isLinked(id, page)) problems.push({ kind: 'orphan', page: id, parent })
  if (hasPath ? slug === '' || slug.includes('/') : slug !== '')
    problems.push({ kind: 'slug_invalid', page: id, slug })
  if (!hasPath && children.length > 0) problems.push({ kind: 'children_forbidden', page: id })
  if (type === 'group' && parent !== null) problems.push({ kind: 'group_nested', page: id, parent })
  return problems
}

/** Checks that the listed pages among `ids` exist, are listed once, and name the parent. */
export function checkListing(links: Links, parent: string | null, ids: ReadonlySet<string>): TreeProblem[] {
  const problems: TreeProblem[] = []
  const listed = new Map<string, number>()
  for (const id of links.view.childrenOf(parent)) if (ids.has(id)) listed.set(id, (listed.get(id) ?? 0) + 1)
  for (const [id, times] of listed) {
    const page = links.view.page(id)
    if (times > 1) problems.push({ kind: 'child_listed_twice', page: id, parent })
    if (page === undefined) problems.push({ kind: 'child_missing', page: id, parent })
    else if (page.parent !== parent) problems.push({ kind: 'parent_disagrees', page: id, parent })
  }
  return problems
}

/** Children that have the slug of an earlier sibling. */
export function checkSlugs(links: Links, parent: string | null): TreeProblem[] {
  const problems: TreeProblem[] = []
  const owners = new Map<string, string>()
  for (const id of links.childrenOf(parent)) {
    const slug = links.view.page(id)?.slug ?? ''
    const sibling = owners.get(slug)
    if (slug === '') continue
    if (sibling === undefined) owners.set(slug, id)
    else problems.push({ kind: 'slug_taken', page: id, parent, sibling, slug })
  }
  return problems
}

/** The cycles among the ancestors of these pages. */
export function findCycles(links: Links, ids: Iterable<string>): TreeProblem[] {
  const problems: TreeProblem[] = []
  const done = new Set<string>()
  for (const start of ids) {
    const way = new Set<string>()
    let at: string | null | undefined = start
    while (typeof at === 'string' && !done.has(at) && !way.has(at)) {
      way.add(at)
      at = links.parentOf(at)
    }
    if (typeof at === 'string' && way.has(at)) {
      const steps = [...way]
      const cycle = steps.slice(steps.indexOf(at))
      const page = cycle.reduce((least, id) => (id < least ? id : least), at)
      problems.push({ kind: 'cycle', page })
    }
    for (const id of way) done.add(id)
  }
  return problems
}

function findTooDeep(links: Links): TreeProblem[] {
  let level = links.childrenOf(null)
  for (let depth = 1; depth <= TREE_DEPTH_MAX; depth++) level = level.flatMap(id => links.childrenOf(id))
  return level.map(page => ({ kind: 'too_deep', page }))
}

/** Problems in an order that does not depend on how they were found. */
export const inOrder = (problems: readonly TreeProblem[]): TreeProblem[] =>
  problems
    .map(problem => ({ problem, rank: JSON.stringify(problem) }))
    .sort((a, b) => compareTexts(a.rank, b.rank))
    .map(({ problem }) => problem)
