// The link of a space to a repository: whether what comes belongs to it or is old, and what it says once something came or
// went.
import { now } from '../../base/clock.ts'
import { type ImportRequest, repositoryName, type SyncRequest } from './request.ts'
import type { LinkRow } from './rows.ts'

/** An event that is older than the last one carried out brings nothing new. */
export const isOutdated = (request: SyncRequest | undefined, link: LinkRow | undefined): boolean =>
  request?.timestamp !== undefined &&
  !request.isForced &&
  link?.event_at != null &&
  request.timestamp < link.event_at

/** The commit was imported before. Edits that were made here since do not matter. */
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

/** Whether it is known what this repository had of the space. */
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
