// The slug and the file of a page that was begun without its title, which follow the title until the space has the page.
import { folderOf, nameOf } from '../../../base/paths.ts'
import { Draft, pathOf } from '../../../engines/content/draft.ts'
import { type PageRecord, pageKey } from '../../../engines/content/records.ts'
import { joinPath } from '../../../engines/content/tree.ts'
import { fileOfPage } from '../../../engines/names/new-files.ts'
import { isSlugOf } from '../../../engines/names/slugs.ts'
import { findLeading, relink } from './relinks.ts'
import type { Batch } from './state.ts'

/** Whether addresses of this page are nobody's yet, and its slug is that of the title it had. */
export async function followsTitle(
  { base, draft }: Batch,
  id: string,
  { slug, title }: PageRecord,
): Promise<boolean> {
  if (base.baseRevision === null || !isSlugOf(slug, title)) return false
  const root = await base.rootOf(base.baseRevision)
  if (root === undefined) return false
  const published = new Draft(draft.store, root)
  await published.loadPages([id])
  return published.page(id) === undefined
}

/** In the folder that it is in, so that the links in its text lead where they led. */
export async function renameFile(batch: Batch, index: number, id: string, before: PageRecord): Promise<void> {
  const { draft, places } = batch
  const key = pageKey(id)
  const page = draft.getPage(id)
  const from = page.file
  if (from === undefined || !isSlugOf(nameOf(from).replace(/\.md$/, ''), before.title)) return
  const path = joinPath(await pathOf(draft, page.parent), page.slug)
  const name = nameOf(fileOfPage(path, id))
  if (name === nameOf(from)) return
  const leading = await findLeading(batch, key)
  // An earlier name is better than a thousand texts written anew.
  if (leading === undefined) return
  places.leave(key, page)
  const folder = folderOf(from)
  const to = places.free(folder === '' ? name : `${folder}/${name}`)
  draft.set(key, { ...page, file: to })
  places.enter(key, draft.getPage(id))
  relink(batch, index, leading, { from, to })
}
