// Undoes the changes to a page since a revision: an added page is removed, a deleted one restored, and a changed one
// gets back its text, title and fields, or only some of its blocks.
import { Draft, subtreeOf } from '../../../engines/content/draft.ts'
import { insertPage } from '../../../engines/content/page-edits.ts'
import { type Hash, type PageRecord, pageKey } from '../../../engines/content/records.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'
import { takeAway } from './pages.ts'
import { refuseTakenSlug } from './slugs.ts'
import type { Batch } from './state.ts'

export async function revertPage(
  batch: Batch,
  index: number,
  change: ChangeOf<'revert_page'>,
): Promise<void> {
  const { draft } = batch
  const past = new Draft(batch.base.store, await rootToRevertTo(batch, index, change.revision))
  const id = change.page
  await draft.loadPages([id])
  await past.loadPages([id])
  const now = draft.page(id)
  const then = past.page(id)
  if (now === undefined && then === undefined)
    throw refuse(index, 'page', `there is no page ${id}, neither in this content nor in that revision.`)
  if (change.block !== undefined) return undoBlocksLater(batch, index, change, now, then)
  if (then === undefined) return takeBack(batch, index, id, past)
  if (now === undefined) return restore(batch, index, id, past)
  return reset(batch, index, id, then)
}

/** The content of the revision to go back to. */
export async function rootToRevertTo(
  { base }: Batch,
  index: number,
  revision: string | undefined,
): Promise<Hash> {
  const wanted = revision ?? base.baseRevision
  if (wanted === null)
    throw refuse(index, 'revision', 'this is required here. Name the revision of the space to go back to.')
  const root = await base.rootOf(wanted)
  if (root === undefined)
    throw refuse(index, 'revision', `the space has no revision ${wanted}. Its history is in …/revisions.`)
  return root
}

function undoBlocksLater(
  batch: Batch,
  index: number,
  { page: id, block = [] }: ChangeOf<'revert_page'>,
  now: PageRecord | undefined,
  then: PageRecord | undefined,
): void {
  if (now === undefined || then === undefined || now.type !== 'document')
    throw refuse(
      index,
      'block',
      'the page has no text in one of the two revisions. Omit block to revert the whole page.',
    )
  batch.touch(pageKey(id), index)
  batch.queueStep(pageKey(id), { kind: 'undo', index, document: then.document, blocks: block })
}

/** Removes an added page, but no subpages that existed before. */
async function takeBack(batch: Batch, index: number, id: string, past: Draft): Promise<void> {
  const subtree = await subtreeOf(batch.draft, id)
  await past.loadPages(subtree)
  const older = subtree.find(page => past.page(page) !== undefined)
  if (older !== undefined)
    throw refuse(
      index,
      'page',
      `the page ${older} was there before and is below this one now. Move it elsewhere first.`,
    )
  await takeAway(batch, index, id)
}

/** Restores a deleted page at its place, with the deleted pages below it. */
async function restore(batch: Batch, index: number, id: string, past: Draft): Promise<void> {
  const { draft, places } = batch
  const { parent, slug } = past.getPage(id)
  await draft.loadPages([parent])
  await past.loadPages([parent])
  if (parent !== null && draft.page(parent) === undefined)
    throw refuse(
      index,
      'page',
      `the page ${parent} above it is not there. Revert that one, and this one comes with it.`,
    )
  if (slug !== '') await refuseTakenSlug(draft, index, parent, slug, id)
  const at = placeAmong(draft.childrenOf(parent), past.childrenOf(parent), id)
  await insertPage(draft, id, past.getPage(id), { parent, index: at })
  // Nothing else is below it, so the slugs of restored pages are free, and a level costs only its size.
  for (let level = [id]; level.length > 0; ) {
    await past.loadPages(level)
    const pages = level.map(page => ({ page, before: past.getPage(page) }))
    await draft.loadPages(pages.flatMap(({ before }) => before.children))
    const isGone = (child: string) => draft.page(child) === undefined
    const gone = pages.map(one => ({ ...one, children: one.before.children.filter(isGone) }))
    for (const { page, before, children } of gone) {
      const file = before.file === undefined ? {} : { file: places.free(before.file) }
      const record = { ...before, ...file, children }
      draft.set(pageKey(page), record)
      places.enter(pageKey(page), record)
      batch.touch(pageKey(page), index)
    }
    level = gone.flatMap(({ children }) => children)
  }
}

/** The index behind the nearest sibling that was before it and still exists. */
function placeAmong(siblings: readonly string[], before: readonly string[], id: string): number {
  const there = new Map(siblings.map((sibling, at) => [sibling, at]))
  for (const sibling of before.slice(0, Math.max(0, before.indexOf(id))).toReversed()) {
    const found = there.get(sibling)
    if (found !== undefined) return found + 1
  }
  return 0
}

/** Restores the text, title and fields; place and slug stay. */
function reset(batch: Batch, index: number, id: string, then: PageRecord): void {
  const { draft } = batch
  const now = draft.getPage(id)
  batch.touch(pageKey(id), index)
  if (now.type === 'document') {
    draft.set(pageKey(id), { ...now, title: then.title })
    batch.queueStep(pageKey(id), { kind: 'reset', index, document: then.document })
  } else if (then.type === now.type) {
    const { slug, parent, children } = now
    draft.set(pageKey(id), { ...then, slug, parent, children })
  }
}
