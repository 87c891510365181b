// Orders the changes between two revisions: pages in the reading order of the new tree, removed ones last, then files
// by name, reusable contents by title, and variables. Documents are compared later, and only those that are shown.
import { assert } from '../../base/assert.ts'
import { defined } from '../../base/objects.ts'
import { compareTexts } from '../../base/order.ts'
import type { Diff, PageChange, RecordChange } from '../../engines/content/diff.ts'
import type { FileRecord, ReusableRecord, VariableRecord } from '../../engines/content/records.ts'
import { differingOfFile, differingOfPage, differingOfReusable } from './attributes.ts'
import type { DocumentPair } from './blocks.ts'
import { compareOrder, type PagePosition } from './page-positions.ts'
import type { Change, DocumentDetail } from './schema.ts'
import { type ChangeContext, toAttributes, toChangedFile, toChangedPage, toChangedReusable } from './wire.ts'

/** One change, to be completed with the comparison of its `documents`, if it has any. */
export type PendingChange = {
  readonly documents?: DocumentPair
  readonly complete: (detail: DocumentDetail) => Change
}

export type PagePositions = ReadonlyMap<string, PagePosition>

export const listChanges = (
  context: ChangeContext,
  diff: Diff,
  before: PagePositions,
  after: PagePositions,
): PendingChange[] => [
  ...pageChanges(context, diff.pages, before, after),
  ...byName(diff.files, file => file.name).flatMap(file => fileChange(context, file)),
  ...byName(diff.reusables, reusable => reusable.title).flatMap(reusable =>
    reusableChange(context, reusable),
  ),
  ...variableChanges(diff.variables),
]

/** By the current name, or the last one; ties keep the engine's order by id. */
const byName = <T>(
  changes: readonly RecordChange<T>[],
  nameOf: (record: T) => string,
): readonly RecordChange<T>[] => {
  const name = (change: RecordChange<T>): string => nameOf(latestOf(change))
  return changes.toSorted((a, b) => compareTexts(name(a), name(b)))
}

/** The current state, or the last one if it was removed. */
function latestOf<T>({ before, after }: RecordChange<T>): T {
  const record = after ?? before
  assert(record !== null, 'a change has a record on one side')
  return record
}

function pageChanges(
  context: ChangeContext,
  pages: readonly PageChange[],
  before: PagePositions,
  after: PagePositions,
): PendingChange[] {
  const [gone, there] = [pages.filter(page => page.after === null), pages.filter(page => page.after !== null)]
  return [
    ...inOrder(there, after).flatMap(page => pageChange(context, page, before, after)),
    ...inOrder(gone, before).map(({ id }) =>
      whole({ type: 'page_deleted', page: toChangedPage(id, before) }),
    ),
  ]
}

const inOrder = (pages: readonly PageChange[], positions: PagePositions): PageChange[] =>
  pages.toSorted((a, b) => compareOrder(positions.get(a.id)?.order ?? [], positions.get(b.id)?.order ?? []))

function pageChange(
  context: ChangeContext,
  change: PageChange,
  before: PagePositions,
  after: PagePositions,
): PendingChange[] {
  const { id, move } = change
  const page = toChangedPage(id, after)
  if (change.kind === 'created') return [whole({ type: 'page_created', page })]
  const found: PendingChange[] = []
  if (move !== null) {
    const parent = (seat: { parent: string | null }, positions: PagePositions) =>
      seat.parent === null ? undefined : toChangedPage(seat.parent, positions)
    found.push(
      whole({
        type: 'page_moved',
        page,
        parent: defined({
          before: parent(move.before, before),
          after: parent(move.after, after),
        }),
        position: { before: move.before.index, after: move.after.index },
      }),
    )
  }
  const { before: old, after: current } = change
  assert(old !== null && current !== null, 'a page that is neither new nor gone is on both sides')
  const fields = differingOfPage(old, current, context.hasMetadata)
  if (fields.length > 0) {
    found.push({
      ...(change.isEdited ? { documents: { before: old.document, after: current.document } } : {}),
      complete: detail => ({ type: 'page_edited', page, attributes: toAttributes(context, fields, detail) }),
    })
  }
  return found
}

function fileChange(context: ChangeContext, change: RecordChange<FileRecord>): PendingChange[] {
  const { id, before, after } = change
  if (before === null || after === null) {
    const type = before === null ? 'file_created' : 'file_deleted'
    return [{ complete: () => ({ type, file: toChangedFile(context, id, latestOf(change)) }) }]
  }
  const fields = differingOfFile(before, after, context.hasMetadata)
  if (fields.length === 0) return []
  return [
    {
      complete: () => ({
        type: 'file_edited',
        file: toChangedFile(context, id, after),
        attributes: toAttributes(context, fields, {}),
      }),
    },
  ]
}

function reusableChange(context: ChangeContext, change: RecordChange<ReusableRecord>): PendingChange[] {
  const { id, before, after } = change
  if (before === null || after === null) {
    const type = before === null ? 'reusable_content_created' : 'reusable_content_deleted'
    return [{ complete: () => ({ type, reusableContent: toChangedReusable(context, id, latestOf(change)) }) }]
  }
  const fields = differingOfReusable(before, after, context.hasMetadata)
  if (fields.length === 0) return []
  const isEdited = before.document !== after.document
  return [
    {
      ...(isEdited ? { documents: { before: before.document, after: after.document } } : {}),
      complete: detail => ({
        type: 'reusable_content_edited',
        reusableContent: toChangedReusable(context, id, after),
        attributes: toAttributes(context, fields, detail),
      }),
    },
  ]
}

/** All variables are one change. */
function variableChanges(changes: readonly RecordChange<VariableRecord>[]): PendingChange[] {
  if (changes.length === 0) return []
  const variables = changes.map(({ id, before, after }) => [
    id,
    defined({ before: before ?? undefined, after: after ?? undefined }),
  ])
  return [whole({ type: 'variables_edited', variables: Object.fromEntries(variables) })]
}

const whole = (change: Change): PendingChange => ({ complete: () => change })
