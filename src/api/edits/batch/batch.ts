// The changes of one request as edits of one revision. They are applied in their order to a draft: the tree first, with
// titles, slugs and places, and the texts last, because links in them lead to the tree as it is after the whole request.

import { invalid } from '../../../base/errors.ts'
import { inSlices } from '../../../base/slices.ts'
import type { Compute } from '../../../compute/compute.ts'
import { Draft } from '../../../engines/content/draft.ts'
import {
  type Edits,
  type FileRecord,
  type Hash,
  isPageKey,
  type Key,
  type PageRecord,
  pageKey,
} from '../../../engines/content/records.ts'
import type { ObjectReads, StoredObject } from '../../../engines/content/store.ts'
import { checkEdits } from '../../../engines/content/tree-check-edits.ts'
import { countEntries } from '../../../engines/content/trie.ts'
import { isEdited } from '../../content/edited.ts'
import { describeTreeProblem } from '../../content/tree-messages.ts'
import { ENTRIES_BESIDE_PAGES_MAX } from '../bounds.ts'
import type { Addresses, Elsewhere } from '../other-spaces.ts'
import type { Prepared, PreparedChange } from '../prepare.ts'
import { deleteFile, insertFiles } from './files.ts'
import { lineageOf, slugsBelow } from './lineage.ts'
import { deletePage, insertPage, updatePage } from './pages.ts'
import { type Places, placesAt } from './places.ts'
import type { Refs } from './refs.ts'
import { refuse } from './refuse.ts'
import { deleteReusable, insertReusable, updateReusable } from './reusables.ts'
import { revertPage } from './reverts.ts'
import type { Step } from './texts.ts'
import { writeTexts } from './texts.ts'
import { updateVariables } from './variables.ts'

/** What the changes are applied to. */
export type Base = {
  readonly compute: Compute
  readonly store: ObjectReads
  /** Whose head it is: the id of the change request or of the space, and the space. */
  readonly owner: { readonly spaceId: string; readonly id: string }
  readonly root: Hash
  /** The root of a revision of the space, for what is reverted to it; undefined for one that is not there. */
  readonly rootOf: (revisionId: string) => Promise<Hash | undefined>
  /** What is reverted to when no revision is named; null where one has to be. */
  readonly baseRevision: string | null
  /** An address for a space, where documents refer to one. */
  readonly spaceUrl: (spaceId: string) => string
  /** Addresses for pages and files of other spaces, as far as the one who writes may read them. */
  readonly findAddresses: (wanted: readonly Elsewhere[]) => Promise<Addresses>
  readonly now: Date
}

/** What happened to something; `ref` is the name that the request gave it. */
export type Happened = {
  readonly kind: 'page' | 'reusable-content' | 'file'
  readonly how: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly ref: string | undefined
}

export type Applied = {
  readonly edits: Edits
  /** Documents that the edits name and the store may not have. */
  readonly documents: readonly StoredObject[]
  /** Each thing once, pages first, in the order of first touch. */
  readonly happened: readonly Happened[]
  readonly insertedFiles: readonly (readonly [id: string, record: FileRecord])[]
}

/** Writes nothing. Throws `invalid` for the first change that cannot be carried out. */
export async function applyChanges(base: Base, { changes, refs }: Prepared): Promise<Applied> {
  const batch = new Batch(base, await placesAt(base.store, base.owner, base.root), refs)
  await checkRefs(batch)
  for await (const change of inSlices(changes)) await carryOut(batch, change)
  const documents = await writeTexts(batch)
  batch.dateEdits()
  await checkTree(batch)
  await checkCount(batch)
  return {
    edits: batch.draft.edits,
    documents,
    happened: batch.happened(),
    insertedFiles: batch.insertedFiles,
  }
}

export class Batch {
  readonly base: Base
  readonly draft: Draft
  readonly places: Places
  /** What stood where before the request. */
  readonly placesBefore: Places
  readonly refs: Refs
  readonly insertedFiles: [string, FileRecord][] = []
  /** What has to be done with a text, by the key of the record that it belongs to. */
  readonly texts = new Map<Key, Step[]>()
  /** The index of the change that touched a record last, in the order of first touch. */
  readonly #touched = new Map<Key, number>()

  constructor(base: Base, places: Places, refs: Refs) {
    this.base = base
    this.draft = new Draft(base.store, base.root)
    this.placesBefore = places
    this.places = places.fork()
    this.refs = refs
  }

  touch(key: Key, index: number): void {
    this.#touched.set(key, index)
  }

  touchedBy(key: Key): number | undefined {
    return this.#touched.get(key)
  }

  later(key: Key, step: Step): void {
    const steps = this.texts.get(key)
    if (steps === undefined) this.texts.set(key, [step])
    else steps.push(step)
  }

  /** Gives pages that were edited the time of the edit. */
  dateEdits(): void {
    const { draft } = this
    const now = this.base.now.toISOString()
    for (const key of this.#touched.keys()) {
      if (!key.startsWith('page/')) continue
      const after = draft.get(key) as PageRecord | null
      const before = draft.before(key) as PageRecord | null
      if (after === null) continue
      if (before === null) draft.set(key, { ...after, createdAt: after.createdAt ?? now, updatedAt: now })
      else if (isEdited(before, after)) draft.set(key, { ...after, updatedAt: now })
    }
  }

  happened(): Happened[] {
    const refById = new Map([...this.refs.named].map(({ id, ref }) => [id, ref]))
    const all: Happened[] = []
    for (const key of this.#touched.keys()) {
      const [prefix, id] = key.split('/') as [string, string]
      const isBefore = this.draft.before(key) !== null
      const isAfter = this.draft.get(key) !== null
      if (!isBefore && !isAfter) continue
      const how = !isBefore ? 'created' : isAfter ? 'updated' : 'deleted'
      const kind = prefix === 'reusable' ? 'reusable-content' : (prefix as 'page' | 'file')
      all.push({ kind, how, id, ref: how === 'created' ? refById.get(id) : undefined })
    }
    const pages = all.filter(({ kind }) => kind === 'page')
    return [
      ...pages,
      ...all.filter(({ kind, how }) => kind !== 'page' && (kind !== 'file' || how === 'deleted')),
    ]
  }
}

async function carryOut(batch: Batch, prepared: PreparedChange): Promise<void> {
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

/** A name that is also the path or the id of a page would mean two things (api-facts §6.3). */
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

/** The invariant of the tree, told as the fault of the change that broke it. */
async function checkTree(batch: Batch): Promise<void> {
  const { base, draft } = batch
  const [problem] = await checkEdits(draft.store, base.root, draft.edits)
  if (problem === undefined) return
  const why = describeTreeProblem(problem)
  const page = 'page' in problem ? problem.page : null
  // What became too deep may stand below the page that was moved.
  for (const id of (await lineageOf(draft, page)).reverse()) {
    const index = batch.touchedBy(pageKey(id))
    if (index !== undefined) throw refuse(index, problem.kind.startsWith('slug') ? 'slug' : 'into', why)
  }
  throw invalid('tree_invalid', `body.changes: ${why}`)
}

/** Everything that is no page has one bound, as an import has one for each kind. */
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
