// Imports the files of a commit, a folder or an archive: they are merged with what was written in the space since its
// last import, and become its head, a change request, or a revision beside the head.
//
// Reading and planning happen outside of any transaction, against the head at that time. Publishing checks that it is
// still the head; otherwise the import is planned again. The link to the repository and the new head become visible in
// one transaction, so that they never disagree.
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { replaceUnstorable } from '../../platform/db/text.ts'
import { keepRevision } from '../heads/publish.ts'
import { findRevision, type RevisionRow } from '../spaces/revisions.ts'
import { getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import { fetchHistoryLater, hasHistory } from './history.ts'
import { type ImportPlan, type Problem, planImport } from './layout.ts'
import { isKnown, toLink } from './link.ts'
import { type KeepChangeRequest, proposeTheirs, publishOrMerge, type Side } from './merge-in.ts'
import type { RunningOperation } from './operation.ts'
import type { OpenedTree } from './repository.ts'
import { type ImportRequest, toRevisionGit } from './request.ts'
import { beginHistory, forgetSync, type LinkRow, mayConnect, upsertLink } from './rows.ts'
import { publishOnHead } from './run-operation.ts'
import { createSource, listEntries } from './sources.ts'

/** What is imported, from a repository, a folder or an archive. */
export type TreeImport = {
  readonly spaceId: string
  readonly createdBy: string | null
  readonly projectDirectory: string
  /** Absent for a folder, which leaves no link and no commit. */
  readonly request?: ImportRequest
  /**
   * Called if both sides changed something, in the transaction that opens a change request with the repository's
   * changes. Without it, that is a conflict.
   */
  readonly propose?: KeepChangeRequest | undefined
}

export type ImportInput = {
  readonly link: LinkRow | undefined
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
  const { link, opened, operation, signal } = input
  operation.report('config_check', 0, 0)
  const filesMax = services.config.repositoryFilesMax
  const listing = listEntries(opened.tree, asked.projectDirectory, filesMax, signal)
  // It may fail before it is awaited.
  listing.catch(() => {})
  const prepare = async (head: SpaceRow) => {
    const synced = await findSynced(services, asked, link, head)
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
  const { isHistoryDue, ...published } = await publishOnHead(asked.spaceId, attempt)
  const { request } = asked
  if (!isHistoryDue || request === undefined || opened.commit === undefined) return published
  return { ...published, history: fetchHistoryLater(services, asked.spaceId, request, opened.commit.oid) }
}

const hasPages = async ({ contents }: Services, { root_hash }: SpaceRow): Promise<boolean> =>
  (await contents.get(root_hash.toString('hex'))).pages.size > 0

/**
 * The revision of the last import: the common ancestor of the changes in the repository and in the space. If there is
 * none, as for a first import, the repository is the truth.
 */
async function findSynced(
  { db }: Pick<Services, 'db'>,
  { spaceId, request }: TreeImport,
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

type PublishedImport = Omit<ImportResult, 'history'> & {
  /** The history before the commit is to be fetched. */
  readonly isHistoryDue: boolean
}

/** A revision that edits are made from. */
type Synced = { readonly revisionId: string; readonly root: Hash }

/** Publishes the plan. The same transaction writes the link, and that the operation is done. */
async function publishImport(
  services: Services,
  asked: TreeImport,
  { link, opened, operation, prefer, finish: finishOperation }: ImportInput,
  { head, synced, plan }: { head: SpaceRow; synced: Synced; plan: ImportPlan },
): Promise<PublishedImport> {
  const { request } = asked
  const { commit } = opened
  const git =
    request &&
    commit &&
    toRevisionGit(request, {
      oid: commit.oid,
      message: storableMessage(commit.message),
      createdByGitBook: false,
    })
  const problems = [...(opened.problems ?? []), ...plan.problems]
  let isHistoryDue = false
  const finish = async (trx: Trx, revisionId: string, syncedId: string) => {
    if (request === undefined) await forgetSync(trx, asked.spaceId)
    else if (!request.isStandalone && (await mayConnect(trx, operation.id)))
      await upsertLink(trx, toLink(asked.spaceId, request, commit?.oid, syncedId, link))
    const isNew = syncedId !== head.revision_id && syncedId !== synced.revisionId
    isHistoryDue = isNew && commit !== undefined && request?.isStandalone === false && hasHistory(plan)
    if (isHistoryDue && request !== undefined && commit !== undefined)
      await beginHistory(trx, asked.spaceId, commit.oid, request.remote.url)
    await finishOperation(trx, { revisionId, problems })
  }
  const input = {
    spaceId: asked.spaceId,
    base: synced,
    type: 'edits',
    createdBy: asked.createdBy,
    ...(git === undefined ? {} : { git }),
  } as const
  let revision: RevisionRow | undefined
  let changeRequestId: string | undefined
  const theirs = { head, input, plan, finish }
  // An import deletes nothing that this repository never had.
  const isUnrelated =
    asked.propose !== undefined &&
    !isKnown(request, link) &&
    (await hasPages(services, head)) &&
    plan.edits.size > 0
  if (isUnrelated) changeRequestId = await proposeTheirs(services, theirs, asked.propose)
  else if (request?.isStandalone === true) {
    const { edits, documents } = plan
    const alongside = (trx: Trx, { id }: RevisionRow) => finish(trx, id, id)
    revision = (await keepRevision(services, { ...input, edits, documents, alongside })).revision
  } else {
    revision = await publishOrMerge(services, { ...theirs, prefer }).catch(async error => {
      const isConflict = error instanceof Failure && error.code === 'import_conflicts'
      if (!isConflict || asked.propose === undefined) throw error
      changeRequestId = await proposeTheirs(services, theirs, asked.propose)
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

// Every answer about the revision contains it; git allows any length.
const MESSAGE_CHARACTERS_MAX = 5_000

/** Also for the author's name: git allows the same in it. */
export const storableMessage = (message: string): string =>
  replaceUnstorable(message.slice(0, MESSAGE_CHARACTERS_MAX))
