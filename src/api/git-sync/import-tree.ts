// Imports the files of a commit, a folder or an archive: they are merged with what was written in the space since its
// last import from there, and become its head, a change request, or a revision beside the head. Nothing that only the
// space has is removed: where it has something and has nothing in common with the repository, the import becomes a
// change request.
//
// Reading and planning happen outside of any transaction, against the head at that time. Publishing checks that it is
// still the head; otherwise the import is planned again. The link to the repository and the new head become visible in
// one transaction, so that they never disagree.
import { conflict, Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { replaceUnstorable } from '../../platform/db/text.ts'
import { keepRevision } from '../heads/publish.ts'
import { findRevision, type RevisionRow } from '../spaces/revisions.ts'
import { getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import { fetchAncestorsLater, fetchHistoryLater, findContinued, hasHistory } from './history.ts'
import { type ImportPlan, type Problem, planImport } from './layout.ts'
import { isUsable, toLink, toTip } from './link.ts'
import { type KeepChangeRequest, proposeTheirs, publishOrMerge, type Side } from './merge-in.ts'
import type { RunningOperation } from './operation.ts'
import type { OpenedTree } from './repository.ts'
import { type ImportRequest, toRevisionGit } from './request.ts'
import { beginHistory, mayConnect, updateOperation, upsertLink } from './rows.ts'
import { publishOnHead } from './run-operation.ts'
import { createSource, listEntries } from './sources.ts'
import {
  forgetTips,
  insertKnownCommit,
  isHeldElsewhere,
  listRelatedTips,
  listTips,
  recordProposal,
  type TipRow,
  upsertTip,
} from './tips.ts'

/** What is imported, from a repository, a folder or an archive. */
export type TreeImport = {
  readonly spaceId: string
  readonly createdBy: string | null
  readonly projectDirectory: string
  /** A repository then wins where both changed something; a folder replaces the content. */
  readonly isForced: boolean
  /** Absent for a folder, which leaves no link and no commit. */
  readonly request?: ImportRequest
  /**
   * Called in the transaction that opens a change request with the repository's changes, also if both sides changed
   * something. Without it, that is a conflict.
   */
  readonly propose?: KeepChangeRequest | undefined
}

export type ImportInput = {
  readonly tip: TipRow | undefined
  readonly opened: OpenedTree
  readonly operation: RunningOperation
  readonly signal: AbortSignal
  /** The side that wins where both changed something; if absent, that is a conflict. */
  readonly prefer: Side | undefined
  /** What the transaction writes besides the link. */
  readonly finish: (trx: Trx, ending: Pick<ImportResult, 'revisionId' | 'problems'>) => Promise<void>
}

/** How an import ended. */
export type ImportResult = {
  /** The revision that it made, or the head if nothing changed. */
  readonly revisionId: string
  readonly isChanged: boolean
  /** The number of pages in the space afterwards. */
  readonly pages: number
  readonly files: number
  readonly problems: readonly Problem[]
  /** The change request with the changes of the repository, if the import opened one instead of merging them. */
  readonly changeRequestId?: string
  /** Resolves once the history before the commit is stored or skipped; absent if it is not fetched. */
  readonly history?: Promise<void>
}

/** Reads the opened tree and merges it with what was written in the space since its last import. */
export async function importTree(
  services: Services,
  asked: TreeImport,
  input: ImportInput,
): Promise<ImportResult> {
  const { tip, opened, operation, signal } = input
  operation.report('config_check', 0, 0)
  const filesMax = services.config.repositoryFilesMax
  const listing = listEntries(opened.tree, asked.projectDirectory, filesMax, signal)
  // It may fail before it is awaited.
  listing.catch(() => {})
  const prepare = async (head: SpaceRow) => {
    const synced = await findSynced(services, asked, { tip, opened, signal }, head)
    const isMerged = synced.revisionId !== head.revision_id
    const source = createSource(services, asked.spaceId, opened.tree, await listing, signal)
    const plan = await planImport(source, await services.contents.get(synced.root), {
      ...(isMerged ? { here: await services.contents.get(head.root_hash.toString('hex')) } : {}),
      projectDirectory: asked.projectDirectory,
      committedAt: opened.madeAt,
      newId,
      fileBytesMax: services.config.fileBytesMax,
      onProgress: (dispatched, completed) => operation.report('content_process', dispatched, completed),
    })
    return { head, synced, plan }
  }
  const findHead = () => getUndeletedSpace(services.db, asked.spaceId)
  const head = await findHead()
  const started = opened.commit && operation.start({ commit: opened.commit.oid, revision: head.revision_id })
  let preparing: ReturnType<typeof prepare> | undefined = prepare(head)
  // The start event is written before the end event, even if the files are refused.
  await Promise.allSettled([started, preparing])
  await started
  const attempt = async (): Promise<PublishedImport> => {
    const first = preparing
    // Cleared before it is awaited: if it fails because the head moved, the next attempt plans again.
    preparing = undefined
    const prepared = await (first ?? prepare(await findHead()))
    signal.throwIfAborted()
    operation.report('finalize', 1, 0)
    return publishImport(services, asked, input, prepared)
  }
  const { due, ...published } = await publishOnHead(asked.spaceId, attempt)
  const { request } = asked
  if (due === undefined || request === undefined || opened.commit === undefined) return published
  const fetchLater = due === 'history' ? fetchHistoryLater : fetchAncestorsLater
  return { ...published, history: fetchLater(services, asked.spaceId, request, opened.commit.oid) }
}

const hasPages = async ({ contents }: Services, { root_hash }: SpaceRow): Promise<boolean> =>
  (await contents.get(root_hash.toString('hex'))).pages.size > 0

/** A revision that edits are made from. */
type Synced = {
  readonly revisionId: string
  readonly root: Hash
  /**
   * `merged`: it is the common ancestor of the changes in the repository and in the space. `replaced`: it is the head,
   * of which the import keeps nothing. `proposed`: there is no common ancestor, and only the space has what is in it.
   */
  readonly how: 'merged' | 'replaced' | 'proposed'
}

/** The revision that has what the repository had the last time, and what happens with the differences. */
async function findSynced(
  services: Services,
  asked: TreeImport,
  { tip, opened, signal }: Pick<ImportInput, 'tip' | 'opened' | 'signal'>,
  head: SpaceRow,
): Promise<Synced> {
  const { db } = services
  const { spaceId, request } = asked
  const here = { revisionId: head.revision_id, root: head.root_hash.toString('hex') }
  const revisionOf = async (of: TipRow | undefined) => {
    const row = of && (await findRevision(db, spaceId, of.revision_id))
    return row && { revisionId: row.id, root: row.root_hash.toString('hex') }
  }
  if (request === undefined && asked.isForced) return { ...here, how: 'replaced' }
  const known = isUsable(tip) ? await revisionOf(tip) : undefined
  if (known !== undefined) return { ...known, how: 'merged' }
  if (request?.isStandalone || !(await hasPages(services, head))) return { ...here, how: 'replaced' }
  const tips = await listTips(db, spaceId)
  const { commit } = opened
  if (request !== undefined && commit !== undefined) {
    const related = await listRelatedTips(db, spaceId, request)
    const continued = await findContinued(services, spaceId, { ...request, oid: commit.oid }, related, signal)
    const base = await revisionOf(continued)
    if (base !== undefined) return { ...base, how: 'merged' }
  }
  const isLost = asked.propose !== undefined || !(await isHeldElsewhere(db, spaceId, here.root))
  if (!isLost || asked.isForced) return { ...here, how: 'replaced' }
  return { ...((await revisionOf(tips[0])) ?? here), how: 'proposed' }
}

type PublishedImport = Omit<ImportResult, 'history'> & {
  /** What is to be fetched besides the commit. */
  readonly due: 'history' | 'ancestors' | undefined
}

/** Publishes the plan. The same transaction writes the link, and that the operation is done. */
async function publishImport(
  services: Services,
  asked: TreeImport,
  { tip, opened, operation, prefer, finish: finishOperation }: ImportInput,
  { head, synced, plan }: { head: SpaceRow; synced: Synced; plan: ImportPlan },
): Promise<PublishedImport> {
  const { spaceId, request } = asked
  const { commit } = opened
  const git =
    request &&
    commit &&
    toRevisionGit(request, {
      oid: commit.oid,
      message: storableMessage(commit.message),
      createdByGitBook: false,
      author: storableMessage(commit.author),
    })
  // Without changes there is nothing to propose.
  let isProposed = synced.how === 'proposed' && plan.edits.size > 0
  const problems = [...withPages(opened, plan), ...(isProposed ? [PROPOSED] : [])]
  let due: PublishedImport['due']
  const finish = async (trx: Trx, revisionId: string, syncedId: string) => {
    if (synced.how === 'replaced' && plan.edits.size > 0 && request?.isStandalone !== true)
      await forgetTips(trx, spaceId)
    if (request?.isStandalone !== true) {
      const isConnected = await mayConnect(trx, operation.id)
      const row = toTip(spaceId, request, commit?.oid, syncedId, tip)
      await upsertTip(trx, { ...row, is_forgotten: !isConnected })
      if (isConnected && request !== undefined)
        await upsertLink(trx, toLink(spaceId, request, commit?.oid, syncedId, tip))
      if (isConnected && request !== undefined && commit !== undefined && !isProposed)
        await insertKnownCommit(trx, spaceId, request.projectDirectory, commit.oid)
      const isNew = syncedId !== head.revision_id && syncedId !== synced.revisionId
      if (request !== undefined && commit !== undefined && isNew) {
        due = hasHistory(plan) ? 'history' : 'ancestors'
        const leftOut = due === 'history' ? undefined : 'directory'
        await beginHistory(trx, spaceId, commit.oid, request.remote.url, leftOut)
      }
    }
    await finishOperation(trx, { revisionId, problems })
  }
  const keep = async (trx: Trx, changeRequestId: string) => {
    await recordProposal(trx, toTip(spaceId, request, undefined, '', undefined), changeRequestId)
    await updateOperation(trx, operation.id, { change_request_id: changeRequestId })
    await asked.propose?.(trx, changeRequestId)
  }
  const input = {
    spaceId,
    base: synced,
    type: 'edits',
    createdBy: asked.createdBy,
    ...(git === undefined ? {} : { git }),
  } as const
  let revision: RevisionRow | undefined
  let changeRequestId: string | undefined
  const theirs = { head, input, plan, finish }
  if (isProposed) {
    if (asked.createdBy === null) throw unrelated()
    changeRequestId = await proposeTheirs(services, theirs, keep)
  } else if (request?.isStandalone === true) {
    const { edits, documents } = plan
    const alongside = (trx: Trx, { id }: RevisionRow) => finish(trx, id, id)
    revision = (await keepRevision(services, { ...input, edits, documents, alongside })).revision
  } else {
    revision = await publishOrMerge(services, { ...theirs, prefer }).catch(async error => {
      const isConflict = error instanceof Failure && error.code === 'import_conflicts'
      if (!isConflict || asked.propose === undefined) throw error
      isProposed = true
      changeRequestId = await proposeTheirs(services, theirs, keep)
      return undefined
    })
  }
  return {
    ...(changeRequestId === undefined ? {} : { changeRequestId }),
    revisionId: revision?.id ?? head.revision_id,
    isChanged: revision !== undefined,
    due,
    pages: plan.pages,
    files: plan.files,
    problems,
  }
}

/** A problem names its page, which is found again when its file has another name or the layout was another one. */
function withPages({ problems = [], paths }: OpenedTree, plan: ImportPlan): Problem[] {
  const named = (problem: Problem, file: string | undefined): Problem => {
    const page = plan.pageByFile.get(file ?? '')
    return page === undefined ? problem : { ...problem, page }
  }
  return [
    ...problems.map(problem => named(problem, paths?.get(problem.file ?? ''))),
    ...plan.problems.map(problem => named(problem, problem.file)),
  ]
}

const PROPOSED: Problem = {
  code: 'change_request_opened',
  message:
    'The space has what no repository, folder or archive has, so the import is a change request: merge it to take it over. With force, an import replaces the content instead.',
}

const unrelated = () =>
  conflict(
    'import_unrelated',
    'The space has what no repository, folder or archive has, and nothing in common with this one. Nothing was changed. Import with force to replace the content.',
  )

// Every answer about the revision contains it; git allows any length.
const MESSAGE_CHARACTERS_MAX = 5_000

/** Also for the author's name: git allows the same in it. */
export const storableMessage = (message: string): string =>
  replaceUnstorable(message.slice(0, MESSAGE_CHARACTERS_MAX))
