// How many conflicts open change requests have with their space: counted by a job whenever a head has moved, for lists and
// for their authors, so that no request has to merge to say it.
import { sql } from 'kysely'
import { Failure } from '../../base/errors.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { Events, EventType } from '../../platform/events/append.ts'
import type { PositionedEvent } from '../../platform/events/positions.ts'
import { type Jobs, jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { mergeContents } from '../conflicts/merging.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** With the heads of now there are `conflicts`, where there were `before`. Nobody did it. */
    'change_request.conflicts_changed': { changeRequest: string; conflicts: number; before: number }
  }
}

const COUNT_CONFLICTS = jobType<{ space: string }>('merges.count_conflicts')

// Edits come in bursts: one job counts after all of them, and only for the newest heads.
const DELAY_SECONDS = 5
/** Of one space: those that changed last. */
const COUNTED_MAX = 100
/** Too much to merge at once: how many is not known. */
const UNKNOWN = -1

const MOVES: ReadonlySet<string> = new Set<EventType>([
  'space.published',
  'change_request.edited',
  // A change request that is opened again.
  'change_request.changed',
])

export function listenAsKnownConflicts(events: Events, jobs: Jobs): void {
  events.whenPositioned((trx, placed) => enqueueCounts(trx, jobs, placed))
}

export const knownConflictJobs = (services: Services): JobHandler[] => [
  handle(COUNT_CONFLICTS, ({ space }, { signal }) => countConflicts(services, space, signal)),
]

async function enqueueCounts(trx: Trx, jobs: Jobs, placed: readonly PositionedEvent[]): Promise<void> {
  const moved = new Map(
    placed.flatMap(({ type, spaceId, organizationId }) =>
      spaceId !== null && MOVES.has(type) ? [[spaceId, organizationId]] : [],
    ),
  )
  if (moved.size === 0) return
  const open = await trx
    .selectFrom('change_requests')
    .select('space_id')
    .distinct()
    .where(sql<boolean>`space_id = any(${[...moved.keys()]}::text[])`)
    .where('status', 'in', ['draft', 'open'])
    .execute()
  for (const { space_id: space } of open) {
    const organization = moved.get(space)
    await jobs.enqueue(
      trx,
      COUNT_CONFLICTS,
      { space },
      { key: space, delaySeconds: DELAY_SECONDS, ...(organization === undefined ? {} : { organization }) },
    )
  }
}

/** Idempotent. A pair of heads that is overtaken meanwhile is counted again by the job of the one that overtook it. */
export async function countConflicts(
  services: Pick<Services, 'db' | 'compute' | 'objects' | 'transaction' | 'events'>,
  spaceId: string,
  signal: AbortSignal,
): Promise<void> {
  for (const pair of await listUncounted(services.db, spaceId)) {
    signal.throwIfAborted()
    await record(services, pair, await countOf(services, spaceId, pair))
  }
}

type Pair = {
  readonly id: string
  readonly organization_id: string
  readonly space_id: string
  readonly revision_id: string
  readonly space_revision_id: string
  readonly base: Hash
  readonly ours: Hash
  readonly theirs: Hash
}

/** Open change requests of which no count is known for the heads of now. */
async function listUncounted(db: Db, spaceId: string): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    select one.id, spaces.organization_id, one.space_id, one.revision_id, spaces.revision_id as space_revision_id,
      encode(bases.root_hash, 'hex') as base, encode(ours.root_hash, 'hex') as ours,
      encode(theirs.root_hash, 'hex') as theirs
    from change_requests as one
    join spaces on spaces.id = one.space_id and spaces.deleted_at is null
    join revisions as ours on ours.id = spaces.revision_id
    join revisions as theirs on theirs.id = one.revision_id
    join revisions as bases on bases.id = coalesce(one.revision_merged_ancestor_id, one.revision_initial_id)
    where one.space_id = ${spaceId} and one.status in ('draft', 'open')
      and not exists (select from known_conflicts as known where known.change_request_id = one.id
        and known.revision_id = one.revision_id and known.space_revision_id = spaces.revision_id)
    order by one.updated_at desc, one.id limit ${COUNTED_MAX}`.execute(db)
  return rows
}

async function countOf(
  services: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  { base, ours, theirs }: Pair,
): Promise<number> {
  if (base === ours || base === theirs || ours === theirs) return 0
  try {
    const versions = { base, ours, theirs, resolutions: [] }
    return (await mergeContents(services, spaceId, services.objects, versions)).conflicts.length
  } catch (error) {
    if (error instanceof Failure && error.code === 'merge_too_large') return UNKNOWN
    throw error
  }
}

const record = (
  { transaction, events }: Pick<Services, 'transaction' | 'events'>,
  pair: Pair,
  count: number,
): Promise<void> =>
  transaction(async trx => {
    const { id, organization_id: organizationId, space_id: spaceId } = pair
    const known = await trx
      .selectFrom('known_conflicts')
      .select('count')
      .where('change_request_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    // It may have been deleted.
    const written =
      await sql`insert into known_conflicts (change_request_id, space_revision_id, revision_id, count)
      select id, ${pair.space_revision_id}, ${pair.revision_id}, ${count} from change_requests where id = ${id}
      on conflict (change_request_id) do update set space_revision_id = excluded.space_revision_id,
        revision_id = excluded.revision_id, count = excluded.count
      returning change_request_id`.execute(trx)
    const [before, conflicts] = [Math.max(0, known?.count ?? 0), Math.max(0, count)]
    if (written.rows.length === 0 || before === conflicts) return
    await events.append(trx, {
      type: 'change_request.conflicts_changed',
      organizationId,
      spaceId,
      payload: { changeRequest: id, conflicts, before },
    })
  })
