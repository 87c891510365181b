// Exports: what a space has and its repository lacks becomes one commit on top of the remote's branch.
//
// New commits of the remote are imported first, except those whose changes the space has already, from wherever. Then the
// commit is made from the differences to what the repository is known to have, and pushed. If the branch has moved, the push is refused and the export starts over. The
// push is recorded last: if the process ends before that, the next export imports the commit like any other and finds
// no difference.
import { now } from '../../base/clock.ts'
import { conflict, Failure, throttled } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import type { AnyRecord, Key } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { writeSpaceHead } from '../heads/write.ts'
import { findRevision, type RevisionRow } from '../spaces/revisions.ts'
import { getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import { type CommitContent, contentOfCommit } from './commit-content.ts'
import { type ExportPlan, planExport } from './export-layout.ts'
import { awaitHistories, findContinued } from './history.ts'
import { skip, WAITING_MAX } from './import.ts'
import { importTree } from './import-tree.ts'
import type { Source } from './layout/source.ts'
import { isOutdated, isUsable, placeOf, toLink, toTip } from './link.ts'
import { publishOrMerge } from './merge-in.ts'
import { beginOperation, type RunningOperation } from './operation.ts'
import { cacheOf, git, type OpenedTree, openRepository } from './repository.ts'
import { type ExportRequest, readExportRequest, toRevisionGit } from './request.ts'
import { countRunning, mayConnect, upsertLink } from './rows.ts'
import { publishOnHead, runOperation } from './run-operation.ts'
import type { ExportToGitRepository } from './schema.ts'
import { createSource, EMPTY_TREE, listEntries } from './sources.ts'
import { findTip, insertKnownCommit, isKnownCommit, listRelatedTips, type TipRow, upsertTip } from './tips.ts'
import { toChanges } from './written-changes.ts'

/** Who made the commit. */
export type Exporter = { readonly id: string; readonly name: string; readonly email: string }

/**
 * Checks the request, records the operation and starts it; returns the operation's id. Like an import it continues in
 * this process after the answer, because its credentials may not be stored.
 */
export async function startExport(
  services: Services,
  space: SpaceRow,
  exporter: Exporter,
  body: ExportToGitRepository,
): Promise<string> {
  const request = readExportRequest(body)
  if ((await countRunning(services.db, space.id)) >= WAITING_MAX)
    throw throttled(
      'Too many imports and exports of this space are waiting. Try again when some of them are done.',
    )
  const { id, ended } = await begin(services, space.id, exporter, request)
  // How it failed is in its row.
  ended.catch(() => {})
  return id
}

/** Exports and waits for the end. Rejects with the reason of a failure. */
export async function exportRepository(
  services: Services,
  spaceId: string,
  exporter: Exporter,
  body: ExportToGitRepository,
): Promise<void> {
  const { ended } = await begin(services, spaceId, exporter, readExportRequest(body))
  await ended
}

async function begin(
  services: Services,
  spaceId: string,
  exporter: Exporter,
  request: ExportRequest,
): Promise<{ readonly id: string; readonly ended: Promise<void> }> {
  const operation = await beginOperation(services, {
    direction: 'export',
    spaceId,
    url: request.remote.url,
    ref: request.ref,
    createdBy: exporter.id,
  })
  const exporting = new Export(services, spaceId, exporter, request, operation)
  return {
    id: operation.id,
    ended: runOperation(services, spaceId, operation, signal => exporting.run(signal)),
  }
}

// After five lost races, somebody most likely pushes to the branch continuously.
const PUSHES_MAX = 5

class Export {
  readonly #services: Services
  readonly #spaceId: string
  readonly #exporter: Exporter
  readonly #request: ExportRequest
  readonly #operation: RunningOperation

  constructor(
    services: Services,
    spaceId: string,
    exporter: Exporter,
    request: ExportRequest,
    operation: RunningOperation,
  ) {
    this.#services = services
    this.#spaceId = spaceId
    this.#exporter = exporter
    this.#request = request
    this.#operation = operation
  }

  async run(signal: AbortSignal): Promise<void> {
    if (isOutdated(this.#request, await this.#findTip())) {
      await skip(this.#services, { spaceId: this.#spaceId }, this.#operation, undefined)
      return
    }
    for (let push = 1; ; push += 1) {
      try {
        return await this.#try(signal)
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'git_remote_moved' || push === PUSHES_MAX)
          throw error
      }
    }
  }

  async #try(signal: AbortSignal): Promise<void> {
    const { opened, hasBranch } = await this.#open(signal)
    try {
      await this.#export(opened, hasBranch, signal)
    } finally {
      opened.close?.()
    }
  }

  async #export(opened: OpenedTree, hasBranch: boolean, signal: AbortSignal): Promise<void> {
    const onto = opened.commit?.oid
    // The default branch is not a newer state of a deleted branch: importing it could remove everything in the space.
    if (hasBranch) await this.#pull(opened, signal)
    const tip = await this.#findTip()
    if (!this.#request.isForced) await refuseProposed(this.#services, tip)
    const head = await getUndeletedSpace(this.#services.db, this.#spaceId)
    const content = await this.#services.contents.get(head.root_hash.toString('hex'))
    const source = await this.#sourceOf(opened, signal)
    const base = await this.#findBase(source, opened, content)
    const reading = base === undefined ? source : { ...source, readDocuments: base.readDocuments }
    const plan = await planExport(reading, { base: base?.content, head: content }, this.#request)
    if (plan.writes.length === 0 && plan.removes.length === 0) {
      if (!hasBranch && onto !== undefined) await this.#push(onto, head, signal)
      await this.#finish(head, plan, new Map(), onto, tip)
      return
    }
    const { oid, oids } = await this.#write(onto, plan, signal)
    await this.#push(oid, head, signal)
    await this.#finish(head, plan, oids, oid, tip)
  }

  async #push(oid: string, { revision_id: revision }: SpaceRow, signal: AbortSignal): Promise<void> {
    const { remote, ref } = this.#request
    await this.#operation.start({ commit: oid, revision })
    await git.pushCommit({ ...this.#gitOptions(signal), remote, oid, ref })
  }

  #gitOptions(signal: AbortSignal) {
    const { config, guard } = this.#services
    return {
      directory: cacheOf(config, this.#spaceId),
      guard,
      deadlineMs: config.gitSecondsMax * 1000,
      signal,
    }
  }

  /** A missing branch starts at the repository's default branch; an empty repository has no commit. */
  async #open(signal: AbortSignal): Promise<{ opened: OpenedTree; hasBranch: boolean }> {
    this.#operation.report('repo_fetch', 0, 0)
    const { remote } = this.#request
    const fetch = (ref: string): Promise<OpenedTree> =>
      openRepository(this.#services, this.#spaceId, { remote, ref }, signal, (dispatched, completed) =>
        this.#operation.report('repo_fetch', dispatched, completed),
      )
    try {
      return { opened: await fetch(this.#request.ref), hasBranch: true }
    } catch (error) {
      const code = error instanceof Failure ? error.code : undefined
      if (code === 'git_ref_missing') return { opened: await fetch('HEAD'), hasBranch: false }
      if (code !== 'git_repository_empty') throw error
      return { opened: { tree: EMPTY_TREE, madeAt: now().toISOString() }, hasBranch: false }
    }
  }

  /** Imports new commits of the remote. */
  async #pull(opened: OpenedTree, signal: AbortSignal): Promise<void> {
    const tip = await this.#findTip()
    const oid = opened.commit?.oid
    if (oid === undefined || (isUsable(tip) && tip.commit_oid === oid)) return
    if (await this.#isKnown(oid)) return
    if (!isUsable(tip) && !(await this.#isContinued(oid, signal))) return
    const asked = {
      spaceId: this.#spaceId,
      createdBy: this.#exporter.id,
      projectDirectory: this.#request.projectDirectory,
      isForced: this.#request.isForced,
      request: { ...this.#request, isStandalone: false },
    }
    await importTree(this.#services, asked, {
      ...{ tip, opened, signal, operation: this.#operation },
      prefer: this.#request.isForced ? 'ours' : undefined,
      finish: (trx, { revisionId }) => this.#operation.recordCommit(trx, revisionId),
    })
  }

  /** Whether the space has the changes of the commit, from whichever repository it had them. */
  async #isKnown(oid: string): Promise<boolean> {
    await awaitHistories(this.#spaceId)
    return isKnownCommit(this.#services.db, this.#spaceId, this.#request.projectDirectory, oid)
  }

  /** Whether the commit is later than one that the space has from another repository or branch. */
  async #isContinued(oid: string, signal: AbortSignal): Promise<boolean> {
    const related = await listRelatedTips(this.#services.db, this.#spaceId, this.#request)
    const asked = { ...this.#request, oid }
    return (await findContinued(this.#services, this.#spaceId, asked, related, signal)) !== undefined
  }

  #findTip(): Promise<TipRow | undefined> {
    return findTip(this.#services.db, this.#spaceId, placeOf(this.#request))
  }

  /** The space as the commit has it; undefined if its changes never came into the space. */
  async #findBase(source: Source, opened: OpenedTree, head: Content): Promise<CommitContent | undefined> {
    const { db, contents } = this.#services
    const { projectDirectory } = this.#request
    const oid = opened.commit?.oid
    if (oid === undefined) return undefined
    const rootOf = async (tip: TipRow | undefined) =>
      tip && (await findRevision(db, this.#spaceId, tip.revision_id))?.root_hash.toString('hex')
    const own = await this.#findTip()
    const related = await listRelatedTips(db, this.#spaceId, this.#request)
    const tips = isUsable(own) ? [own, ...related] : related
    const same = await rootOf(tips.find(({ commit_oid }) => commit_oid === oid))
    if (same !== undefined) return { content: await contents.get(same), readDocuments: source.readDocuments }
    if (!(await this.#isKnown(oid))) return undefined
    const later = await rootOf(related[0])
    if (later === undefined) return undefined
    const { madeAt: committedAt } = opened
    return contentOfCommit(this.#services, source, { root: later, head, projectDirectory, committedAt })
  }

  async #sourceOf({ tree, commit }: OpenedTree, signal: AbortSignal) {
    const { projectDirectory } = this.#request
    const entries =
      commit === undefined
        ? []
        : await listEntries(tree, projectDirectory, this.#services.config.repositoryFilesMax, signal).catch(
            // A missing directory is created by the commit.
            error => {
              if (error instanceof Failure && error.code === 'directory_missing') return []
              throw error
            },
          )
    return createSource(this.#services, this.#spaceId, tree, entries, signal)
  }

  async #write(parent: string | undefined, plan: ExportPlan, signal: AbortSignal) {
    const { name, email } = this.#exporter
    const count = plan.writes.length + plan.removes.length
    const { changes, oids } = toChanges(this.#services, plan, completed =>
      this.#operation.report('content_process', count, completed),
    )
    const oid = await git.writeCommit({
      ...this.#gitOptions(signal),
      parents: parent === undefined ? [] : [parent],
      author: { name, email },
      committer: { name, email },
      at: now(),
      message: this.#request.message,
      changes,
    })
    this.#operation.report('finalize', 1, 0)
    return { oid, oids }
  }

  /**
   * Records the repository's blob ids in the documents of the head, and in the link that the repository has this head.
   */
  async #finish(
    exported: SpaceRow,
    plan: ExportPlan,
    oids: ReadonlyMap<Key, string>,
    commit: string | undefined,
    tip: TipRow | undefined,
  ): Promise<void> {
    const base = { revisionId: exported.revision_id, root: exported.root_hash.toString('hex') }
    const edits = await this.#editsOf(base.root, plan, oids)
    const documents: StoredObject[] = plan.summary === undefined ? [] : [plan.summary]
    const isSkipped = plan.writes.length === 0 && plan.removes.length === 0
    const finish = async (trx: Trx, revisionId: string, syncedId: string) => {
      if (commit !== undefined) {
        const isConnected = await mayConnect(trx, this.#operation.id)
        const row = toTip(this.#spaceId, this.#request, commit, syncedId, tip)
        await upsertTip(trx, { ...row, change_request_id: null, is_forgotten: !isConnected })
        if (isConnected) {
          await upsertLink(trx, toLink(this.#spaceId, this.#request, commit, syncedId, tip))
          await insertKnownCommit(trx, this.#spaceId, this.#request.projectDirectory, commit)
        }
      }
      this.#operation.complete()
      await this.#operation.recordSuccess(trx, {
        revisionId,
        commit,
        isSkipped,
        problems: plan.problems,
      })
    }
    const git =
      commit === undefined
        ? undefined
        : toRevisionGit(this.#request, {
            oid: commit,
            message: this.#request.message,
            createdByGitBook: true,
          })
    await publishOnHead(this.#spaceId, async () => {
      const head = await getUndeletedSpace(this.#services.db, this.#spaceId)
      const input = {
        spaceId: this.#spaceId,
        base,
        type: 'edits',
        createdBy: this.#exporter.id,
        ...(git === undefined ? {} : { git }),
      } as const
      if (edits.size === 0 && git !== undefined && !isSkipped && head.revision_id === base.revisionId) {
        // The revision that says which commit has this content; what was edited here has its blob ids already.
        const content = { root: base.root, objects: [] }
        const alongside = (trx: Trx, { id }: RevisionRow) => finish(trx, id, id)
        return writeSpaceHead(this.#services, { ...input, content, alongside })
      }
      if (edits.size === 0)
        return this.#services.transaction(trx => finish(trx, head.revision_id, base.revisionId))
      const plan = { edits, documents }
      await publishOrMerge(this.#services, { head, input, plan, prefer: 'ours', finish })
    })
  }

  async #editsOf(root: string, plan: ExportPlan, oids: ReadonlyMap<Key, string>) {
    const { pages, files, reusables } = await this.#services.contents.get(root)
    const edits = new Map<Key, AnyRecord>()
    for (const [key, oid] of oids) {
      const id = key.slice(key.indexOf('/') + 1)
      const record = pages.get(id) ?? files.get(id) ?? reusables.get(id)
      if (record !== undefined && record.oid !== oid) edits.set(key, { ...record, oid })
    }
    if (plan.summary !== undefined) edits.set('git/summary', plan.summary.hash)
    return edits
  }
}

/** Writing over a branch whose changes wait for a decision would decide it. */
async function refuseProposed({ db }: Services, tip: TipRow | undefined): Promise<void> {
  const id = isUsable(tip) ? tip.change_request_id : null
  const request = id === null ? undefined : await findChangeRequest(db, id)
  if (request === undefined || !['draft', 'open'].includes(request.status)) return
  throw conflict(
    'change_request_open',
    `What the repository has is in change request ${request.number}, which is not decided yet. Nothing was exported. Merge or archive it first, or export with force: then the space wins.`,
  )
}
