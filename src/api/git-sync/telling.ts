// What is told of imports and exports: that a commit is carried over, and what came of it.
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'

type Of = { operation: string; direction: string }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** A commit comes into the space, whose head is `revision`; or it goes out, and has what `revision` has. */
    'space.git_sync_started': Of & { revision: string; commit: string }
    /** What a success made, or what was tried; `revision` and `commit` are absent where it failed before a commit was known. */
    'space.git_sync_completed': Of & {
      state: 'success' | 'failure'
      revision?: string
      commit?: string
      errorCode?: string
    }
  }
}

/** The operation that is told of. */
export type Told = {
  readonly id: string
  readonly direction: string
  readonly spaceId: string
  readonly createdBy: string | null
}

export type Carried = { readonly commit: string; readonly revision: string }

type Telling = Pick<Services, 'events'>

export async function tellStarted(
  trx: Trx,
  { events }: Telling,
  told: Told,
  { commit, revision }: Carried,
): Promise<void> {
  const space = await findSpaceOf(trx, told)
  if (space === undefined) return
  await events.append(trx, {
    type: 'space.git_sync_started',
    ...space.about,
    payload: { operation: told.id, direction: told.direction, revision, commit },
  })
}

export async function tellSuccess(
  trx: Trx,
  { events }: Telling,
  told: Told,
  { commit, revision }: Carried,
): Promise<void> {
  const space = await findSpaceOf(trx, told)
  if (space === undefined) return
  await events.append(trx, {
    type: 'space.git_sync_completed',
    ...space.about,
    payload: { operation: told.id, direction: told.direction, state: 'success', revision, commit },
  })
}

/** `commit` is undefined where none was known yet. */
export async function tellFailure(
  trx: Trx,
  { events }: Telling,
  told: Told,
  { commit, errorCode }: { readonly commit: string | undefined; readonly errorCode: string },
): Promise<void> {
  const space = await findSpaceOf(trx, told)
  if (space === undefined) return
  await events.append(trx, {
    type: 'space.git_sync_completed',
    ...space.about,
    payload: {
      ...{ operation: told.id, direction: told.direction, state: 'failure', errorCode },
      ...(commit === undefined ? {} : { revision: space.revision, commit }),
    },
  })
}

/** Undefined for a space that was purged. */
async function findSpaceOf(trx: Trx, { spaceId, createdBy }: Told) {
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
