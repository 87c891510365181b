// Converts rows of operations to their wire format.
import type { Urls } from '../../http/urls.ts'
import { toUser } from '../accounts/wire.ts'
import type { OperationRow } from './rows.ts'
import type { GitSyncOperation } from './schema.ts'

export const toOperation = (urls: Urls, row: OperationRow): GitSyncOperation => ({
  object: 'git-sync-operation',
  id: row.id,
  state: row.state,
  direction: row.direction,
  stage: row.stage,
  dispatchedTasks: row.dispatched_tasks,
  completedTasks: row.completed_tasks,
  startedAt: row.started_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.completed_at === null ? {} : { completedAt: row.completed_at.toISOString() }),
  ...(row.error === null ? {} : { error: row.error }),
  ...(row.error_code === null ? {} : { errorCode: row.error_code }),
  ...(row.creator === null ? {} : { createdBy: toUser(urls, row.creator) }),
  ...(row.ref === '' ? {} : { url: row.url }),
  ref: row.ref,
  ...(row.layout === null ? {} : { layout: row.layout }),
  ...(row.commit_oid === null ? {} : { commit: row.commit_oid }),
  ...(row.revision_id === null ? {} : { revision: row.revision_id }),
  ...(row.change_request_id === null ? {} : { changeRequest: row.change_request_id }),
  skipped: row.is_skipped,
  problems: row.problems,
  urls: { location: urls.api(`/spaces/${row.space_id}/git/operations/${row.id}`) },
})
