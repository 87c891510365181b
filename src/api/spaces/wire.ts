// Converts rows of spaces to their wire format.
import { allows, permissions, type RoleOn } from '../../access/policy.ts'
import type { Urls } from '../../http/urls.ts'
import type { SpaceCounts, SpaceRow } from './rows.ts'
import { type GitSyncState, SPACE_PERMISSIONS, type Space } from './schema.ts'

/**
 * Visitors of an open space do not see how it is maintained: no repository, no change requests, and no rules,
 * which name people.
 */
export const toSpace = (
  urls: Urls,
  role: RoleOn<'space'> | null,
  row: SpaceRow,
  counts: SpaceCounts = NOTHING_COUNTED,
): Space =>
  allows('space', 'access', role)
    ? toWhole(urls, role, row, counts)
    : toWhole(urls, role, { ...row, git: null, merge_rules: { type: 'inherit' } }, NOTHING_COUNTED)

/** For a space without change requests and comments. */
const NOTHING_COUNTED: SpaceCounts = { comments: 0, change_requests: 0, open: 0, draft: 0 }

const toWhole = (urls: Urls, role: RoleOn<'space'> | null, row: SpaceRow, counts: SpaceCounts): Space => ({
  object: 'space',
  id: row.id,
  title: row.title,
  emoji: row.emoji,
  visibility: row.visibility,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at.toISOString() }),
  editMode: row.edit_mode,
  mergeRules: row.merge_rules,
  urls: {
    location: urls.api(`/spaces/${row.id}`),
    app: urls.space(row.id),
    ...publishedUrls(urls, row),
    ...(row.icon_url === null ? {} : { icon: row.icon_url }),
  },
  organization: row.organization_id,
  ...(row.parent_id === null ? {} : { parent: row.parent_id }),
  ...(row.language === null ? {} : { language: row.language }),
  searchScope: row.search_scope,
  ...(row.git === null ? {} : { gitSync: toGitSyncState(row.git) }),
  revision: row.revision_id,
  defaultLevel: row.default_level === 'none' ? null : row.default_level,
  ...(row.visibility === 'visitor-auth' ? { visitorAuth: { backend: 'custom' as const } } : {}),
  comments: counts.comments,
  changeRequests: counts.change_requests,
  changeRequestsOpen: counts.open,
  changeRequestsDraft: counts.draft,
  permissions: permissions('space', role, SPACE_PERMISSIONS),
})

/** `published` once it is not private, `public` when anyone may read it: the same reader serves both. */
export const publishedUrls = (urls: Urls, row: { id: string; visibility: string }) => ({
  ...(row.visibility === 'private' ? {} : { published: urls.page(row.id, '') }),
  ...(row.visibility === 'public' ? { public: urls.page(row.id, '') } : {}),
})

/** A published address that a share link opens. */
export const withKey = (published: string, shareKey: string): string =>
  `${published}?shareKey=${encodeURIComponent(shareKey)}`

export const toGitSyncState = (git: NonNullable<SpaceRow['git']>): GitSyncState => ({
  ...(git.repo_name === null ? {} : { repoName: git.repo_name }),
  ...(git.provider === null ? {} : { installationProvider: git.provider }),
  ...(git.url === null ? {} : { url: git.url }),
  updatedAt: new Date(git.updated_at).toISOString(),
})
