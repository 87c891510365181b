// Synchronizes the repositories that are due: first the import, then the export.
import { allows } from '../../access/policy.ts'
import { findEffectiveRole } from '../../access/roles.ts'
import { Failure, unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { type Exporter, exportRepository } from '../git-sync/export.ts'
import { importRepository } from '../git-sync/import.ts'
import { findSpace } from '../spaces/rows.ts'
import { readSecrets } from './actions.ts'
import {
  claimDue,
  type DueSync,
  isHeldBack,
  recordChangeRequest,
  recordEnding,
  renewClaim,
  type SyncResult,
} from './rows.ts'

// A process runs two imports or exports at a time; more would only queue.
const AT_ONCE = 2
const RENEW_MS = 20_000
const DELAY_MINUTES_MAX = 6 * 60

/** Resolves when nothing is due any more, or the server stops. */
export async function runDueSyncs(services: Services): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => runDue(services, newId())))
}

async function runDue(services: Services, by: string): Promise<void> {
  while (!services.tasks.isStopping) {
    const sync = await claimDue(services.db, by)
    if (sync === undefined) return
    const renewal = setInterval(() => {
      renewClaim(services.db, sync).catch(error =>
        services.log.warn({ err: error }, 'a claim was not renewed'),
      )
    }, RENEW_MS)
    try {
      await recordEnding(services.db, sync, await runSync(services, sync))
    } finally {
      clearInterval(renewal)
    }
  }
}

async function runSync(services: Services, sync: DueSync): Promise<SyncResult> {
  const done = { isPulled: false, isPushed: false }
  try {
    const space = await findSpace(services.db, sync.space_id)
    // A deleted space may be restored.
    if (space === undefined || space.deleted_at !== null)
      return { ...done, pullAgain: DELETED_MINUTES, pushAgain: DELETED_MINUTES, failure: undefined }
    const owner = await findOwner(services, sync, space.organization_id)
    if (owner === undefined) return { ...done, pullAgain: null, pushAgain: null, failure: WITHOUT_OWNER }
    const { remote: url } = readSecrets(services, sync)
    const { space_id: spaceId, ref, project_directory: projectDirectory } = sync
    const pushes = sync.isPushDue && sync.pushes
    let isHeld = await isHeldBack(services.db, spaceId)
    // An export makes no change requests, so conflicting changes are imported first.
    if (sync.isPullDue || (pushes && !isHeld)) {
      await importRepository(services, {
        ...{ spaceId, url, ref, projectDirectory, createdBy: owner.id },
        propose: (trx, id) => recordChangeRequest(trx, sync, id),
      }).catch(error => {
        if (!sync.pushes || !isNothingThere(error)) throw error
      })
      done.isPulled = true
      isHeld = await isHeldBack(services.db, spaceId)
    }
    if (services.tasks.isStopping) throw unavailable('interrupted', 'The server stops.')
    if (pushes && !isHeld) {
      await exportRepository(services, spaceId, owner, {
        ...{ url, ref, repoProjectDirectory: projectDirectory, commitMessage: COMMIT_MESSAGE },
      })
      done.isPushed = true
    }
    // Settling the change request makes a push due, but deleting it does not.
    return {
      ...{ ...done, pullAgain: sync.pull_every_minutes, failure: undefined },
      pushAgain: isHeld ? HELD_MINUTES : null,
    }
  } catch (error) {
    // Another process, or this one after a restart, continues at once.
    if (error instanceof Failure && error.code === 'interrupted')
      return { ...done, pullAgain: 0, pushAgain: 0, failure: undefined }
    const failure = toFailure(services, sync, error)
    const delay = Math.min(2 ** Math.min(sync.failures, 16), DELAY_MINUTES_MAX)
    return { ...done, failure, pullAgain: done.isPulled ? sync.pull_every_minutes : delay, pushAgain: delay }
  }
}

/** A repository without a commit, or without the branch: a push creates them. */
const isNothingThere = (error: unknown): boolean =>
  error instanceof Failure && ['git_repository_empty', 'git_ref_missing'].includes(error.code)

const COMMIT_MESSAGE = 'Update from Octavo'
const HELD_MINUTES = 5
const DELETED_MINUTES = 60
const WITHOUT_OWNER = {
  code: 'owner',
  message:
    'The person who set this up is no longer an admin of the space. Another admin must set it up again.',
}

/** The owner, if they may still set up the synchronization. */
async function findOwner(
  { db, principals }: Services,
  { owner_id, space_id }: DueSync,
  organizationId: string,
): Promise<Exporter | undefined> {
  const owner = owner_id === null ? undefined : await principals.findPerson(owner_id)
  if (owner === undefined) return undefined
  const { role } = await findEffectiveRole(db, owner, organizationId, { kind: 'space', id: space_id })
  const { id, display_name: name, email } = owner.user
  return allows('space', 'admin', role) ? { id, name, email } : undefined
}

function toFailure({ log }: Services, { space_id }: DueSync, error: unknown): SyncResult['failure'] {
  if (error instanceof Failure) return { code: error.code, message: error.message }
  log.error({ err: error, space: space_id }, 'bug')
  return { code: 'internal', message: 'Something went wrong on our side; the log of the server has more.' }
}
