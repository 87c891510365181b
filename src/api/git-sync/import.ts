// Imports of a repository, a folder or an archive, from the request to the end. The transaction that publishes the
// content marks the operation as done.
import { now } from '../../base/clock.ts'
import { throttled } from '../../base/errors.ts'
import type { Format } from '../../engines/conversion/formats.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { TreeSource } from '../../platform/tree-source.ts'
import { folderTree } from '../../platform/trees/folder-tree.ts'
import { subtree } from '../../platform/trees/subtree.ts'
import { getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import type { SentArchive } from './archives.ts'
import { convertTree } from './convert.ts'
import { awaitHistories } from './history.ts'
import { type ImportInput, type ImportResult, importTree, type TreeImport } from './import-tree.ts'
import { countWritten } from './layout.ts'
import { isImported, isOutdated, isUsable, placeOf, toLink, toTip } from './link.ts'
import type { KeepChangeRequest } from './merge-in.ts'
import { OpenedArchive } from './opened-archive.ts'
import { beginOperation, type Progress, type RunningOperation } from './operation.ts'
import { type OpenedTree, openRepository } from './repository.ts'
import { type ImportRequest, readDirectory, readImportRequest } from './request.ts'
import { countRunning, mayConnect, upsertLink } from './rows.ts'
import { runOperation } from './run-operation.ts'
import type { ImportGitRepository, Layout } from './schema.ts'
import { findTip, isKnownCommit, listRelatedTips, type TipRow, upsertTip } from './tips.ts'

export type ImportOutcome = ImportResult & {
  readonly operationId: string
  readonly commit: string | undefined
  /** Nothing had to be read: the event was outdated, or the commit was imported already. */
  readonly isSkipped: boolean
  /** The layout that a folder or an archive was read as. */
  readonly layout?: Layout
}

/** An import, and how its files are opened. */
type Job = TreeImport & {
  open(signal: AbortSignal, onProgress: (dispatched: number, completed: number) => void): Promise<OpenedTree>
}

/**
 * Checks the request, records the operation and starts it; returns the operation's id. The import continues in this
 * process after the answer, because its credentials may not be stored.
 */
export async function startImport(
  services: Services,
  space: SpaceRow,
  createdBy: string,
  body: ImportGitRepository,
): Promise<string> {
  const request = readImportRequest(body)
  await requireTurn(services, space.id)
  const job =
    body.from === undefined
      ? repositoryJob(services, space.id, createdBy, request)
      : convertedJob(services, space.id, createdBy, request, body.from)
  const operation = await beginOperation(services, {
    direction: 'import',
    spaceId: space.id,
    url: request.remote.url,
    ref: request.ref,
    createdBy,
  })
  // How it failed is in its row.
  runImport(services, job, operation).catch(() => {})
  return operation.id
}

// Each holds its credentials in memory until its turn.
export const WAITING_MAX = 20

/** @throws Failure throttled */
export async function requireTurn({ db }: Pick<Services, 'db'>, spaceId: string): Promise<void> {
  if ((await countRunning(db, spaceId)) >= WAITING_MAX)
    throw throttled('Too many imports of this space are waiting. Try again when some of them are done.')
}

/**
 * Imports a repository and waits for the end: for the command line. `ref` is the remote's default branch when absent.
 */
export async function importRepository(
  services: Services,
  options: {
    readonly spaceId: string
    readonly url: string
    readonly ref?: string | undefined
    readonly projectDirectory?: string
    readonly isForced?: boolean
    readonly createdBy: string | null
    readonly propose?: KeepChangeRequest
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: Progress) => void
  },
): Promise<ImportOutcome> {
  const { spaceId, createdBy, projectDirectory, propose, signal } = options
  const request = readImportRequest({
    url: options.url,
    ref: options.ref ?? 'HEAD',
    ...(projectDirectory === undefined ? {} : { repoProjectDirectory: projectDirectory }),
    force: options.isForced ?? false,
  })
  const operation = await beginOperation(
    services,
    { direction: 'import', spaceId, url: request.remote.url, ref: request.ref, createdBy },
    options.onProgress,
  )
  const job = { ...repositoryJob(services, spaceId, createdBy, request), propose }
  return runImport(services, job, operation, signal)
}

/**
 * Imports a local folder or zip archive, read as if it were the top of a repository. `folder` is its absolute path.
 * Documentation in the layout of another tool is converted.
 */
export async function importFolder(
  services: Services,
  options: {
    readonly spaceId: string
    readonly folder: string
    /** Its layout; detected from its files if absent. */
    readonly format?: Format | undefined
    /** The directory of the documentation in it; absent: its top. */
    readonly projectDirectory?: string | undefined
    /** Replaces the content, whatever the space has. */
    readonly isForced?: boolean
    readonly createdBy: string | null
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: Progress) => void
  },
): Promise<ImportOutcome> {
  const { spaceId, folder, createdBy, format } = options
  const directory = readDirectory(options.projectDirectory ?? '')
  const archive = isArchive(folder) ? await OpenedArchive.open(services, folder, directory) : undefined
  try {
    const operation = await beginFolder(services, spaceId, createdBy, options.onProgress)
    const job = folderJob(
      services,
      { spaceId, createdBy, format, directory, isForced: options.isForced ?? false },
      async signal => archive?.readTree(signal) ?? folderTree(folder),
    )
    return await runImport(services, job, operation, options.signal)
  } finally {
    await archive?.close()
  }
}

/**
 * Starts the import of a submitted zip archive; returns the operation's id. It continues after the answer. The file is
 * removed when the import ends.
 *
 * @throws Failure invalid `archive_invalid` for a file that is not an archive, which is removed too.
 */
export async function startArchiveImport(
  services: Services,
  space: SpaceRow,
  createdBy: string,
  archive: SentArchive,
  reading: FolderReading,
): Promise<string> {
  let opened: OpenedArchive | undefined
  const end = async () => {
    await opened?.close()
    await archive.discard().catch(err => services.log.warn({ err }, 'an archive was not removed'))
  }
  try {
    const tree = await OpenedArchive.open(services, archive.path, reading.directory)
    opened = tree
    const operation = await beginFolder(services, space.id, createdBy)
    const job = folderJob(services, { spaceId: space.id, createdBy, ...reading }, signal =>
      tree.readTree(signal),
    )
    // How it failed is in its row.
    runOperation(services, space.id, operation, signal =>
      importJob(services, job, operation, signal).finally(end),
    ).catch(() => {})
    return operation.id
  } catch (reason) {
    await end()
    throw reason
  }
}

const beginFolder = (
  services: Services,
  spaceId: string,
  createdBy: string | null,
  onProgress?: (progress: Progress) => void,
) =>
  beginOperation(services, { direction: 'import', spaceId, url: FOLDER_URL, ref: '', createdBy }, onProgress)

/** How a folder or an archive is read, and whether it replaces the content whatever the space has. */
type FolderReading = Pick<Job, 'isForced'> & {
  readonly format: Format | undefined
  readonly directory: string
}

const folderJob = (
  services: Services,
  { format, directory, ...of }: Pick<Job, 'spaceId' | 'createdBy'> & FolderReading,
  open: (signal: AbortSignal) => Promise<TreeSource>,
): Job => ({
  ...of,
  projectDirectory: '',
  open: async signal => {
    const { spaceId } = of
    const tree = await open(signal)
    const below = directory === '' ? tree : subtree(tree, directory)
    const converted = await convertTree(services, below, { spaceId, format, signal })
    return { ...converted, layout: converted.format ?? 'gitbook', madeAt: now().toISOString() }
  },
})

const isArchive = (path: string): boolean => /\.zip$/i.test(path)

// Its path concerns only the operator.
const FOLDER_URL = 'file:'

const runImport = (services: Services, job: Job, operation: RunningOperation, abort?: AbortSignal) =>
  runOperation(services, job.spaceId, operation, signal => importJob(services, job, operation, signal), abort)

const repositoryJob = (
  services: Services,
  spaceId: string,
  createdBy: string | null,
  request: ImportRequest,
): Job => ({
  spaceId,
  createdBy,
  projectDirectory: request.projectDirectory,
  isForced: request.isForced,
  request,
  open: (signal, onProgress) => openRepository(services, spaceId, request, signal, onProgress),
})

/** What another tool's layout becomes differs from the repository, so the space gets no link to it: as for a folder. */
const convertedJob = (
  services: Services,
  spaceId: string,
  createdBy: string | null,
  request: ImportRequest,
  format: Format,
): Job => ({
  spaceId,
  createdBy,
  projectDirectory: '',
  isForced: request.isForced,
  open: async (signal, onProgress) => {
    const { tree, close } = await openRepository(services, spaceId, request, signal, onProgress)
    const { projectDirectory: directory } = request
    try {
      const below = directory === '' ? tree : subtree(tree, directory)
      const converted = await convertTree(services, below, { spaceId, format, signal })
      return {
        ...converted,
        layout: format,
        madeAt: now().toISOString(),
        ...(close === undefined ? {} : { close }),
      }
    } catch (reason) {
      close?.()
      throw reason
    }
  },
})

async function importJob(
  services: Services,
  job: Job,
  operation: RunningOperation,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const tip = await findTip(services.db, job.spaceId, placeOf(job.request))
  if (isOutdated(job.request, tip)) return skip(services, job, operation, undefined)
  readAhead(services, job.spaceId)
  const opened = await job.open(signal, (dispatched, completed) =>
    operation.report('repo_fetch', dispatched, completed),
  )
  try {
    return await importOrSkip(services, job, { tip, opened, operation, signal })
  } finally {
    opened.close?.()
  }
}

async function importOrSkip(
  services: Services,
  job: Job,
  input: Pick<ImportInput, 'tip' | 'opened' | 'operation' | 'signal'>,
): Promise<ImportOutcome> {
  const { request } = job
  const { tip, opened, operation } = input
  const { commit, layout } = opened
  if (layout !== undefined) operation.setLayout(layout)
  if (isImported(request, tip, commit)) return skip(services, job, operation, commit?.oid)
  if (request !== undefined && commit !== undefined && (await hasNothingNew(services, job, tip, commit.oid)))
    return skipKnown(services, { ...job, request }, operation, commit.oid)
  const imported = await importTree(services, job, {
    ...input,
    prefer: job.isForced ? 'theirs' : undefined,
    finish: async (trx, { revisionId, problems }) => {
      operation.complete()
      await operation.recordSuccess(trx, { revisionId, commit: commit?.oid, isSkipped: false, problems })
    },
  })
  return {
    ...{ operationId: operation.id, commit: commit?.oid, isSkipped: false, ...imported },
    ...(layout === undefined ? {} : { layout }),
  }
}

/** Whether the space has this state of another place, or a later one. A place that it knows may have been reset. */
async function hasNothingNew(
  { db }: Services,
  { spaceId, request }: Job,
  tip: TipRow | undefined,
  oid: string,
): Promise<boolean> {
  if (request === undefined || request.isForced || request.isStandalone || isUsable(tip)) return false
  await awaitHistories(spaceId)
  return isKnownCommit(db, spaceId, request.projectDirectory, oid)
}

/** Later commits of the place are merged from the same revision as those of the place that had this commit before. */
async function skipKnown(
  services: Services,
  job: Job & { readonly request: ImportRequest },
  operation: RunningOperation,
  oid: string,
): Promise<ImportOutcome> {
  const { spaceId, request } = job
  const related = await listRelatedTips(services.db, spaceId, request)
  const same = related.find(({ commit_oid }) => commit_oid === oid)
  return skip(services, job, operation, oid, async trx => {
    if (same === undefined || !(await mayConnect(trx, operation.id))) return
    const before = await findTip(trx, spaceId, placeOf(request))
    await upsertTip(trx, toTip(spaceId, request, oid, same.revision_id, before))
    await upsertLink(trx, toLink(spaceId, request, oid, same.revision_id, before))
  })
}

/** Warms the cache with the content that the plan compares with, while the commit is fetched. */
const readAhead = (services: Services, spaceId: string): void => {
  getUndeletedSpace(services.db, spaceId)
    .then(head => services.contents.get(head.root_hash.toString('hex')))
    .catch(() => {})
}

export async function skip(
  services: Services,
  job: { readonly spaceId: string },
  operation: RunningOperation,
  commit: string | undefined,
  alongside: (trx: Trx) => Promise<void> = async () => {},
): Promise<ImportOutcome> {
  const head = await getUndeletedSpace(services.db, job.spaceId)
  const ending = { revisionId: head.revision_id, commit, isSkipped: true, problems: [] }
  await services.transaction(async trx => {
    await alongside(trx)
    await operation.recordSuccess(trx, ending)
  })
  const { pages, files } = await services.contents.get(head.root_hash.toString('hex'))
  return {
    ...ending,
    operationId: operation.id,
    isChanged: false,
    pages: countWritten(pages.values()),
    files: files.size,
  }
}
