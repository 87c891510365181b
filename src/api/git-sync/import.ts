// Importing: a commit or a folder becomes the head of a space, or the space stays as it is.
//
// Reading and planning happen outside of any transaction, against the head as it was; publishing checks that it still
// is, and else the import plans again. The operation's row, the link to the repository and the new head become visible
// in one transaction, so none of them ever tells a story of its own.
import { now } from '../../base/clock.ts'
import { conflict, Failure, missing, throttled } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/open.ts'
import { folderTree } from '../../platform/folder-tree.ts'
import { awaitTurn, turnOfSpace } from '../../platform/turns.ts'
import { keepRevision, publish } from '../content/publish.ts'
import { findRevision, type RevisionGit, type RevisionRow } from '../spaces/head.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import { type ImportPlan, type Problem, planImport } from './layout.ts'
import { mergeIn } from './merge-in.ts'
import { beginOperation, INTERRUPTED, type Progress, type RunningOperation } from './operation.ts'
import { commitAddress, type ImportRequest, readImportRequest, repositoryName } from './request.ts'
import { countRunning, findLink, forgetSync, type LinkRow, upsertLink } from './rows.ts'
import type { ImportGitRepository } from './schema.ts'
import { createSource, listEntries, type OpenedTree, openRepository } from './sources.ts'

export { markInterrupted } from './operation.ts'

export type ImportOutcome = {
  readonly operationId: string
  /** The revision it made, or the head where nothing had changed. */
  readonly revisionId: string
  readonly commit: string | undefined
  readonly isChanged: boolean
  /** Nothing had to be read: the event was an old one, or the commit was imported already. */
  readonly isSkipped: boolean
  /** In the space as it is now. */
  readonly pages: number
  readonly files: number
  readonly problems: readonly Problem[]
}

/** An import as it is carried out, wherever it comes from. */
type Job = {
  readonly spaceId: string
  readonly createdBy: string | null
  readonly projectDirectory: string
  /** Absent for a folder, which leaves no link and no commit behind. */
  readonly request?: ImportRequest
  open(signal: AbortSignal, onProgress: (dispatched: number, completed: number) => void): Promise<OpenedTree>
}

/**
 * Checks the request, writes the operation down and starts it; answers the operation's id. The import goes on in this
 * process after the answer, because its credentials may not be written anywhere.
 */
export async function startImport(
  services: Services,
  space: SpaceRow,
  createdBy: string,
  body: ImportGitRepository,
): Promise<string> {
  const request = readImportRequest(body)
  if ((await countRunning(services.db, space.id)) >= WAITING_MAX) {
    throw throttled('Too many imports of this space are waiting. Try again when some of them are done.')
  }
  const job = repositoryJob(services, space.id, createdBy, request)
  const operation = await beginOperation(services, {
    spaceId: space.id,
    url: request.remote.url,
    ref: request.ref,
    createdBy,
  })
  // How it failed stands in its row; there is nobody else to tell.
  carryOut(services, job, operation).catch(() => {})
  return operation.id
}

// Every one holds its credentials in memory until its turn.
const WAITING_MAX = 20

/** The same, waited for: for the command line. `ref` is the remote's default branch when absent. */
export async function importRepository(
  services: Services,
  options: {
    readonly spaceId: string
    readonly url: string
    readonly ref?: string | undefined
    readonly projectDirectory?: string
    readonly createdBy: string | null
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: Progress) => void
  },
): Promise<ImportOutcome> {
  const { spaceId, createdBy, projectDirectory, signal } = options
  const request = readImportRequest({
    url: options.url,
    ref: options.ref ?? 'HEAD',
    ...(projectDirectory === undefined ? {} : { repoProjectDirectory: projectDirectory }),
  })
  const operation = await beginOperation(
    services,
    { spaceId, url: request.remote.url, ref: request.ref, createdBy },
    options.onProgress,
  )
  return carryOut(services, repositoryJob(services, spaceId, createdBy, request), operation, signal)
}

/** A folder of this machine, read as if it were the top of a repository. `folder` is absolute. */
export async function importFolder(
  services: Services,
  options: {
    readonly spaceId: string
    readonly folder: string
    readonly createdBy: string | null
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: Progress) => void
  },
): Promise<ImportOutcome> {
  const { spaceId, folder, createdBy } = options
  const operation = await beginOperation(
    services,
    { spaceId, url: FOLDER_URL, ref: '', createdBy },
    options.onProgress,
  )
  const job: Job = {
    spaceId,
    createdBy,
    projectDirectory: '',
    open: async () => ({ tree: await folderTree(folder), madeAt: now().toISOString() }),
  }
  return carryOut(services, job, operation, options.signal)
}

// Where it lies is nobody's business but the operator's.
const FOLDER_URL = 'file:'

const repositoryJob = (
  services: Services,
  spaceId: string,
  createdBy: string | null,
  request: ImportRequest,
): Job => ({
  spaceId,
  createdBy,
  projectDirectory: request.projectDirectory,
  request,
  open: (signal, onProgress) => openRepository(services, spaceId, request, signal, onProgress),
})

/**
 * Carries an operation to its end and writes down how it ended; rejects with what it failed with. Imports of one space
 * take turns, because they share the cache of its repository and would only overtake each other.
 */
const carryOut = (
  services: Services,
  job: Job,
  operation: RunningOperation,
  abort?: AbortSignal,
): Promise<ImportOutcome> =>
  new Promise((resolve, reject) => {
    services.tasks.start(`git:${job.spaceId}`, async stop => {
      const signal = abort === undefined ? stop : AbortSignal.any([stop, abort])
      try {
        signal.throwIfAborted()
        const outcome = await run(services, job, operation, signal)
        await operation.stopReporting()
        resolve(outcome)
      } catch (error) {
        await operation.stopReporting()
        const failure = toFailure(services, error, operation.id, signal)
        try {
          await operation.recordFailure(failure.code, failure.message)
        } finally {
          reject(failure)
        }
      }
    })
  })

function toFailure(services: Services, error: unknown, operation: string, signal: AbortSignal): Failure {
  if (signal.aborted) return new Failure('unavailable', 'interrupted', INTERRUPTED, error)
  if (error instanceof Failure) {
    services.log.info({ operation, code: error.code, err: error.cause }, 'an import failed')
    return error
  }
  services.log.error({ err: error, operation }, 'bug')
  const message = 'Something went wrong on our side. The space is as it was; the log of the server has more.'
  return new Failure('unavailable', 'internal', message, error)
}

async function run(
  services: Services,
  job: Job,
  operation: RunningOperation,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { request } = job
  const link = await findLink(services.db, job.spaceId)
  if (isOutdated(request, link)) return skip(services, job, operation, undefined)
  warmUp(services, job.spaceId)
  const opened = await job.open(signal, (dispatched, completed) =>
    operation.report('repo_fetch', dispatched, completed),
  )
  if (isImported(request, link, opened)) return skip(services, job, operation, opened.commit?.oid)
  operation.report('config_check', 0, 0)
  const filesMax = services.config.repositoryFilesMax
  const entries = await listEntries(opened.tree, job.projectDirectory, filesMax, signal)
  const source = createSource(services, job.spaceId, opened.tree, entries, signal)
  const carry = async (): Promise<ImportOutcome> => {
    const head = await getHead(services, job.spaceId)
    const synced = await findSynced(services, job, link, head)
    const plan = await planImport(source, await services.contents.get(synced.root), {
      projectDirectory: job.projectDirectory,
      committedAt: opened.madeAt,
      newId,
      fileBytesMax: services.config.fileBytesMax,
      onProgress: (dispatched, completed) => operation.report('content_process', dispatched, completed),
    })
    signal.throwIfAborted()
    operation.report('finalize', 1, 0)
    return carryIn(services, job, operation, { head, synced, plan, opened, link })
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Reading a commit takes long, so it holds nobody up; but who was overtaken once lets the others of this process
      // wait, or live edits would overtake it for ever.
      return await (attempt === 1 ? carry() : awaitTurn(turnOfSpace(job.spaceId), carry))
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'head_moved') throw error
      if (attempt === ATTEMPTS_MAX) throw tooBusy(error)
    }
  }
}

/** Reads what the plan will compare with while the commit is on its way; the plan itself asks again. */
const warmUp = (services: Services, spaceId: string): void => {
  getHead(services, spaceId)
    .then(head => services.contents.get(head.root_hash.toString('hex')))
    .catch(() => {})
}

// Somebody who edits a space without a pause is more likely than three unlucky moments.
const ATTEMPTS_MAX = 3

const tooBusy = (cause: Failure) =>
  conflict('head_moved', 'The space was changed again and again while it was imported. Import again.', cause)

/** An event that is older than the last one carried out tells nothing new (api-facts §8-63). */
const isOutdated = (request: ImportRequest | undefined, link: LinkRow | undefined): boolean =>
  request?.timestamp !== undefined &&
  !request.isForced &&
  link?.event_at != null &&
  request.timestamp < link.event_at

/** The commit came in already; what was edited here since is no business of the repository. */
const isImported = (
  request: ImportRequest | undefined,
  link: LinkRow | undefined,
  { commit }: OpenedTree,
): boolean =>
  request !== undefined &&
  !request.isForced &&
  !request.isStandalone &&
  commit !== undefined &&
  link?.commit_oid === commit.oid &&
  link.revision_id !== null &&
  isSameRepository(request, link)

const isSameRepository = (request: ImportRequest, link: LinkRow): boolean =>
  link.repo_name === repositoryName(request.remote) &&
  link.ref === request.ref &&
  link.project_directory === request.projectDirectory

/**
 * The revision that holds what the repository had when it last came in: the common ancestor of what was changed there
 * and what was changed here (content-store §6). Without one, for a first import, the repository is the truth.
 */
async function findSynced(
  { db }: Pick<Services, 'db'>,
  { spaceId, request }: Job,
  link: LinkRow | undefined,
  head: SpaceRow,
): Promise<Synced> {
  const isKnown = request !== undefined && link?.revision_id != null && isSameRepository(request, link)
  const row =
    isKnown && link.revision_id !== null && link.revision_id !== head.revision_id
      ? await findRevision(db, spaceId, link.revision_id)
      : undefined
  return row === undefined
    ? { revisionId: head.revision_id, root: head.root_hash.toString('hex') }
    : { revisionId: row.id, root: row.root_hash.toString('hex') }
}

async function getHead({ db }: Pick<Services, 'db'>, spaceId: string): Promise<SpaceRow> {
  const space = await findSpace(db, spaceId)
  if (space === undefined || space.deleted_at !== null) throw missing('space')
  return space
}

async function skip(
  services: Services,
  job: Job,
  operation: RunningOperation,
  commit: string | undefined,
): Promise<ImportOutcome> {
  const head = await getHead(services, job.spaceId)
  const ending = { revisionId: head.revision_id, commit, isSkipped: true, problems: [] }
  await services.transaction(trx => operation.recordSuccess(trx, ending))
  const { pages, files } = await services.contents.get(head.root_hash.toString('hex'))
  return { ...ending, operationId: operation.id, isChanged: false, pages: pages.size, files: files.size }
}

/** A revision that edits are made from. */
type Synced = { readonly revisionId: string; readonly root: Hash }

/** Publishes the plan; the link and the operation are written by the same transaction. */
async function carryIn(
  services: Services,
  job: Job,
  operation: RunningOperation,
  {
    head,
    synced,
    plan,
    opened,
    link,
  }: {
    head: SpaceRow
    synced: Synced
    plan: ImportPlan
    opened: OpenedTree
    link: LinkRow | undefined
  },
): Promise<ImportOutcome> {
  const { request } = job
  const commit = opened.commit?.oid
  const git = toRevisionGit(request, opened)
  const finish = async (trx: Trx, revisionId: string, syncedId: string) => {
    if (request === undefined) await forgetSync(trx, job.spaceId)
    else if (!request.isStandalone)
      await upsertLink(trx, toLink(job.spaceId, request, commit, syncedId, link))
    operation.complete()
    await operation.recordSuccess(trx, { revisionId, commit, isSkipped: false, problems: plan.problems })
  }
  const making = {
    spaceId: job.spaceId,
    base: synced,
    type: 'edits',
    createdBy: job.createdBy,
    ...(git === undefined ? {} : { git }),
  } as const
  const publication = { ...making, edits: plan.edits, documents: plan.documents }
  const alongside = (trx: Trx, { id }: RevisionRow) => finish(trx, id, id)
  let revision: RevisionRow | undefined
  if (request?.isStandalone === true) {
    revision = (await keepRevision(services, { ...publication, alongside })).revision
  } else if (synced.revisionId === head.revision_id) {
    revision = (await publish(services, { ...publication, alongside })).revision
    if (revision === undefined)
      await services.transaction(trx => finish(trx, head.revision_id, head.revision_id))
  } else {
    revision = await mergeIn(services, { head, making, plan, isForced: request?.isForced ?? false, finish })
  }
  return {
    operationId: operation.id,
    revisionId: revision?.id ?? head.revision_id,
    commit,
    isChanged: revision !== undefined,
    isSkipped: false,
    pages: plan.pages,
    files: plan.files,
    problems: plan.problems,
  }
}

function toRevisionGit(request: ImportRequest | undefined, { commit }: OpenedTree): RevisionGit | undefined {
  if (request === undefined || commit === undefined) return undefined
  const { commitUrl, ref } = request
  return {
    oid: commit.oid,
    message: toText(commit.message),
    createdByGitBook: false,
    ...(commitUrl === undefined ? {} : { url: commitAddress(commitUrl, commit.oid) }),
    ref,
  }
}

// It goes along with every answer about the revision; git allows any length.
const MESSAGE_CHARACTERS_MAX = 5_000

/** PostgreSQL keeps no NUL and no half characters; everything else of a message stays. */
const toText = (message: string): string =>
  message.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed().replaceAll('\u0000', '\ufffd')

const toLink = (
  spaceId: string,
  request: ImportRequest,
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
