// The events of imports and exports of a commit: one when it starts, and one when it ends.
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'

type Of = { operation: string; direction: string }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The import of a commit into the space, whose head is `revision`; or the export of `revision` as a commit. */
    'space.git_sync_started': Of & { revision: string; commit: string }
    /** The result, or what was attempted; `revision` and `commit` are absent if it failed before a commit was known. */
    'space.git_sync_completed': Of & {
      state: 'success' | 'failure'
      revision?: string
      commit?: string
      errorCode?: string
    }
  }
}

/** The operation that the events are about. */
export type SyncOperation = {
  readonly id: string
  readonly direction: string
  readonly spaceId: string
  readonly createdBy: string | null
}

export type SyncedCommit = { readonly commit: string; readonly revision: string }

export type Completion =
  | ({ readonly state: 'success' } & SyncedCommit)
  /** `commit` is undefined if none was known yet. */
  | { readonly state: 'failure'; readonly errorCode: string; readonly commit: string | undefined }

export async function appendStarted(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  operation: SyncOperation,
  { commit, revision }: SyncedCommit,
): Promise<void> {
  const space = await findSpaceOf(trx, operation)
  if (space === undefined) return
  await events.append(trx, {
    type: 'space.git_sync_started',
    ...space.about,
    payload: { operation: operation.id, direction: operation.direction, revision, commit },
  })
}

export async function appendCompleted(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  { id, direction, ...of }: SyncOperation,
  completion: Completion,
): Promise<void> {
  const space = await findSpaceOf(trx, of)
  if (space === undefined) return
  const { state, commit } = completion
  const revision = state === 'success' ? completion.revision : space.revision
  await events.append(trx, {
    type: 'space.git_sync_completed',
    ...space.about,
    payload: {
      ...{ operation: id, direction, state },
      ...(state === 'failure' ? { errorCode: completion.errorCode } : {}),
      ...(commit === undefined ? {} : { revision, commit }),
    },
  })
}

/** Undefined for a space that was purged. */
async function findSpaceOf(trx: Trx, { spaceId, createdBy }: Pick<SyncOperation, 'spaceId' | 'createdBy'>) {
  const row = await trx
    .selectFrom('spaces')
    .select(['organization_id', 'revision_id'])
    .where('id', '=', spaceId)
    .executeTakeFirst()
  return (
    row && {
      revision: row.revision_id,
      about: { organizationId: row.organization_id, spaceId, actorId: createdBy },
    }
  )
}
