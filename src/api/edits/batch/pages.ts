// Pages in the tree: inserts, moves, renames and deletes them.
import { lineageOf, pathOf, subtreeOf } from '../../../engines/content/draft.ts'
import { insertPage as insertIntoTree, movePage, removePage } from '../../../engines/content/page-edits.ts'
import { type PageRecord, pageKey } from '../../../engines/content/records.ts'
import { joinPath, TREE_DEPTH_MAX } from '../../../engines/content/tree.ts'
import { fileOfPage } from '../../../engines/names/new-files.ts'
import type { LinkTarget } from '../request/fields.ts'
import type { PreparedChange } from '../request/prepare.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'
import { followsTitle, renameFile } from './follow-title.ts'
import { checkMetadata, hasMetadata, hasText, ownMetadata } from './metadata.ts'
import { slugOfNew, slugOfUpdate } from './slugs.ts'
import type { Batch } from './state.ts'
import { titleOfNew, titleOfUpdate } from './titles.ts'

type Parent = string | null

export async function insertPage(
  batch: Batch,
  index: number,
  change: ChangeOf<'insert_page'>,
  { id, heading }: Pick<PreparedChange, 'id' | 'heading'>,
): Promise<void> {
  const { draft, places } = batch
  const type = change.type ?? 'document'
  checkMetadata(index, type, change)
  if (type === 'document' && change.document === undefined)
    throw refuse(index, 'document', 'this is required; an empty object is a page without text.')
  if (type === 'link' && change.target === undefined)
    throw refuse(index, 'target', 'a link needs one, such as {"kind":"url","url":"https://…"}.')
  const parent = await parentOf(batch, index, change.into ?? null, type)
  const title = titleOfNew(index, change, heading)
  const slug = type === 'link' ? '' : await slugOfNew(batch, index, parent, id, change.slug, title)
  const path = joinPath(await pathOf(draft, parent), slug)
  const record = {
    type,
    title,
    slug,
    document: null,
    ...(type === 'document' ? { file: places.free(fileOfPage(path, id)) } : {}),
  }
  await insertIntoTree(draft, id, record, {
    parent,
    ...(change.at === undefined ? {} : { index: change.at }),
  })
  places.enter(pageKey(id), draft.getPage(id))
  batch.touch(pageKey(id), index)
  if (type === 'document')
    batch.queueStep(pageKey(id), {
      kind: 'write',
      index,
      document: change.document,
      metadata: change,
      titles: { before: title, after: title },
    })
  else setOwnFields(batch, id, change)
  if (change.target !== undefined) aimLater(batch, id, index, change.target)
}

export async function updatePage(
  batch: Batch,
  index: number,
  change: ChangeOf<'update_page'>,
): Promise<void> {
  const { draft } = batch
  const id = await findPage(batch, index, 'page', change.page)
  const before = draft.getPage(id)
  checkMetadata(index, before.type, change)
  await place(batch, index, id, change)
  const title = titleOfUpdate(index, change) ?? before.title
  const isFollowing =
    change.followTitle === true && change.slug === undefined && (await followsTitle(batch, id, before))
  const slug = await slugOfUpdate(batch, index, id, isFollowing ? null : change.slug, title)
  draft.set(pageKey(id), { ...draft.getPage(id), title, slug })
  if (isFollowing && title !== before.title) await renameFile(batch, index, id, before)
  batch.touch(pageKey(id), index)
  const titles = { before: before.title, after: title }
  if (before.type !== 'document') setOwnFields(batch, id, change)
  else if (hasText(change.document) || hasMetadata(change) || titles.before !== titles.after) {
    await giveFile(batch, id)
    batch.queueStep(pageKey(id), {
      kind: 'write',
      index,
      document: change.document,
      metadata: change,
      titles,
    })
  }
  if (change.target !== undefined) aimLater(batch, id, index, change.target)
}

/** An entry of a SUMMARY.md may have no file; with a text it needs one. */
async function giveFile({ draft, places }: Batch, id: string): Promise<void> {
  const page = draft.getPage(id)
  if (page.file !== undefined) return
  const file = places.free(fileOfPage(await pathOf(draft, id), id))
  draft.set(pageKey(id), { ...page, file })
  places.enter(pageKey(id), draft.getPage(id))
}

/** The page with everything below it. */
export async function deletePage(
  batch: Batch,
  index: number,
  change: ChangeOf<'delete_page'>,
): Promise<void> {
  await takeAway(batch, index, await findPage(batch, index, 'page', change.page))
}

export async function takeAway(batch: Batch, index: number, id: string): Promise<void> {
  const { draft, places } = batch
  for (const gone of await subtreeOf(draft, id)) {
    places.leave(pageKey(gone), draft.page(gone) ?? null)
    batch.touch(pageKey(gone), index)
    batch.texts.delete(pageKey(gone))
  }
  await removePage(draft, id)
}

/** The id of a page that exists at this point of the request, from its id or its ref. */
async function findPage(
  { draft, refs }: Batch,
  index: number,
  field: string,
  given: string,
): Promise<string> {
  const made = refs.find(given)
  const id = made?.kind === 'page' ? made.id : given
  await draft.loadPages([id])
  if (draft.page(id) !== undefined) return id
  throw refuse(
    index,
    field,
    made?.kind !== 'page'
      ? `there is no page ${given} in this content. Its ids are in …/content/pages?computed=false.`
      : `"${given}" is inserted further down. Move that change before this one.`,
  )
}

/** The page that will hold one of this type, or null for the root. */
async function parentOf(
  batch: Batch,
  index: number,
  given: Parent,
  type: PageRecord['type'],
): Promise<Parent> {
  if (given === null) return null
  const id = await findPage(batch, index, 'into', given)
  const parent = batch.draft.getPage(id)
  if (parent.type !== 'document' && parent.type !== 'group')
    throw refuse(
      index,
      'into',
      `the page ${given} is of the type ${parent.type} and cannot have subpages. Choose another.`,
    )
  if (type === 'group')
    throw refuse(index, 'into', 'a group can only be at the root. Leave into out, or send null.')
  if ((await lineageOf(batch.draft, id)).length >= TREE_DEPTH_MAX)
    throw refuse(index, 'into', `pages nest at most ${TREE_DEPTH_MAX} deep. Choose a page further up.`)
  return id
}

async function place(
  batch: Batch,
  index: number,
  id: string,
  change: ChangeOf<'update_page'>,
): Promise<void> {
  const { draft } = batch
  const { into, at } = change
  const before = draft.getPage(id)
  if (into === undefined && at === undefined) return
  const parent = into === undefined ? before.parent : await parentOf(batch, index, into, before.type)
  if ((await lineageOf(draft, parent)).includes(id))
    throw refuse(index, 'into', 'a page cannot be moved below itself. Choose another, or null for the root.')
  await movePage(draft, id, { parent, ...(at === undefined ? {} : { index: at }) })
}

/** Groups and links have no text; their fields are in the record only. */
function setOwnFields({ draft }: Batch, id: string, change: Parameters<typeof ownMetadata>[1]): void {
  const page = draft.getPage(id)
  draft.set(pageKey(id), ownMetadata(page, change))
}

/** A link may lead to what the same request inserts further down. */
function aimLater(batch: Batch, id: string, index: number, target: LinkTarget): void {
  batch.queueStep(pageKey(id), { kind: 'aim', index, page: pageKey(id), target })
}
