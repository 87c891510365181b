// The link of a space to a repository: whether a commit or an event belongs to it and is new, and the link after an
// import or export.
import { now } from '../../base/clock.ts'
import { type ImportRequest, repositoryName, type SyncRequest } from './request.ts'
import type { LinkRow } from './rows.ts'

/** Whether the event is older than the last processed one. */
export const isOutdated = (request: SyncRequest | undefined, link: LinkRow | undefined): boolean =>
  request?.timestamp !== undefined &&
  !request.isForced &&
  link?.event_at != null &&
  request.timestamp < link.event_at

/** Whether the commit was imported before. Edits in the space since then do not matter. */
export const isImported = (
  request: ImportRequest | undefined,
  link: LinkRow | undefined,
  commit: { readonly oid: string } | undefined,
): boolean =>
  request !== undefined &&
  !request.isForced &&
  !request.isStandalone &&
  commit !== undefined &&
  link !== undefined &&
  link.commit_oid === commit.oid &&
  link.revision_id !== null &&
  isSameRepository(request, link)

export const isSameRepository = (request: SyncRequest, link: LinkRow): boolean =>
  link.repo_name === repositoryName(request.remote) &&
  link.ref === request.ref &&
  link.project_directory === request.projectDirectory

/** Whether the space was imported from or exported to this repository before. */
export const isKnown = (
  request: SyncRequest | undefined,
  link: LinkRow | undefined,
): link is LinkRow & { readonly revision_id: string } =>
  request !== undefined && link?.revision_id != null && isSameRepository(request, link)

export const toLink = (
  spaceId: string,
  request: SyncRequest,
  commit: string | undefined,
  revisionId: string,
  before: LinkRow | undefined,
) => ({
  space_id: spaceId,
  provider: request.provider ?? null,
  url: request.url,
  repo_name: repositoryName(request.remote),
  ref: request.ref,
  project_directory: request.projectDirectory,
  commit_oid: commit ?? null,
  revision_id: revisionId,
  event_at: latest(before?.event_at ?? undefined, request.timestamp),
  updated_at: now(),
})

const latest = (a: Date | undefined, b: Date | undefined): Date | null =>
  a === undefined ? (b ?? null) : b === undefined || a > b ? a : b
