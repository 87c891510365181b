// Converts rows of synchronized repositories to their wire format.
import type { Urls } from '../../http/urls.ts'
import type { SyncRow } from './rows.ts'
import type { GitSync } from './schema.ts'

export const HOOKS = '/git/hooks'

export const toGitSync = (urls: Urls, row: SyncRow): GitSync => ({
  object: 'git-sync',
  space: row.space_id,
  url: row.url,
  ref: row.ref,
  repoProjectDirectory: row.project_directory,
  pullEveryMinutes: row.pull_every_minutes,
  push: row.pushes,
  owner: row.owner_id,
  hook: urls.root(`${HOOKS}/${row.space_id}`),
  pulledAt: row.pulled_at?.toISOString() ?? null,
  pushedAt: row.pushed_at?.toISOString() ?? null,
  failure:
    row.error_code === null
      ? null
      : { code: row.error_code, message: row.error ?? '', count: Math.max(1, row.failures) },
  changeRequest: row.change_request_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: { location: urls.api(`/spaces/${row.space_id}/git/sync`) },
})
