// Operations on pages, as edits of records. Each reads only the records it needs, and operations on one draft build on
// each other. They refuse only what cannot be expressed; `checkEdits` says whether the tree is still valid.
import type { Draft } from './draft.ts'
import { type PageRecord, pageKey, TREE_KEY } from './records.ts'

/** Where to put a page: `index` counts its siblings without itself, from 0; too large or absent means last. */
export type InsertPosition = { readonly parent: string | null; readonly index?: number }

/** The page or its new parent does not exist, or a new page has the id of an existing one. */
export type PageEditProblem = { readonly kind: 'page_missing' | 'page_exists'; readonly page: string }

export type NewPage = Omit<PageRecord, 'parent' | 'children'>

/** Fields to set; undefined removes an optional field. */
export type PagePatch = { readonly [K in keyof NewPage]?: NewPage[K] | undefined }

/** Adds a page without children. On a problem it returns it and changes nothing. */
export async function insertPage(
  draft: Draft,
  id: string,
  page: NewPage,
  place: InsertPosition,
): Promise<PageEditProblem | undefined> {
  await draft.loadPages([id, place.parent])
  if (draft.page(id) !== undefined) return { kind: 'page_exists', page: id }
  if (isMissing(draft, place.parent)) return { kind: 'page_missing', page: place.parent }
  draft.set(pageKey(id), { ...page, parent: place.parent, children: [] })
  setChildren(draft, place.parent, withInserted(draft.childrenOf(place.parent), id, place.index))
  return undefined
}

/** Moves a page with its descendants. Without an index it keeps its position under the same parent. */
export async function movePage(
  draft: Draft,
  id: string,
  place: InsertPosition,
): Promise<PageEditProblem | undefined> {
  await draft.loadPages([id, place.parent])
  const page = draft.page(id)
  if (page === undefined) return { kind: 'page_missing', page: id }
  if (isMissing(draft, place.parent)) return { kind: 'page_missing', page: place.parent }
  if (place.parent === page.parent && place.index === undefined) return undefined
  await unlist(draft, page.parent, id)
  // The page is written before its parent: when it moves into itself they are one record, and `checkEdits` reports a
  // cycle.
  draft.set(pageKey(id), { ...page, parent: place.parent })
  setChildren(draft, place.parent, withInserted(draft.childrenOf(place.parent), id, place.index))
  return undefined
}

/** Removes a page with its descendants: one round of reads per level of the subtree. */
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

/** Changes fields of a page. Writes only its own record. */
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
  // `PagePatch` types each value after its field, which the loop loses.
  draft.set(pageKey(id), fields as PageRecord)
  return undefined
}

const isMissing = (draft: Draft, parent: string | null): parent is string =>
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
  else draft.set(pageKey(parent), { ...draft.getPage(parent), children })
}

const withInserted = (list: readonly string[], id: string, index = list.length): string[] => [
  ...list.slice(0, index),
  id,
  ...list.slice(index),
]
