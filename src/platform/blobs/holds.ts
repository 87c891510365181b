// Holds keep blobs from being removed while files are read for rows of an earlier moment. A hold expires, so that a
// killed process does not hold anything for long.
import { sql } from 'kysely'
import { newId } from '../../base/ids.ts'
import type { Db, Trx } from '../db/database.ts'

const HOLD_MINUTES = 10
const RENEW_MILLISECONDS = 60_000

/** Runs `run` while no blob is removed: what a row names when `run` begins is there until it ends. */
export async function holdingBlobs<T>(db: Db, run: () => Promise<T>): Promise<T> {
  const id = newId()
  await hold(db, id)
  let renewing: Promise<unknown> = Promise.resolve()
  // A failed renewal is followed by others before the hold ends.
  const timer = setInterval(() => {
    renewing = hold(db, id).catch(() => {})
  }, RENEW_MILLISECONDS)
  try {
    return await run()
  } finally {
    clearInterval(timer)
    await renewing
    await db.deleteFrom('blob_holds').where('id', '=', id).execute()
  }
}

const hold = (db: Db, id: string) =>
  sql`insert into blob_holds (id, ends_at) values (${id}, now() + make_interval(mins => ${HOLD_MINUTES}))
    on conflict (id) do update set ends_at = excluded.ends_at`.execute(db)

/** Whether a hold is in force. Removes expired holds, which killed processes leave. */
export async function areBlobsHeld(trx: Trx): Promise<boolean> {
  await sql`delete from blob_holds where ends_at < now()`.execute(trx)
  return (await trx.selectFrom('blob_holds').select('id').limit(1).execute()).length > 0
}

/** For a restored database: its holds belong to processes of the original one. */
export const removeHolds = (trx: Trx) => trx.deleteFrom('blob_holds').execute()
