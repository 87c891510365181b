// A duplicated space shares the live rows of its origin; before either is written to, it takes its own copy. The rows
// are copied into a set that no space names yet, in portions of one statement each, so that others can use the database
// in between. A last transaction moves the space to it, unless the source may have changed in the meantime.
import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import {
  findProjection,
  insertUnusedProjection,
  listUnusedProjections,
  lockProjection,
  moveToProjection,
  type ProjectionOfSpace,
  removeUnusedProjection,
} from '../spaces/projections.ts'
import { lockSpace } from '../spaces/rows.ts'

/** Thrown in a transaction that would write shared rows: they are copied, and it runs again. */
class RowsShared extends Error {}

/** `sharers`: how many spaces have the live rows, counted under their lock. */
export function requireUnshared(spaceId: string, sharers: number | undefined): void {
  if (sharers !== 1) throw new RowsShared(`${spaceId} shares its live rows`)
}

// An attempt fails only if a writer overtook it, who then has the rows to itself.
const ATTEMPTS_MAX = 5

type CopyServices = Pick<Services, 'db' | 'transaction'>

/** Calls `run`; if it would write shared live rows, calls it again once the space has its own. */
export async function withOwnRows<T>(
  services: CopyServices,
  spaceId: string,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof RowsShared) || attempt === ATTEMPTS_MAX) throw error
      await takeOwnRows(services, spaceId)
    }
  }
}

/** Gives a space that shares its live rows its own copy. Idempotent: does nothing if it already has one. */
export async function takeOwnRows(services: CopyServices, spaceId: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const shared = await findProjection(services.db, spaceId)
    if (shared === undefined || shared.sharers === 1) return
    const own = newId()
    await insertUnusedProjection(services.db, own, shared.projectionId)
    for (const table of COPIED) await copyRows(services.db, table, shared.projectionId, own)
    if (await services.transaction(trx => moveSpace(trx, spaceId, shared, own))) return
    await removeRows(services.db, own)
  }
}

/** False if the copied rows may have changed in the meantime, or nobody shares them any more. */
async function moveSpace(
  trx: Trx,
  spaceId: string,
  copied: ProjectionOfSpace,
  own: string,
): Promise<boolean> {
  const space = await lockSpace(trx, spaceId)
  if (space?.projection_id !== copied.projectionId) return false
  const { sharers, version } = await lockProjection(trx, copied.projectionId)
  if (sharers === 1 || version !== copied.version || space.revision_id !== copied.revisionId) return false
  return moveToProjection(trx, spaceId, own)
}

type Copied = { readonly table: string; readonly keys: readonly string[]; readonly columns: string }

const COPIED: readonly Copied[] = [
  {
    table: 'live_pages',
    keys: ['page_id'],
    columns: 'page_id, type, title, description, path, title_tsv, hidden, no_index, document_hash',
  },
  { table: 'live_paths', keys: ['id'], columns: 'file, kind, id' },
  {
    table: 'live_links',
    keys: ['from_id', 'ordinal'],
    columns: 'from_id, ordinal, kind, relation, usage, destination, candidates, anchor, place',
  },
  { table: 'live_anchors', keys: ['id'], columns: 'id, anchors' },
  { table: 'gone_paths', keys: ['md5(file)'], columns: 'file, kind, id, record, path, gone_at' },
]

type Key = readonly (string | number)[]
type Portion = { readonly last: Key | null; readonly count: number }

// Per statement: some milliseconds of the embedded database.
const ROWS_AT_ONCE = 500

async function copyRows(db: Db, { table, keys, columns }: Copied, from: string, to: string): Promise<void> {
  const key = sql.raw(`(${keys.join(', ')})`)
  const keyAsList = sql.raw(`jsonb_build_array(${keys.join(', ')})`)
  const names = sql.raw(columns)
  let after: Key | null = null
  for (;;) {
    const beyond: RawBuilder<unknown> = after === null ? sql`` : sql`and ${key} > (${sql.join(after)})`
    const { rows }: QueryResult<Portion> = await sql<Portion>`
      with portion as (
        select ${names} from ${sql.table(table)} where projection_id = ${from} ${beyond}
        order by ${sql.raw(keys.join(', '))} limit ${ROWS_AT_ONCE}),
      copied as (insert into ${sql.table(table)} (projection_id, ${names}) select ${to}, ${names} from portion)
      select (select count(*)::integer from portion) as count,
        (select ${keyAsList} from portion order by ${sql.raw(keys.map(name => `${name} desc`).join(', '))} limit 1)
          as last`.execute(db)
    const { last, count }: Portion = rows[0] ?? { last: null, count: 0 }
    if (last === null || count < ROWS_AT_ONCE) return
    after = last
  }
}

// Readers that saw the name of a set before its space left it still read its rows.
const UNUSED_MINUTES = 60
const SETS_AT_ONCE = 100

/** Removes sets that no space has named for a while. */
export async function removeUnusedRows(
  { db }: Pick<Services, 'db'>,
  minutes: number = UNUSED_MINUTES,
): Promise<number> {
  let removed = 0
  for (;;) {
    const unused = await listUnusedProjections(db, minutes, SETS_AT_ONCE)
    for (const id of unused) await removeRows(db, id)
    removed += unused.length
    if (unused.length < SETS_AT_ONCE) return removed
  }
}

/** In portions: removing a large set in one statement would block everybody else. */
async function removeRows(db: Db, id: string): Promise<void> {
  for (const { table } of COPIED)
    for (;;) {
      const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where projection_id = ${id} limit ${ROWS_AT_ONCE}))`.execute(db)
      if (numAffectedRows < BigInt(ROWS_AT_ONCE)) break
    }
  await removeUnusedProjection(db, id)
}
