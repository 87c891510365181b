// Sweeping: removes objects that no revision reaches any more, after spaces were purged.
//
// It must never remove an object that a writer is about to rely on. The argument:
// 1. What a new revision reaches, it reaches through the revision it was made from, which is in the table and found by
//    the walk below, or because its writer put it in the transaction that inserts the revision, or right ahead
//    of it (document-rows.ts). Putting touches: afterwards `touched_at` is at most an hour old (objects.ts).
// 2. Only objects last touched more than SWEEP_GRACE_HOURS ago are removed, so nothing that was put lately is.
// 3. An old object that is put while the sweep runs: the second waits for the row's lock. A delete that
//    waited sees the new `touched_at`, which no longer fulfils its condition (PostgreSQL evaluates it again); a writer
//    that waited finds no row and inserts it again.
// 4. The sections, words and links of a document go with it, in the same statement. A publication writes a document
//    before these, so it has waited for that statement when it looks which of them are there (document-rows.ts).
import { sql } from 'kysely'
import { now } from '../../base/clock.ts'
import { readReachable } from '../../engines/content/reachable.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findSetting, insertSetting, updateSetting } from '../../platform/db/settings.ts'
import { liftDeadline } from '../../platform/db/statement-deadline.ts'

const SWEEP_GRACE_HOURS = 24
const BATCH = 1000

type SweepServices = Pick<Services, 'db' | 'objects' | 'log'>

const SWEPT_AT = 'objects_swept_at'
const PURGED_AT = 'objects_purged_at'
// Objects written ahead for a revision that was never published are left behind without a purge.
const SWEEP_ANYWAY_MS = 7 * 24 * 3_600_000

/** A purged space leaves objects that no revision reaches. */
export const noteObjectsPurged = (trx: Trx): Promise<void> => setTime(trx, PURGED_AT, now().getTime())

async function setTime(trx: Trx, name: string, time: number): Promise<void> {
  await insertSetting(trx, name, time)
  await updateSetting(trx, name, time)
}

/** Sweeps after spaces were purged, otherwise once a week. If not due, only two settings are read. */
export async function sweepObjectsWhenDue(
  services: SweepServices & Pick<Services, 'transaction'>,
): Promise<number> {
  const startedAt = now().getTime()
  const sweptAt = (await findSetting<number>(services.db, SWEPT_AT)) ?? 0
  const purgedAt = (await findSetting<number>(services.db, PURGED_AT)) ?? 0
  if (sweptAt > purgedAt && startedAt - sweptAt < SWEEP_ANYWAY_MS) return 0
  const removed = await sweepObjects(services)
  await services.transaction(trx => setTime(trx, SWEPT_AT, startedAt))
  return removed
}

/** Removes unreachable objects; returns how many. Walks each distinct node once, however many revisions there are. */
export async function sweepObjects(services: SweepServices): Promise<number> {
  const candidates = await findCandidates(services)
  if (candidates.size > 0) {
    const roots = await services.db.selectFrom('revisions').select('root_hash').distinct().execute()
    const reachable = readReachable(
      services.objects,
      roots.map(row => row.root_hash.toString('hex')),
    )
    for await (const hash of reachable) candidates.delete(hash)
  }
  let removed = 0
  for (const batch of batchesOf(candidates, BATCH)) {
    const hashes = batch.map(hash => Buffer.from(hash, 'hex'))
    const { rows } = await sql<{ count: number }>`with gone as (
        delete from objects where hash = any(${hashes}::bytea[])
          and touched_at < now() - make_interval(hours => ${SWEEP_GRACE_HOURS})
        returning hash),
      unsearchable as (delete from sections using gone where sections.document_hash = gone.hash),
      unknown as (delete from document_words using gone where document_words.document_hash = gone.hash),
      unlinked as (delete from document_links using gone where document_links.document_hash = gone.hash)
      select count(*)::integer as count from gone`.execute(services.db)
    removed += rows[0]?.count ?? 0
  }
  if (removed > 0) services.log.info({ objects: removed }, 'removed objects that no revision reaches')
  return removed
}

async function findCandidates({ db }: SweepServices): Promise<Set<Hash>> {
  const rows = await db.transaction().execute(async trx => {
    await liftDeadline(trx)
    return trx
      .selectFrom('objects')
      .select('hash')
      .where(sql<boolean>`touched_at < now() - make_interval(hours => ${SWEEP_GRACE_HOURS})`)
      .execute()
  })
  return new Set(rows.map(row => row.hash.toString('hex')))
}
