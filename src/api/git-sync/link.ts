// What a space has in common with a repository: whether a commit or an event is new to it, and what is recorded after an
// import or export. The link is the repository that the space shows; a tip is the last state of each branch that it met.
import { now } from '../../base/clock.ts'
import { type ImportRequest, repositoryAddress, repositoryName, type SyncRequest } from './request.ts'
import { FOLDERS, type Place, type TipRow } from './tips.ts'

/** Folders and archives share one place: each is a later state of the one before. */
export const placeOf = (request: SyncRequest | undefined): Place =>
  request === undefined
    ? FOLDERS
    : {
        address: repositoryAddress(request.remote),
        ref: request.ref,
        projectDirectory: request.projectDirectory,
      }

/** Whether the event is older than the last processed one. */
export const isOutdated = (request: SyncRequest | undefined, tip: TipRow | undefined): boolean =>
  request?.timestamp !== undefined &&
  !request.isForced &&
  tip?.event_at != null &&
  request.timestamp < tip.event_at

/** Whether the commit was imported before. Edits in the space since then do not matter. */
export const isImported = (
  request: ImportRequest | undefined,
  tip: TipRow | undefined,
  commit: { readonly oid: string } | undefined,
): boolean =>
  request !== undefined &&
  !request.isForced &&
  !request.isStandalone &&
  commit !== undefined &&
  isUsable(tip) &&
  tip.commit_oid === commit.oid

/** Whether later states of its place are merged from this one. */
export const isUsable = (tip: TipRow | undefined): tip is TipRow => tip !== undefined && !tip.is_forgotten

export const toLink = (
  spaceId: string,
  request: SyncRequest,
  commit: string | undefined,
  revisionId: string,
  before: TipRow | undefined,
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

export const toTip = (
  spaceId: string,
  request: SyncRequest | undefined,
  commit: string | undefined,
  revisionId: string,
  before: TipRow | undefined,
) => {
  const { address, ref, projectDirectory } = placeOf(request)
  return {
    ...{ space_id: spaceId, address, ref, project_directory: projectDirectory },
    commit_oid: commit ?? null,
    revision_id: revisionId,
    event_at: latest(before?.event_at ?? undefined, request?.timestamp),
    change_request_id: null,
    is_forgotten: false,
    updated_at: now(),
  }
}

const latest = (a: Date | undefined, b: Date | undefined): Date | null =>
  a === undefined ? (b ?? null) : b === undefined || a > b ? a : b
