// The page tree in the records: a page names its parent, its parent lists it in `children`, and `tree` lists the root
// pages. tree-check.ts checks that both agree. The functions here terminate on any input.
import type { PageRecord } from './records.ts'

/** Pages on the path from the root to a page, itself included. */
export const TREE_DEPTH_MAX = 32
export const TREE_PAGES_MAX = 20_000

/** A tree that was read as a whole or in part. */
export interface TreeView {
  page(id: string): PageRecord | undefined
  /** The children that a page lists, or the root pages for null; none for a page that does not exist. */
  childrenOf(parent: string | null): readonly string[]
}

type PageTree = {
  readonly tree: { readonly children: readonly string[] }
  readonly pages: ReadonlyMap<string, PageRecord>
}

export const viewOf = ({ tree, pages }: PageTree): TreeView => ({
  page: id => pages.get(id),
  childrenOf: parent => (parent === null ? tree : pages.get(parent))?.children ?? [],
})

/** A page with its place: `depth` is 1 at the root; `path` is its ancestors' slugs and its own, joined by '/'. */
export type PageInTree = {
  readonly id: string
  readonly page: PageRecord
  readonly depth: number
  readonly path: string
}

/** Every page in reading order, parents before children. The path of a page without a slug is that of its parent. */
export function* walkPages(content: PageTree): Generator<PageInTree> {
  const seen = new Set<string>()
  const waiting: { id: string; depth: number; parentPath: string }[] = []
  const wait = (ids: readonly string[], depth: number, parentPath: string): void => {
    for (const id of ids.toReversed()) waiting.push({ id, depth, parentPath })
  }
  wait(content.tree.children, 1, '')
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth, parentPath } = next
    const page = content.pages.get(id)
    if (page === undefined || seen.has(id)) continue
    seen.add(id)
    const path = joinPath(parentPath, page.slug)
    yield { id, page, depth, path }
    wait(page.children, depth + 1, path)
  }
}

export const joinPath = (parentPath: string, slug: string): string =>
  parentPath === '' || slug === '' ? parentPath + slug : `${parentPath}/${slug}`

/** The path of every page. */
export const pathsOf = (content: PageTree): Map<string, string> =>
  new Map([...walkPages(content)].map(({ id, path }) => [id, path]))

/** The ids from the root to a page, itself last; undefined if its parents do not lead to the root. */
export function lineageOf(pages: ReadonlyMap<string, PageRecord>, id: string): string[] | undefined {
  const lineage: string[] = []
  for (let at: string | null = id; at !== null; ) {
    const page = pages.get(at)
    if (page === undefined || lineage.length === TREE_DEPTH_MAX) return undefined
    lineage.push(at)
    at = page.parent
  }
  return lineage.reverse()
}

/** The path of one page: the slugs of its ancestors and its own; undefined for a page that is not in the tree. */
export function pathOf(pages: ReadonlyMap<string, PageRecord>, id: string): string | undefined {
  return lineageOf(pages, id)?.reduce((path, at) => joinPath(path, pages.get(at)?.slug ?? ''), '')
}
