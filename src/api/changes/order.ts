// The changes between two revisions in their order: pages in the reading order of the new tree, removed ones
// last, then files by name, reusable contents by title, and variables. Documents are not compared here: only of what is shown in the end.
import { defined } from '../../base/objects.ts'
import type { Diff, PageChange, RecordChange } from '../../engines/content/diff.ts'
import type { FileRecord, PageRecord, ReusableRecord, VariableRecord } from '../../engines/content/records.ts'
import { differingOfFile, differingOfPage, differingOfReusable } from './attributes.ts'
import type { DocumentPair } from './blocks.ts'
import { compareOrder, type PagePosition } from './page-positions.ts'
import type { Change, DocumentDetail } from './schema.ts'
import { type About, toAttributes, toChangedFile, toChangedPage, toChangedReusable } from './wire.ts'

/** One change, to be completed with the comparison of its `documents`, where it has some. */
export type Tellable = {
  readonly documents?: DocumentPair
  readonly tell: (detail: DocumentDetail) => Change
}

export type PagePositions = ReadonlyMap<string, PagePosition>

export const listChanges = (
  about: About,
  diff: Diff,
  before: PagePositions,
  after: PagePositions,
): Tellable[] => [
  ...pageChanges(about, diff.pages, before, after),
  ...byName(diff.files, file => file.name).flatMap(file => fileChange(about, file)),
  ...byName(diff.reusables, reusable => reusable.title).flatMap(reusable => reusableChange(about, reusable)),
  ...variableChanges(diff.variables),
]

/** By the present name, or the last one; the engine's order by id decides among equals. */
const byName = <T>(
  changes: readonly RecordChange<T>[],
  nameOf: (record: T) => string,
): readonly RecordChange<T>[] => {
  const name = ({ before, after }: RecordChange<T>): string => nameOf((after ?? before) as T)
  return changes.toSorted((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0))
}

function pageChanges(
  about: About,
  pages: readonly PageChange[],
  before: PagePositions,
  after: PagePositions,
): Tellable[] {
  const [gone, there] = [pages.filter(page => page.after === null), pages.filter(page => page.after !== null)]
  return [
    ...inOrder(there, after).flatMap(page => pageChange(about, page, before, after)),
    ...inOrder(gone, before).map(({ id }) =>
      toTellable({ type: 'page_deleted', page: toChangedPage(id, before) }),
    ),
  ]
}

const inOrder = (pages: readonly PageChange[], positions: PagePositions): PageChange[] =>
  pages.toSorted((a, b) => compareOrder(positions.get(a.id)?.order ?? [], positions.get(b.id)?.order ?? []))

function pageChange(
  about: About,
  change: PageChange,
  before: PagePositions,
  after: PagePositions,
): Tellable[] {
  const { id, move } = change
  const page = toChangedPage(id, after)
  if (change.kind === 'created') return [toTellable({ type: 'page_created', page })]
  const told: Tellable[] = []
  if (move !== null) {
    const parent = (seat: { parent: string | null }, positions: PagePositions) =>
      seat.parent === null ? undefined : toChangedPage(seat.parent, positions)
    told.push(
      toTellable({
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
  const [old, current] = [change.before as PageRecord, change.after as PageRecord]
  const fields = differingOfPage(old, current, about.hasMetadata)
  if (fields.length > 0) {
    told.push({
      ...(change.isEdited ? { documents: { before: old.document, after: current.document } } : {}),
      tell: detail => ({ type: 'page_edited', page, attributes: toAttributes(about, fields, detail) }),
    })
  }
  return told
}

function fileChange(about: About, { id, before, after }: RecordChange<FileRecord>): Tellable[] {
  if (before === null || after === null) {
    const type = before === null ? 'file_created' : 'file_deleted'
    return [{ tell: () => ({ type, file: toChangedFile(about, id, (after ?? before) as FileRecord) }) }]
  }
  const fields = differingOfFile(before, after, about.hasMetadata)
  if (fields.length === 0) return []
  return [
    {
      tell: () => ({
        type: 'file_edited',
        file: toChangedFile(about, id, after),
        attributes: toAttributes(about, fields, {}),
      }),
    },
  ]
}

function reusableChange(about: About, { id, before, after }: RecordChange<ReusableRecord>): Tellable[] {
  if (before === null || after === null) {
    const type = before === null ? 'reusable_content_created' : 'reusable_content_deleted'
    const record = (after ?? before) as ReusableRecord
    return [{ tell: () => ({ type, reusableContent: toChangedReusable(about, id, record) }) }]
  }
  const fields = differingOfReusable(before, after, about.hasMetadata)
  if (fields.length === 0) return []
  const isEdited = before.document !== after.document
  return [
    {
      ...(isEdited ? { documents: { before: before.document, after: after.document } } : {}),
      tell: detail => ({
        type: 'reusable_content_edited',
        reusableContent: toChangedReusable(about, id, after),
        attributes: toAttributes(about, fields, detail),
      }),
    },
  ]
}

/** All variables are one change. */
function variableChanges(changes: readonly RecordChange<VariableRecord>[]): Tellable[] {
  if (changes.length === 0) return []
  const variables = changes.map(({ id, before, after }) => [
    id,
    defined({ before: before ?? undefined, after: after ?? undefined }),
  ])
  return [toTellable({ type: 'variables_edited', variables: Object.fromEntries(variables) })]
}

const toTellable = (change: Change): Tellable => ({ tell: () => change })
