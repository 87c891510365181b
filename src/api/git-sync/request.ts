// Checks requests for imports and exports. After this no URL contains a password.
import { invalid } from '../../base/errors.ts'
import { resolvePath } from '../../base/paths.ts'
import { replaceUnstorable } from '../../platform/db/text.ts'
import { fullRef, parseRemote, type Remote } from '../../platform/git/remote.ts'
import type { RevisionGit } from '../spaces/revisions.ts'
import type { ExportToGitRepository, ImportGitRepository } from './schema.ts'

type SyncBody = Omit<ExportToGitRepository, 'commitMessage'>

/** The common part of requests for imports and exports. */
export type SyncRequest = {
  /** Its credentials are only in memory, and only as long as the operation runs. */
  readonly remote: Remote
  /** Its full name. */
  readonly ref: string
  /** '' is the top of the repository. */
  readonly projectDirectory: string
  readonly commitUrl?: string
  readonly timestamp?: Date
  readonly isForced: boolean
  readonly provider?: string
  /** Where people see the repository. */
  readonly url: string
}

export type ImportRequest = SyncRequest & { readonly isStandalone: boolean }

export type ExportRequest = SyncRequest & { readonly message: string }

/**
 * @throws Failure invalid: `git_url_invalid`, `git_ref_invalid`, `project_directory_invalid`, `url_invalid`,
 * `timestamp_invalid`, `standalone_converted`. No message repeats a URL.
 */
export function readImportRequest(body: ImportGitRepository): ImportRequest {
  const isStandalone = body.standalone ?? false
  if (isStandalone && body.from !== undefined)
    throw invalid(
      'standalone_converted',
      'body.from: an import that is converted has no standalone revision. Leave one of the two out.',
    )
  return { ...readSyncRequest(body), isStandalone }
}

/** @throws Failure invalid: the same, and `git_branch_required` for a ref that is not a branch. */
export function readExportRequest(body: ExportToGitRepository): ExportRequest {
  const request = readSyncRequest(body)
  if (!request.ref.startsWith('refs/heads/'))
    throw invalid('git_branch_required', 'body.ref: an export needs a branch, like refs/heads/main.')
  return { ...request, message: replaceUnstorable(body.commitMessage) }
}

function readSyncRequest(body: SyncBody): SyncRequest {
  const remote = parseRemote(body.url)
  const commitUrl = readUrl('repoCommitURL', body.repoCommitURL)
  // Checked although no answer shows it, so that an invalid value is refused when it is sent.
  readUrl('repoTreeURL', body.repoTreeURL)
  const timestamp = body.timestamp === undefined ? undefined : new Date(body.timestamp)
  if (timestamp !== undefined && Number.isNaN(timestamp.getTime()))
    throw invalid(
      'timestamp_invalid',
      'body.timestamp: this is not a date and time; write it like 2030-01-31T12:00:00Z.',
    )
  const provider = body.gitInfo?.provider
  return {
    remote,
    ref: fullRef(body.ref),
    projectDirectory: readDirectory(body.repoProjectDirectory ?? ''),
    isForced: body.force ?? false,
    url: readUrl('gitInfo.url', body.gitInfo?.url) ?? remote.url,
    ...(commitUrl === undefined ? {} : { commitUrl }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(provider === undefined ? {} : { provider }),
  }
}

/** A directory of a repository without slashes around it. */
export function readDirectory(path: string): string {
  const directory =
    /[\u0000-\u001f\u007f\\]/.test(path) || !path.isWellFormed() ? undefined : resolvePath('', path)
  if (directory !== undefined) return directory
  throw invalid(
    'project_directory_invalid',
    'repoProjectDirectory: this leads out of the repository or folder. Give a directory in it, like docs.',
  )
}

/** URLs that become links for people: http or https, without credentials. */
function readUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid(
      'url_invalid',
      `body.${name}: this has to be an address that begins with http:// or https://.`,
    )
  if (url.username !== '' || url.password !== '')
    throw invalid('url_invalid', `body.${name}: leave user and password out. Others are shown this address.`)
  return url.href
}

/** The name that people use: `acme/docs` for `https://host/acme/docs.git`. */
export const repositoryName = (remote: Remote): string =>
  new URL(remote.url).pathname.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/, '') || remote.host

/** What a repository is recognized by: its host and path, whatever the scheme, the user and the ending of the URL. */
export function repositoryAddress({ url }: Remote): string {
  const { host, pathname } = new URL(url)
  return (
    host +
    pathname
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\.git$/, '')
      .replace(/(?<!\/)\/+$/, '')
  )
}

/** The commit of a revision. `commitUrl` is the prefix of the addresses of commits. */
export const toRevisionGit = (
  { ref, commitUrl }: Pick<SyncRequest, 'ref' | 'commitUrl'>,
  commit: Pick<RevisionGit, 'oid' | 'message' | 'createdByGitBook' | 'author'>,
): RevisionGit => ({
  ...commit,
  ...(commitUrl === undefined ? {} : { url: `${commitUrl.replace(/(?<!\/)\/+$/, '')}/${commit.oid}` }),
  ref,
})
