// A running operation: its row is updated regularly with its progress, which shows that it is alive.
import { monotonicMs, now } from '../../base/clock.ts'
import type { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { problemsOf } from './layout/problems.ts'
import type { Problem } from './layout.ts'
import { endLostOperations, insertOperation, leaveOutHistories, updateOperation } from './rows.ts'
import type { Layout, Stage } from './schema.ts'
import { appendCompleted, appendStarted, type SyncedCommit, type SyncOperation } from './sync-events.ts'

/** A running operation updates its row this often; one that does not for six times as long counts as lost. */
const HEARTBEAT_SECONDS = 10
const LOST_AFTER_SECONDS = 60
const WRITE_EVERY_MILLISECONDS = 300

export type Progress = {
  readonly stage: Stage
  readonly dispatchedTasks: number
  readonly completedTasks: number
}

export type OperationResult = {
  readonly revisionId: string
  readonly commit: string | undefined
  readonly isSkipped: boolean
  readonly problems: readonly Problem[]
}

type OperationServices = Pick<Services, 'db' | 'events' | 'log' | 'transaction'>

/** Inserts its row: from then on `git/operations` shows it, even if it fails. */
export async function beginOperation(
  services: OperationServices,
  operation: {
    direction: 'import' | 'export'
    spaceId: string
    url: string
    ref: string
    createdBy: string | null
  },
  onProgress: (progress: Progress) => void = () => {},
): Promise<RunningOperation> {
  // In a transaction, which marks the Idempotency-Key of the request: repeated, it begins no other one.
  const row = await services.transaction(trx =>
    insertOperation(trx, {
      id: newId(),
      space_id: operation.spaceId,
      direction: operation.direction,
      state: 'running',
      stage: 'repo_fetch',
      url: operation.url,
      ref: operation.ref,
      created_by: operation.createdBy,
    }),
  )
  const { direction, spaceId, createdBy, ref } = operation
  return new RunningOperation(services, { id: row.id, direction, spaceId, createdBy }, ref !== '', onProgress)
}

export class RunningOperation {
  readonly #operation: SyncOperation
  /** Imports of folders have none. */
  readonly #hasEvents: boolean
  readonly #services: OperationServices
  readonly #onProgress: (progress: Progress) => void
  readonly #heartbeat: NodeJS.Timeout
  #progress: Progress = { stage: 'repo_fetch', dispatchedTasks: 0, completedTasks: 0 }
  // Each write is a durable commit, so an import that ends at once writes none.
  #writtenAt = monotonicMs()
  #writing: Promise<unknown> | undefined
  #isOver = false
  #layout: Layout | null = null
  /** The commit that has a start event but no end event yet. */
  #started: SyncedCommit | undefined

  constructor(
    services: OperationServices,
    operation: SyncOperation,
    hasEvents: boolean,
    onProgress: (progress: Progress) => void,
  ) {
    this.#services = services
    this.#operation = operation
    this.#hasEvents = hasEvents
    this.#onProgress = onProgress
    // Waiting for its turn counts as running, so the heartbeat starts at once.
    this.#heartbeat = setInterval(() => this.#write(), HEARTBEAT_SECONDS * 1000).unref()
  }

  get id(): string {
    return this.#operation.id
  }

  get stage(): Stage {
    return this.#progress.stage
  }

  report(stage: Stage, dispatchedTasks: number, completedTasks: number): void {
    this.#progress = { stage, dispatchedTasks, completedTasks }
    this.#onProgress(this.#progress)
    if (monotonicMs() - this.#writtenAt >= WRITE_EVERY_MILLISECONDS) this.#write()
  }

  /** The detected layout. */
  setLayout(layout: Layout): void {
    this.#layout = layout
  }

  /** Begins the import or export of a commit. One of another commit that began before has failed. */
  async start(started: SyncedCommit): Promise<void> {
    const before = this.#started
    if (before?.commit === started.commit) return
    await this.#services.transaction(async trx => {
      if (before !== undefined)
        await appendCompleted(trx, this.#services, this.#operation, {
          ...{ state: 'failure', commit: before.commit, errorCode: 'git_remote_moved' },
        })
      await updateOperation(trx, this.id, { commit_oid: started.commit })
      await appendStarted(trx, this.#services, this.#operation, started)
    })
    this.#started = started
  }

  /** In the transaction that imported or exported the commit; the operation continues. */
  async recordCommit(trx: Trx, revision: string): Promise<void> {
    const started = this.#started
    if (started === undefined) return
    await appendCompleted(trx, this.#services, this.#operation, { state: 'success', ...started, revision })
    afterCommit(() => {
      this.#started = undefined
    })
  }

  /** Everything is done except the transaction that updates the row. */
  complete(): void {
    this.#progress = { ...this.#progress, completedTasks: this.#progress.dispatchedTasks }
    this.#onProgress(this.#progress)
  }

  /** In the transaction that made the revision, so that a revision without its operation is never seen. */
  async recordSuccess(trx: Trx, ending: OperationResult): Promise<void> {
    const { dispatchedTasks, stage } = this.#progress
    await updateOperation(trx, this.id, {
      state: 'success',
      stage,
      dispatched_tasks: dispatchedTasks,
      completed_tasks: dispatchedTasks,
      commit_oid: ending.commit ?? null,
      revision_id: ending.revisionId,
      is_skipped: ending.isSkipped,
      layout: this.#layout,
      problems: JSON.stringify(ending.problems),
      error_code: null,
      error: null,
      updated_at: now(),
      completed_at: now(),
    })
    await this.recordCommit(trx, ending.revisionId)
  }

  async recordFailure(failure: Failure): Promise<void> {
    const { code, message } = failure
    await this.#services.transaction(async trx => {
      await updateOperation(trx, this.id, {
        state: 'failure',
        stage: this.#progress.stage,
        layout: this.#layout,
        error_code: code,
        error: message,
        problems: JSON.stringify(problemsOf(failure)),
        updated_at: now(),
        completed_at: now(),
      })
      if (this.#hasEvents)
        await appendCompleted(trx, this.#services, this.#operation, {
          ...{ state: 'failure', commit: this.#started?.commit, errorCode: code },
        })
    })
  }

  /** After this, only the ending is written. */
  async stopReporting(): Promise<void> {
    this.#isOver = true
    clearInterval(this.#heartbeat)
    await this.#writing
  }

  // One write at a time: states reported during a write are skipped, so that reports never wait for the database.
  #write(): void {
    if (this.#writing !== undefined || this.#isOver) return
    this.#writtenAt = monotonicMs()
    const { stage, dispatchedTasks, completedTasks } = this.#progress
    this.#writing = updateOperation(this.#services.db, this.id, {
      stage,
      dispatched_tasks: dispatchedTasks,
      completed_tasks: completedTasks,
      updated_at: now(),
    })
      .catch(error => this.#services.log.warn({ err: error, operation: this.id }, 'progress was not written'))
      .finally(() => {
        this.#writing = undefined
      })
  }
}

/**
 * Marks operations as failed whose process has ended: those without a heartbeat for LOST_AFTER_SECONDS, or with `all`,
 * when no other process can be running, all of them and all histories being fetched. Returns the number of operations.
 */
export async function markInterrupted(
  services: Pick<Services, 'db' | 'events' | 'transaction'>,
  { all }: { readonly all: boolean },
): Promise<number> {
  const at = now()
  if (all) await leaveOutHistories(services.db, 'interrupted')
  const before = all ? null : new Date(at.getTime() - LOST_AFTER_SECONDS * 1000)
  return services.transaction(async trx => {
    const lost = await endLostOperations(trx, before, {
      state: 'failure',
      error_code: ERROR_CODE,
      error: INTERRUPTED,
      updated_at: at,
      completed_at: at,
    })
    for (const { id, direction, space_id: spaceId, created_by: createdBy, commit_oid, ref } of lost)
      if (ref !== '')
        await appendCompleted(
          trx,
          services,
          { id, direction, spaceId, createdBy },
          { state: 'failure', commit: commit_oid ?? undefined, errorCode: ERROR_CODE },
        )
    return lost.length
  })
}

const ERROR_CODE = 'interrupted'

export const INTERRUPTED = 'The server stopped before this was done. The space is as it was; start it again.'
