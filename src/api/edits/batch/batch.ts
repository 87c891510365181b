// The changes of one request as edits of one revision. They are applied in their order to a draft: the tree first, with
// titles, slugs and places, and the texts last, because links in them lead to the tree as it is after the whole
// request.
import { assert } from '../../../base/assert.ts'
import { invalid } from '../../../base/errors.ts'
import { inSlices } from '../../../base/slices.ts'
import { lineageOf, slugsBelow } from '../../../engines/content/draft.ts'
import { type Edits, type FileRecord, isPageKey, pageKey } from '../../../engines/content/records.ts'
import type { StoredObject } from '../../../engines/content/store.ts'
import { checkEdits } from '../../../engines/content/tree-check-edits.ts'
import { countEntries } from '../../../engines/content/trie.ts'
import { describeTreeProblem } from '../../content/tree-messages.ts'
import type { Prepared, PreparedChange } from '../request/prepare.ts'
import { refuse } from '../request/schema.ts'
import { deleteFile, insertFiles, revertFile, updateFile } from './files.ts'
import { Links } from './links.ts'
import { deletePage, insertPage, updatePage } from './pages.ts'
import { placesAt } from './places.ts'
import { deleteReusable, insertReusable, updateReusable } from './reusables.ts'
import { revertPage } from './reverts.ts'
import { type AppliedChange, type Base, Batch, type Step, type UnwrittenBlock } from './state.ts'
import type { Unresolved } from './unresolved.ts'
import { updateVariables } from './variables.ts'
import { Writing } from './writing.ts'

export type Applied = {
  readonly edits: Edits
  /** Documents that the edits name but that may not be stored yet. */
  readonly documents: readonly StoredObject[]
  /** Each thing once, pages first, in the order of first touch. */
  readonly changes: readonly AppliedChange[]
  readonly insertedFiles: readonly (readonly [id: string, record: FileRecord])[]
  readonly unresolved: readonly Unresolved[]
  readonly unwritten: readonly UnwrittenBlock[]
}

/** Writes nothing. Throws `invalid` for the first change that cannot be carried out. */
export async function applyChanges(
  base: Base,
  { changes, refs }: Pick<Prepared, 'changes' | 'refs'>,
): Promise<Applied> {
  // Places are remembered for the next request, which may not find a content that was never written.
  const places = await placesAt(base.store, base.owner, base.head ?? base.root)
  const batch = new Batch(base, places, refs)
  await checkRefs(batch)
  for await (const change of inSlices(changes)) await applyChange(batch, change)
  const documents = await writeTexts(batch)
  batch.dateEdits()
  await checkTree(batch)
  await checkCount(batch)
  return {
    edits: batch.draft.edits,
    documents,
    changes: batch.appliedChanges(),
    insertedFiles: batch.insertedFiles,
    unresolved: batch.unresolved,
    unwritten: batch.unwritten,
  }
}

async function applyChange(batch: Batch, prepared: PreparedChange): Promise<void> {
  const { index, change, id, assets } = prepared
  switch (change.operation) {
    case 'insert_page':
      return insertPage(batch, index, change, prepared)
    case 'update_page':
      return updatePage(batch, index, change)
    case 'delete_page':
      return deletePage(batch, index, change)
    case 'revert_page':
      return revertPage(batch, index, change)
    case 'insert_files':
      return insertFiles(batch, index, assets)
    case 'update_file':
      return updateFile(batch, index, change, assets[0]?.kept)
    case 'revert_file':
      return revertFile(batch, index, change)
    case 'delete_file':
      return deleteFile(batch, index, change)
    case 'insert_reusable_content':
      return insertReusable(batch, index, change, id)
    case 'update_reusable_content':
      return updateReusable(batch, index, change)
    case 'delete_reusable_content':
      return deleteReusable(batch, index, change)
    case 'update_variables':
      return updateVariables(batch, index, change)
  }
}

/**
 * Writes the texts, once the tree is complete: links become paths, rich documents become Markdown, fields go into the
 * frontmatter, and the record of a page matches its text. Returns the new documents.
 */
async function writeTexts(batch: Batch): Promise<StoredObject[]> {
  const links = new Links(batch.draft, batch.places, batch.refs, batch.base)
  const documents: StoredObject[] = []
  for await (const [key, steps] of inSlices(batch.texts)) {
    if (batch.draft.get(key) === null) continue
    const writing = new Writing(batch, links, key)
    for (const step of steps) {
      if (step.kind === 'aim') await aim(batch, links, step)
      else await writing.apply(step)
    }
    documents.push(...(await writing.finish()))
  }
  return documents
}

async function aim(
  { draft }: Batch,
  links: Links,
  { index, page, target }: Extract<Step, { kind: 'aim' }>,
): Promise<void> {
  const reference = await links.settle(target)
  if (reference === undefined)
    throw refuse(
      index,
      'target',
      'this leads to nothing that is in this content, or to no address of the web. Correct it.',
    )
  const record = draft.get(page)
  assert(record !== null, 'a link page with a target exists')
  draft.set(page, { ...record, target: reference })
}

/** A name that is also the path or the id of a page would mean two things. */
async function checkRefs({ draft, refs }: Batch): Promise<void> {
  const named = [...refs.named]
  if (named.length === 0) return
  const slugs = await slugsBelow(draft, null)
  await draft.loadPages(named.map(({ ref }) => ref))
  for (const { ref, index, field } of named) {
    if (slugs.has(ref) || draft.page(ref) !== undefined)
      throw refuse(index, field, `"${ref}" is a page of this content already. Choose another ref.`)
  }
}

/** The invariant of the tree, refused with the index of the change that broke it. */
async function checkTree(batch: Batch): Promise<void> {
  const { base, draft } = batch
  const [problem] = await checkEdits(draft.store, base.root, draft.edits)
  if (problem === undefined) return
  const why = describeTreeProblem(problem)
  const page = 'page' in problem ? problem.page : null
  // The page that is too deep may be below the moved page.
  for (const id of (await lineageOf(draft, page)).reverse()) {
    const index = batch.touchedBy(pageKey(id))
    if (index !== undefined) throw refuse(index, problem.kind.startsWith('slug') ? 'slug' : 'into', why)
  }
  throw invalid('tree_invalid', `body.changes: ${why}`)
}

/** Files, reusable contents and variables of a space together; an import has a bound for each of them. */
export const ENTRIES_BESIDE_PAGES_MAX = 24_000

async function checkCount({ base, draft }: Batch): Promise<void> {
  const { entries, pages } = await countEntries(draft.store, base.root)
  let count = entries - pages
  for (const [key, after] of draft.edits) {
    if (isPageKey(key)) continue
    count += (after === null ? 0 : 1) - (draft.before(key) === null ? 0 : 1)
  }
  if (count > ENTRIES_BESIDE_PAGES_MAX)
    throw invalid(
      'too_many_entries',
      `body.changes: the space would have ${count} files, reusable contents and variables; ${ENTRIES_BESIDE_PAGES_MAX} is the most. Delete what is not used.`,
    )
}
