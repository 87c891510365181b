// What somebody wants to do with pages, as edits of records. Each reads only the records it needs; several on one draft
// build upon each other. Whether the tree is still valid is for `commit` to say: these refuse only what they could not
// write down.
import type { Draft } from './draft.ts'
import { type PageRecord, pageKey, TREE_KEY } from './records.ts'

/** Where a page shall stand: `index` counts among its siblings without itself, from 0; too large or absent is last. */
export type Place = { readonly parent: string | null; readonly index?: number }

/** The page, or the parent it shall have, is not there; or a new page has the id of one that is. */
export type PageEditProblem = { readonly kind: 'page_missing' | 'page_exists'; readonly page: string }

export type NewPage = Omit<PageRecord, 'parent' | 'children'>

/** Fields to set; undefined takes an optional field away. */
export type PagePatch = { readonly [K in keyof NewPage]?: NewPage[K] | undefined }

/** Adds a page without children. Returns what stood in the way, having done nothing then. */
export async function insertPage(
  draft: Draft,
  id: string,
  page: NewPage,
  place: Place,
): Promise<PageEditProblem | undefined> {
  await draft.loadPages([id, place.parent])
  if (draft.page(id) !== undefined) return { kind: 'page_exists', page: id }
  if (isParentMissing(draft, place.parent)) return { kind: 'page_missing', page: place.parent as string }
  draft.set(pageKey(id), { ...page, parent: place.parent, children: [] })
  setChildren(draft, place.parent, withInserted(draft.childrenOf(place.parent), id, place.index))
  return undefined
}

/** Moves a page with everything below it. Without an index it keeps its position under the same parent. */
export async function movePage(draft: Draft, id: string, place: Place): Promise<PageEditProblem | undefined> {
  await draft.loadPages([id, place.parent])
  const page = draft.page(id)
  if (page === undefined) return { kind: 'page_missing', page: id }
  if (isParentMissing(draft, place.parent)) return { kind: 'page_missing', page: place.parent as string }
  if (place.parent === page.parent && place.index === undefined) return undefined
  await unlist(draft, page.parent, id)
  // The page before its new parent: moved into itself they are one record, and `commit` tells of the cycle.
  draft.set(pageKey(id), { ...page, parent: place.parent })
  setChildren(draft, place.parent, withInserted(draft.childrenOf(place.parent), id, place.index))
  return undefined
}

/** Removes a page and everything below it: a round of reads a level of the subtree. */
export async function removePage(draft: Draft, id: string): Promise<PageEditProblem | undefined> {
  await draft.loadPages([id])
  const page = draft.page(id)
  if (page === undefined) return { kind: 'page_missing', page: id }
  await unlist(draft, page.parent, id)
  for (let level = [id]; level.length > 0; ) {
    await draft.loadPages(level)
    const below: string[] = []
    for (const at of level) {
      const children = draft.childrenOf(at)
      if (draft.page(at) === undefined) continue
      draft.set(pageKey(at), null)
      below.push(...children)
    }
    level = below
  }
  return undefined
}

/** Changes fields of a page; nothing but its own record is written. */
export async function updatePage(
  draft: Draft,
  id: string,
  patch: PagePatch,
): Promise<PageEditProblem | undefined> {
  await draft.loadPages([id])
  const page = draft.page(id)
  if (page === undefined) return { kind: 'page_missing', page: id }
  const fields: { [name: string]: unknown } = { ...page }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) delete fields[name]
    else fields[name] = value
  }
  draft.set(pageKey(id), fields as PageRecord)
  return undefined
}

const isParentMissing = (draft: Draft, parent: string | null): boolean =>
  parent !== null && draft.page(parent) === undefined

async function unlist(draft: Draft, parent: string | null, id: string): Promise<void> {
  await draft.loadPages([parent])
  setChildren(
    draft,
    parent,
    draft.childrenOf(parent).filter(child => child !== id),
  )
}

function setChildren(draft: Draft, parent: string | null, children: readonly string[]): void {
  if (parent === null) draft.set(TREE_KEY, { children })
  else draft.set(pageKey(parent), { ...(draft.page(parent) as PageRecord), children })
}

const withInserted = (list: readonly string[], id: string, index = list.length): string[] => [
  ...list.slice(0, index),
  id,
  ...list.slice(index),
]
