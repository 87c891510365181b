// The wire of imports and exports of repositories. The public interface has no address for the progress of an
// operation; Octavo adds one, with a few more fields.
import { type Static, Type } from 'typebox'
import { FORMATS } from '../../engines/conversion/formats.ts'
import { ListOf, model, Nullable, named, OneOf, Paging, Timestamp, Url } from '../../http/list.ts'
import { User } from '../accounts/schema.ts'

export { GitSyncState } from '../spaces/schema.ts'
export const ListOperations = Paging

const URL_CHARACTERS_MAX = 2048
const REF_CHARACTERS_MAX = 250
const PATH_CHARACTERS_MAX = 1024
const MESSAGE_CHARACTERS_MAX = 5_000

const RepositoryUrl = Type.String({
  minLength: 1,
  maxLength: URL_CHARACTERS_MAX,
  description:
    'The address of the repository, over http or https. It may contain a user and a password or token, which are used for this operation and never stored.',
})
const Ref = (description: string) => Type.String({ minLength: 1, maxLength: REF_CHARACTERS_MAX, description })

/** Common fields of imports and exports. */
const Sync = {
  repoCacheID: Type.Optional(
    Type.String({
      maxLength: 250,
      description: 'Accepted for other clients; Octavo has one cache per space.',
    }),
  ),
  repoTreeURL: Type.Optional(
    Type.String({
      maxLength: URL_CHARACTERS_MAX,
      description:
        'Prefix of addresses of files in the repository. Accepted for other clients: no answer has such addresses.',
    }),
  ),
  repoCommitURL: Type.Optional(
    Type.String({
      maxLength: URL_CHARACTERS_MAX,
      description: 'Prefix of addresses of commits: the id of the commit is added.',
    }),
  ),
  repoProjectDirectory: Type.Optional(
    Type.String({
      maxLength: PATH_CHARACTERS_MAX,
      description: 'The directory of the documentation, for repositories that contain more.',
    }),
  ),
  gitInfo: Type.Optional(
    Type.Object({
      provider: Type.Optional(OneOf(['github', 'gitlab'])),
      url: Type.Optional(
        Type.String({ maxLength: URL_CHARACTERS_MAX, description: 'Where people see the repository.' }),
      ),
    }),
  ),
}

export const ImportGitRepository = model('ImportGitRepository', {
  url: RepositoryUrl,
  ref: Ref('What to import: `refs/heads/<branch>`.'),
  from: Type.Optional(
    OneOf(
      FORMATS,
      'Convert it from the layout of another tool. The space is then not connected with the repository, as after an import of an archive. Octavo extension.',
    ),
  ),
  ...Sync,
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'The time of the event that caused this import. An event older than the imported content is skipped.',
    }),
  ),
  force: Type.Optional(
    Type.Boolean({
      description:
        'Import even if this commit was imported already or the event is outdated. Where both sides changed something, the repository wins; a repository that has nothing in common with the space replaces its content.',
    }),
  ),
  standalone: Type.Optional(
    Type.Boolean({ description: 'Only make a revision; what readers see stays as it is.' }),
  ),
})
export type ImportGitRepository = Static<typeof ImportGitRepository>

export const ImportArchive = Type.Object({
  from: Type.Optional(OneOf(FORMATS, 'The layout of the archive; absent: as its files look.')),
  repoProjectDirectory: Type.Optional(
    Type.String({
      maxLength: PATH_CHARACTERS_MAX,
      description:
        'The directory of the documentation in the archive, without a folder that everything is in.',
    }),
  ),
  force: Type.Optional(
    Type.Boolean({ default: false, description: 'Replaces the content, whatever the space has.' }),
  ),
})

export const ExportToGitRepository = model('ExportToGitRepository', {
  url: RepositoryUrl,
  ref: Ref('The branch to write to: `refs/heads/<branch>`. It is made where it is not there.'),
  commitMessage: Type.String({
    minLength: 1,
    maxLength: MESSAGE_CHARACTERS_MAX,
    description: 'The commit message.',
  }),
  ...Sync,
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'The time of the event that caused this export. An event older than the synchronized content is skipped.',
    }),
  ),
  force: Type.Optional(
    Type.Boolean({
      description:
        'Export even if the event is outdated. Where the repository and the space both changed something, the space wins; files unknown to the space are overwritten. The history of the repository stays.',
    }),
  ),
})
export type ExportToGitRepository = Static<typeof ExportToGitRepository>

export const CheckGitExport = Type.Object({
  url: RepositoryUrl,
  ref: Ref('The branch to write to: `refs/heads/<branch>`.'),
  repoProjectDirectory: Sync.repoProjectDirectory,
  force: Type.Optional(Type.Boolean({ description: 'As for the export.' })),
})
export type CheckGitExport = Static<typeof CheckGitExport>

export const STAGES = ['repo_fetch', 'config_check', 'content_process', 'finalize'] as const
export type Stage = (typeof STAGES)[number]

/** `gitbook`: GitBook's own, and other Markdown, which are read as they are. */
export const LAYOUTS = ['gitbook', ...FORMATS] as const
export type Layout = (typeof LAYOUTS)[number]

const GitProblem = model('GitProblem', {
  code: Type.String({ description: 'Stable.' }),
  message: Type.String({ description: 'In English.' }),
  values: Type.Optional(
    Type.Object(
      {
        line: Type.Optional(Type.Integer({ minimum: 1 })),
        name: Type.Optional(Type.String({ description: 'Of a key, a variable, a component or a path.' })),
        max: Type.Optional(Type.Integer({ description: 'The most there may be.' })),
        count: Type.Optional(Type.Integer({ description: 'How many there are.' })),
        reason: Type.Optional(
          Type.String({ description: 'Which of several things it is, where a code has several. Stable.' }),
        ),
        detail: Type.Optional(Type.String({ description: 'What a parser says, in English.' })),
      },
      { description: 'What the message says besides its words, to say it in another language.' },
    ),
  ),
  file: Type.Optional(Type.String({ description: 'Its path from the root of the documentation.' })),
  page: Type.Optional(
    Type.String({
      description: 'The page that it is about. It stays the same when the page or its file is renamed.',
    }),
  ),
})

export const GitSyncOperation = model('GitSyncOperation', {
  object: OneOf(['git-sync-operation']),
  id: Type.String(),
  state: OneOf(['running', 'failure', 'success']),
  direction: OneOf(['import', 'export']),
  stage: OneOf(STAGES),
  dispatchedTasks: Type.Integer({
    minimum: 0,
    description: 'Tasks in this stage, as far as known.',
  }),
  completedTasks: Type.Integer({ minimum: 0, description: 'How many of them are done.' }),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  completedAt: Type.Optional(Timestamp),
  error: Type.Optional(Type.String({ description: 'Why it failed, and what to do.' })),
  errorCode: Type.Optional(Type.String({ description: 'The same for programs.' })),
  createdBy: Type.Optional(User),
  url: Type.Optional(
    Type.String({
      description: 'The repository, without user and password; absent for an archive or a folder.',
    }),
  ),
  ref: Type.String(),
  layout: Type.Optional(
    OneOf(
      LAYOUTS,
      'The layout that an archive or a folder was read as; `gitbook` also for Markdown in no known layout. Absent for repositories.',
    ),
  ),
  commit: Type.Optional(Type.String({ description: 'The commit that was read or written.' })),
  revision: Type.Optional(
    Type.String({ description: 'The revision that it made, or the head if nothing changed.' }),
  ),
  changeRequest: Type.Optional(
    Type.String({
      description: 'The change request that the import opened instead of changing the space.',
    }),
  ),
  skipped: Type.Boolean({
    description:
      'Nothing had to be done: the event was outdated, or the space has what the commit has, or something later.',
  }),
  problems: Type.Array(GitProblem, {
    description: 'Problems that did not stop it, or what an operation failed on, where that has names.',
  }),
  urls: Type.Object({ location: Url }),
})
export type GitSyncOperation = Static<typeof GitSyncOperation>
export const GitSyncOperations = named('GitSyncOperations', ListOf(GitSyncOperation))

const ExportedFiles = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0 }),
      paths: Type.Array(Type.String(), { description: 'From the top of the repository; the first of them.' }),
    },
    { description },
  )

export const GitExportCheck = model('GitExportCheck', {
  object: OneOf(['git-export-check']),
  url: Type.String({ description: 'The address of the repository, without user and password.' }),
  ref: Type.String({ description: 'The branch, by its full name.' }),
  isNewBranch: Type.Boolean({
    description: 'It is not there, and is made on top of the default branch of the repository.',
  }),
  isEmpty: Type.Boolean({ description: 'The repository has no commit yet.' }),
  hasNews: Type.Boolean({
    description:
      'The branch has commits that come into the space first. What is written then is what the space has changed beside them.',
  }),
  writes: ExportedFiles('Files that are new or change.'),
  removes: ExportedFiles('Files that go.'),
  errorCode: Type.Optional(
    OneOf(['export_conflicts', 'change_request_open'], 'Why the export would end without writing anything.'),
  ),
  problems: Type.Array(GitProblem),
})
export type GitExportCheck = Static<typeof GitExportCheck>

export const BRANCHES_MAX = 1_000

export const ProbeRepository = Type.Object({
  repositoryUrl: RepositoryUrl,
  ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: REF_CHARACTERS_MAX,
      description: 'The branch to look at: `refs/heads/<branch>`. Absent: the default branch.',
    }),
  ),
  root: Type.Optional(
    Type.String({
      maxLength: PATH_CHARACTERS_MAX,
      description: 'The directory of the documentation, with `deep`. Absent: where it seems to be.',
    }),
  ),
  credentials: Type.Optional(
    Type.Object(
      {
        username: Type.Optional(Type.String({ maxLength: 250 })),
        password: Type.String({ minLength: 1, maxLength: 1024 }),
      },
      {
        description:
          'Instead of a user and a password or token in the address. They are used for this call and never stored.',
      },
    ),
  ),
  deep: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also fetch the branch, and answer what an import would make of it, in `content`.',
    }),
  ),
})
export type ProbeRepository = Static<typeof ProbeRepository>

export const GitProbe = model('GitProbe', {
  object: OneOf(['git-probe']),
  url: Type.String({ description: 'The address of the repository, without user and password.' }),
  defaultBranch: Nullable(
    Type.String({ description: 'Its full name; null where the repository names none that is there.' }),
  ),
  branches: Type.Array(Type.String(), {
    description: `Full names of branches, the default one first; at most ${BRANCHES_MAX}.`,
  }),
  hasMoreBranches: Type.Boolean(),
  ref: Type.String({ description: 'The full name of what was looked at.' }),
  commit: Type.String(),
  content: Type.Optional(
    Type.Object(
      {
        root: Type.String({ description: 'The directory that was looked at; empty for the top.' }),
        roots: Type.Optional(
          Type.Array(
            Type.Object({
              path: Type.String(),
              markdownFiles: Type.Integer({ minimum: 0, description: 'Below this directory.' }),
            }),
            {
              description:
                'Directories that may hold the documentation, the likeliest first. Absent where the request names one.',
            },
          ),
        ),
        layout: OneOf(
          LAYOUTS,
          'The layout that it is in; any other than `gitbook` is converted where an import names it in `from`.',
        ),
        pages: Type.Integer({
          minimum: 0,
          description: 'Those that are written: groups, links and computed pages are none.',
        }),
        files: Type.Integer({ minimum: 0 }),
        problems: Type.Array(GitProblem, { description: 'Those that an import would have.' }),
      },
      { description: 'With `deep`.' },
    ),
  ),
})
export type GitProbe = Static<typeof GitProbe>
