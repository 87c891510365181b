// Importing: a commit or a folder becomes the head of a space, or the space stays as it is.
//
// Reading and planning happen outside of any transaction, against the head as it was; publishing checks that it still
// is, and else the import plans again. The operation's row, the link to the repository and the new head become visible
// in one transaction, so that they never disagree.
import { now } from '../../base/clock.ts'
import { Failure, missing, throttled } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Format } from '../../engines/conversion/formats.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { TreeSource } from '../../platform/tree-source.ts'
import { folderTree } from '../../platform/trees/folder-tree.ts'
import { keepRevision, publish } from '../heads/publish.ts'
import { findRevision, type RevisionGit, type RevisionRow } from '../spaces/revisions.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import type { SentArchive } from './archives.ts'
import { carryOutInTurn, carryUponHead } from './carry-out.ts'
import { convertTree } from './convert.ts'
import { fetchHistoryLater, hasHistory } from './history.ts'
import { type ImportPlan, type Problem, planImport } from './layout.ts'
import { type KeepChangeRequest, mergeIn, proposeTheirs, type Side } from './merge-in.ts'
import { OpenedArchive } from './opened-archive.ts'
import { beginOperation, type Progress, type RunningOperation } from './operation.ts'
import { type OpenedTree, openRepository } from './repository.ts'
import {
  commitAddress,
  type ImportRequest,
  readImportRequest,
  repositoryName,
  type SyncRequest,
} from './request.ts'
import {
  beginHistory,
  countRunning,
  findLink,
  forgetSync,
  type LinkRow,
  mayConnect,
  upsertLink,
} from './rows.ts'
import type { ImportGitRepository, Layout } from './schema.ts'
import { createSource, listEntries } from './sources.ts'

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
  /** What the repository has and the space does not agree with, where the import proposes it. */
  readonly changeRequestId?: string
  /** What a folder or an archive was read as. */
  readonly layout?: Layout
  /** Settles once what came before the commit is kept, or left out; absent where it is not asked for. */
  readonly history?: Promise<void>
}

/** An import as it is carried out, wherever it comes from. */
type Job = {
  readonly spaceId: string
  readonly createdBy: string | null
  readonly projectDirectory: string
  /** Absent for a folder, which leaves no link and no commit behind. */
  readonly request?: ImportRequest
  /**
   * Where both sides changed something, what the repository has becomes a change request, and the import succeeds. It is
   * called by the transaction that opens it.
   */
  readonly propose?: KeepChangeRequest | undefined
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
  await requireTurn(services, space.id)
  const job = repositoryJob(services, space.id, createdBy, request)
  const operation = await beginOperation(services, {
    direction: 'import',
    spaceId: space.id,
    url: request.remote.url,
    ref: request.ref,
    createdBy,
  })
  // How it failed is in its row.
  carryOut(services, job, operation).catch(() => {})
  return operation.id
}

// Every one holds its credentials in memory until its turn.
export const WAITING_MAX = 20

/** @throws Failure throttled */
export async function requireTurn({ db }: Pick<Services, 'db'>, spaceId: string): Promise<void> {
  if ((await countRunning(db, spaceId)) >= WAITING_MAX)
    throw throttled('Too many imports of this space are waiting. Try again when some of them are done.')
}

/** The same, waited for: for the command line. `ref` is the remote's default branch when absent. */
export async function importRepository(
  services: Services,
  options: {
    readonly spaceId: string
    readonly url: string
    readonly ref?: string | undefined
    readonly projectDirectory?: string
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
  })
  const operation = await beginOperation(
    services,
    { direction: 'import', spaceId, url: request.remote.url, ref: request.ref, createdBy },
    options.onProgress,
  )
  const job = { ...repositoryJob(services, spaceId, createdBy, request), propose }
  return carryOut(services, job, operation, signal)
}

/**
 * A folder or a zip archive of this machine, read as if it were the top of a repository. `folder` is its absolute path.
 * Documentation in the layout of another tool is converted.
 */
export async function importFolder(
  services: Services,
  options: {
    readonly spaceId: string
    readonly folder: string
    /** The layout it is in; absent: as its files look. */
    readonly format?: Format | undefined
    readonly createdBy: string | null
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: Progress) => void
  },
): Promise<ImportOutcome> {
  const { spaceId, folder, createdBy, format } = options
  const archive = isArchive(folder) ? await OpenedArchive.open(services, folder) : undefined
  try {
    const operation = await beginFolder(services, spaceId, createdBy, options.onProgress)
    const job = folderJob(
      services,
      { spaceId, createdBy, format },
      async signal => archive?.readTree(signal) ?? folderTree(folder),
    )
    return await carryOut(services, job, operation, options.signal)
  } finally {
    await archive?.close()
  }
}

/**
 * The same of a zip archive that was sent, and goes on after the answer; answers the operation's id. The file is
 * removed when the import ends.
 *
 * @throws Failure invalid `archive_invalid` for what is no archive. It is removed then, too.
 */
export async function startArchiveImport(
  services: Services,
  space: SpaceRow,
  createdBy: string,
  archive: SentArchive,
  format: Format | undefined,
): Promise<string> {
  let opened: OpenedArchive | undefined
  const end = async () => {
    await opened?.close()
    await archive.discard().catch(err => services.log.warn({ err }, 'an archive was not removed'))
  }
  try {
    const tree = await OpenedArchive.open(services, archive.path)
    opened = tree
    const operation = await beginFolder(services, space.id, createdBy)
    const job = folderJob(services, { spaceId: space.id, createdBy, format }, signal => tree.readTree(signal))
    // How it failed is in its row.
    carryOutInTurn(services, space.id, operation, signal =>
      run(services, job, operation, signal).finally(end),
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

const folderJob = (
  services: Services,
  { format, ...of }: Pick<Job, 'spaceId' | 'createdBy'> & { readonly format: Format | undefined },
  open: (signal: AbortSignal) => Promise<TreeSource>,
): Job => ({
  ...of,
  projectDirectory: '',
  open: async signal => {
    const { spaceId } = of
    const converted = await convertTree(services, await open(signal), { spaceId, format, signal })
    return { ...converted, layout: converted.format ?? 'gitbook', madeAt: now().toISOString() }
  },
})

const isArchive = (path: string): boolean => /\.zip$/i.test(path)

// Its path concerns the operator alone.
const FOLDER_URL = 'file:'

const carryOut = (services: Services, job: Job, operation: RunningOperation, abort?: AbortSignal) =>
  carryOutInTurn(services, job.spaceId, operation, signal => run(services, job, operation, signal), abort)

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

async function run(
  services: Services,
  job: Job,
  operation: RunningOperation,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const link = await findLink(services.db, job.spaceId)
  if (isOutdated(job.request, link)) return skip(services, job, operation, undefined)
  warmUp(services, job.spaceId)
  const opened = await job.open(signal, (dispatched, completed) =>
    operation.report('repo_fetch', dispatched, completed),
  )
  try {
    return await bringOrSkip(services, job, { link, opened, operation, signal })
  } finally {
    opened.close?.()
  }
}

async function bringOrSkip(
  services: Services,
  job: Job,
  bringing: Pick<ImportInput, 'link' | 'opened' | 'operation' | 'signal'>,
): Promise<ImportOutcome> {
  const { request } = job
  const { link, opened, operation } = bringing
  const { commit, layout } = opened
  if (layout !== undefined) operation.setLayout(layout)
  if (isImported(request, link, opened)) return skip(services, job, operation, commit?.oid)
  const brought = await bringIn(services, job, {
    ...bringing,
    prefer: request?.isForced === true ? 'theirs' : undefined,
    finish: async (trx, { revisionId, problems }) => {
      operation.complete()
      await operation.recordSuccess(trx, { revisionId, commit: commit?.oid, isSkipped: false, problems })
    },
  })
  return {
    ...{ operationId: operation.id, commit: commit?.oid, isSkipped: false, ...brought },
    ...(layout === undefined ? {} : { layout }),
  }
}

type ImportInput = {
  readonly link: LinkRow | undefined
  readonly opened: OpenedTree
  readonly operation: RunningOperation
  readonly signal: AbortSignal
  /** Whose side is taken where both changed something; absent, that is a conflict. */
  readonly prefer: Side | undefined
  /** What the transaction writes besides the link. */
  readonly finish: (trx: Trx, ending: Pick<Brought, 'revisionId' | 'problems'>) => Promise<void>
}

type Brought = Pick<
  ImportOutcome,
  'revisionId' | 'isChanged' | 'pages' | 'files' | 'problems' | 'changeRequestId' | 'history'
>

/** Reads what was opened and merges it with what was written in the space since it last came in. */
export async function bringIn(
  services: Services,
  job: Omit<Job, 'open'>,
  bringing: ImportInput,
): Promise<Brought> {
  const { link, opened, operation, signal } = bringing
  operation.report('config_check', 0, 0)
  const filesMax = services.config.repositoryFilesMax
  const listing = listEntries(opened.tree, job.projectDirectory, filesMax, signal)
  // It is awaited once the operation has started, and may fail before.
  listing.catch(() => {})
  if (opened.commit !== undefined) {
    const { revision_id: revision } = await getHead(services, job.spaceId)
    await operation.start({ commit: opened.commit.oid, revision })
  }
  const entries = await listing
  const source = createSource(services, job.spaceId, opened.tree, entries, signal)
  const carry = async (): Promise<CarriedIn> => {
    const head = await getHead(services, job.spaceId)
    const synced = await findSynced(services, job, link, head)
    const isMerged = synced.revisionId !== head.revision_id
    const plan = await planImport(source, await services.contents.get(synced.root), {
      ...(isMerged ? { here: await services.contents.get(head.root_hash.toString('hex')) } : {}),
      projectDirectory: job.projectDirectory,
      committedAt: opened.madeAt,
      newId,
      fileBytesMax: services.config.fileBytesMax,
      onProgress: (dispatched, completed) => operation.report('content_process', dispatched, completed),
    })
    signal.throwIfAborted()
    operation.report('finalize', 1, 0)
    return carryIn(services, job, bringing, { head, synced, plan })
  }
  const { isHistoryDue, ...carried } = await carryUponHead(job.spaceId, carry)
  const { request } = job
  if (!isHistoryDue || request === undefined || opened.commit === undefined) return carried
  return { ...carried, history: fetchHistoryLater(services, job.spaceId, request, opened.commit.oid) }
}

/** Reads what the plan will compare with while the commit is on its way; the plan itself asks again. */
const warmUp = (services: Services, spaceId: string): void => {
  getHead(services, spaceId)
    .then(head => services.contents.get(head.root_hash.toString('hex')))
    .catch(() => {})
}

/** An event that is older than the last one carried out brings nothing new. */
export const isOutdated = (request: SyncRequest | undefined, link: LinkRow | undefined): boolean =>
  request?.timestamp !== undefined &&
  !request.isForced &&
  link?.event_at != null &&
  request.timestamp < link.event_at

/** The commit was imported before. Edits that were made here since do not matter. */
const isImported = (
  request: ImportRequest | undefined,
  link: LinkRow | undefined,
  { commit }: OpenedTree,
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
const isKnown = (
  request: SyncRequest | undefined,
  link: LinkRow | undefined,
): link is LinkRow & { readonly revision_id: string } =>
  request !== undefined && link?.revision_id != null && isSameRepository(request, link)

const hasPages = async ({ contents }: Services, { root_hash }: SpaceRow): Promise<boolean> =>
  (await contents.get(root_hash.toString('hex'))).pages.size > 0

/**
 * The revision that holds what the repository had when it last came in: the common ancestor of what was changed there
 * and what was changed here. Without one, for a first import, the repository is the truth.
 */
async function findSynced(
  { db }: Pick<Services, 'db'>,
  { spaceId, request }: Omit<Job, 'open'>,
  link: LinkRow | undefined,
  head: SpaceRow,
): Promise<Synced> {
  const row =
    isKnown(request, link) && link.revision_id !== head.revision_id
      ? await findRevision(db, spaceId, link.revision_id)
      : undefined
  return row === undefined
    ? { revisionId: head.revision_id, root: head.root_hash.toString('hex') }
    : { revisionId: row.id, root: row.root_hash.toString('hex') }
}

export async function getHead({ db }: Pick<Services, 'db'>, spaceId: string): Promise<SpaceRow> {
  const space = await findSpace(db, spaceId)
  if (space === undefined || space.deleted_at !== null) throw missing('space')
  return space
}

export async function skip(
  services: Services,
  job: { readonly spaceId: string },
  operation: RunningOperation,
  commit: string | undefined,
): Promise<ImportOutcome> {
  const head = await getHead(services, job.spaceId)
  const ending = { revisionId: head.revision_id, commit, isSkipped: true, problems: [] }
  await services.transaction(trx => operation.recordSuccess(trx, ending))
  const { pages, files } = await services.contents.get(head.root_hash.toString('hex'))
  return { ...ending, operationId: operation.id, isChanged: false, pages: pages.size, files: files.size }
}

type CarriedIn = Omit<Brought, 'history'> & {
  /** What came before the commit is to be fetched. */
  readonly isHistoryDue: boolean
}

/** A revision that edits are made from. */
type Synced = { readonly revisionId: string; readonly root: Hash }

/** Publishes the plan; the link, and what finishes the operation, are written by the same transaction. */
async function carryIn(
  services: Services,
  job: Omit<Job, 'open'>,
  { link, opened, operation, prefer, finish: finishOperation }: ImportInput,
  { head, synced, plan }: { head: SpaceRow; synced: Synced; plan: ImportPlan },
): Promise<CarriedIn> {
  const { request } = job
  const git = toRevisionGit(request, opened)
  const problems = [...(opened.problems ?? []), ...plan.problems]
  let isHistoryDue = false
  const finish = async (trx: Trx, revisionId: string, syncedId: string) => {
    const commit = opened.commit?.oid
    if (request === undefined) await forgetSync(trx, job.spaceId)
    else if (!request.isStandalone && (await mayConnect(trx, operation.id)))
      await upsertLink(trx, toLink(job.spaceId, request, commit, syncedId, link))
    const isNew = syncedId !== head.revision_id && syncedId !== synced.revisionId
    isHistoryDue = isNew && commit !== undefined && request?.isStandalone === false && hasHistory(plan)
    if (isHistoryDue && request !== undefined && commit !== undefined)
      await beginHistory(trx, job.spaceId, commit, request.remote.url)
    await finishOperation(trx, { revisionId, problems })
  }
  const input = {
    spaceId: job.spaceId,
    base: synced,
    type: 'edits',
    createdBy: job.createdBy,
    ...(git === undefined ? {} : { git }),
  } as const
  const publication = { ...input, edits: plan.edits, documents: plan.documents }
  const alongside = (trx: Trx, { id }: RevisionRow) => finish(trx, id, id)
  let revision: RevisionRow | undefined
  let changeRequestId: string | undefined
  const theirs = { head, input, plan, finish }
  // An import takes nothing away that this repository never had.
  const isStrange =
    job.propose !== undefined &&
    !isKnown(request, link) &&
    (await hasPages(services, head)) &&
    plan.edits.size > 0
  if (isStrange) changeRequestId = await proposeTheirs(services, theirs, job.propose)
  else if (request?.isStandalone === true) {
    revision = (await keepRevision(services, { ...publication, alongside })).revision
  } else if (synced.revisionId === head.revision_id) {
    revision = (await publish(services, { ...publication, alongside })).revision
    if (revision === undefined)
      await services.transaction(trx => finish(trx, head.revision_id, head.revision_id))
  } else {
    revision = await mergeIn(services, { ...theirs, prefer }).catch(async error => {
      const isConflict = error instanceof Failure && error.code === 'import_conflicts'
      if (!isConflict || job.propose === undefined) throw error
      changeRequestId = await proposeTheirs(services, theirs, job.propose)
      return undefined
    })
  }
  return {
    ...(changeRequestId === undefined ? {} : { changeRequestId }),
    revisionId: revision?.id ?? head.revision_id,
    isChanged: revision !== undefined,
    isHistoryDue,
    pages: plan.pages,
    files: plan.files,
    problems,
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
export const toText = (message: string): string =>
  message.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed().replaceAll('\u0000', '\ufffd')

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
