// Exports: what a space has and its repository lacks becomes one commit on top of the remote's branch.
//
// New commits of the remote are imported first, except those whose changes the space has already, from wherever. Then the
// commit is made from the differences to what the repository is known to have, and pushed. If the branch has moved, the push is refused and the export starts over. The
// push is recorded last: if the process ends before that, the next export imports the commit like any other and finds
// no difference.
import { now } from '../../base/clock.ts'
import { Failure, throttled } from '../../base/errors.ts'
import type { AnyRecord, Key } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { writeSpaceHead } from '../heads/write.ts'
import type { RevisionRow } from '../spaces/revisions.ts'
import { getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import type { ExportPlan } from './export-layout.ts'
import { ExportTarget } from './export-target.ts'
import { skip, WAITING_MAX } from './import.ts'
import { importTree } from './import-tree.ts'
import { isOutdated, toLink, toTip } from './link.ts'
import { publishOrMerge } from './merge-in.ts'
import { beginOperation, type RunningOperation } from './operation.ts'
import { cacheOf, git, type OpenedTree } from './repository.ts'
import { type ExportRequest, readExportRequest, toRevisionGit } from './request.ts'
import { countRunning, mayConnect, upsertLink } from './rows.ts'
import { publishOnHead, runOperation } from './run-operation.ts'
import type { ExportToGitRepository } from './schema.ts'
import { insertKnownCommit, type TipRow, upsertTip } from './tips.ts'
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
  readonly #target: ExportTarget

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
    this.#target = new ExportTarget(services, spaceId, request)
  }

  async run(signal: AbortSignal): Promise<void> {
    if (isOutdated(this.#request, await this.#target.findTip())) {
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
    this.#operation.report('repo_fetch', 0, 0)
    const { opened, hasBranch } = await this.#target.open(signal, (dispatched, completed) =>
      this.#operation.report('repo_fetch', dispatched, completed),
    )
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
    const tip = await this.#target.findTip()
    if (!this.#request.isForced) await this.#target.refuseProposed()
    const head = await getUndeletedSpace(this.#services.db, this.#spaceId)
    const content = await this.#services.contents.get(head.root_hash.toString('hex'))
    const plan = await this.#target.plan(opened, content, signal)
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

  /** Imports new commits of the remote. */
  async #pull(opened: OpenedTree, signal: AbortSignal): Promise<void> {
    const tip = await this.#target.findTip()
    if (!(await this.#target.hasNews(opened, signal))) return
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
