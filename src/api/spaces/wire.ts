// A row of a space as the wire knows it.
import { allows, permissions, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { roleOnSpace } from '../../access/roles.ts'
import type { Urls } from '../../http/urls.ts'
import type { SpaceRow } from './rows.ts'
import { type GitSyncState, SPACE_PERMISSIONS, type Space } from './schema.ts'

/**
 * Who only visits an open space is not told how it is kept: no repository, no proposals, and no rules,
 * which name people.
 */
export function toSpace(urls: Urls, principal: Principal, row: SpaceRow): Space {
  const role = roleOnSpace(principal, row)
  return allows('space', 'access', role) ? toWhole(urls, role, row) : toVisited(urls, role, row)
}

const toVisited = (urls: Urls, role: RoleOn<'space'> | null, row: SpaceRow): Space =>
  toWhole(urls, role, {
    ...row,
    git: null,
    merge_rules: { type: 'inherit' },
    counts: { comments: 0, change_requests: 0, open: 0, draft: 0 },
  })

const toWhole = (urls: Urls, role: RoleOn<'space'> | null, row: SpaceRow): Space => ({
  object: 'space',
  id: row.id,
  title: row.title,
  emoji: row.emoji,
  visibility: row.visibility as Space['visibility'],
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at.toISOString() }),
  editMode: row.edit_mode as Space['editMode'],
  mergeRules: row.merge_rules as Space['mergeRules'],
  urls: {
    location: urls.api(`/spaces/${row.id}`),
    app: urls.space(row.id),
    ...publishedUrls(urls, row),
    ...(row.icon_url === null ? {} : { icon: row.icon_url }),
  },
  organization: row.organization_id,
  ...(row.parent_id === null ? {} : { parent: row.parent_id }),
  ...(row.language === null ? {} : { language: row.language as Space['language'] & {} }),
  ...(row.git === null ? {} : { gitSync: toGitSyncState(row.git) }),
  revision: row.revision_id,
  defaultLevel: row.default_level === 'none' ? null : (row.default_level as Space['defaultLevel']),
  comments: row.counts.comments,
  changeRequests: row.counts.change_requests,
  changeRequestsOpen: row.counts.open,
  changeRequestsDraft: row.counts.draft,
  permissions: permissions('space', role, SPACE_PERMISSIONS),
})

/** `published` once it is not private, `public` when anyone may read it: the same reader serves both. */
export const publishedUrls = (urls: Urls, row: { id: string; visibility: string }, path = '') => ({
  ...(row.visibility === 'private' ? {} : { published: urls.page(row.id, path) }),
  ...(row.visibility === 'public' ? { public: urls.page(row.id, path) } : {}),
})

export const toGitSyncState = (git: NonNullable<SpaceRow['git']>): GitSyncState => ({
  ...(git.repo_name === null ? {} : { repoName: git.repo_name }),
  ...(git.provider === null
    ? {}
    : { installationProvider: git.provider as GitSyncState['installationProvider'] & {} }),
  ...(git.url === null ? {} : { url: git.url }),
  updatedAt: new Date(git.updated_at).toISOString(),
})
