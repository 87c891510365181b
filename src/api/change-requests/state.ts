// The state of a change request: its merge base, whether it is outdated, and what it refuses once closed.
import { conflict } from '../../base/errors.ts'
import type { ChangeRequestRow } from './rows.ts'

/** The last revision of the space that it contains: the base of its next merge. */
export const mergeBaseOf = (
  row: Pick<ChangeRequestRow, 'revision_initial_id' | 'revision_merged_ancestor_id'>,
): string => row.revision_merged_ancestor_id ?? row.revision_initial_id

/** Merged change requests are never updated. */
export const isOutdated = (row: ChangeRequestRow): boolean =>
  row.status !== 'merged' && mergeBaseOf(row) !== row.space_revision_id

const CONTENT_IS_FINAL = 'its content is final. Open another for further changes.'

/** What a closed change request refuses, and the message. */
const REFUSALS = {
  edit: { merged: CONTENT_IS_FINAL, archived: 'Reopen it with PATCH {"status":"open"}, then edit it.' },
  merge: { merged: CONTENT_IS_FINAL, archived: 'Set its status to draft or open first.' },
  review: { merged: 'there is nothing left to judge.', archived: 'Open it again to review it.' },
} as const

/** Throws `conflict` unless it is a draft or open. */
export function requireOpen(
  { status }: Pick<ChangeRequestRow, 'status'>,
  purpose: keyof typeof REFUSALS,
): void {
  const { merged, archived } = REFUSALS[purpose]
  if (status === 'merged')
    throw conflict('change_request_merged', `This change request was merged: ${merged}`)
  if (status === 'archived')
    throw conflict('change_request_archived', `This change request is archived. ${archived}`)
}
