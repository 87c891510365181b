// The live rows of links, written: a few statements for each kind of row.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/open.ts'
import { batchesOf } from './batches.ts'
import type { AnchorsRow, GonePath, LinkChanges, PathRow } from './link-changes.ts'
import type { LinkRow } from './links.ts'

// Of one statement: a whole import has hundreds of thousands of links, and one message of them would be a huge one.
const ROWS_INSERTED_MAX = 1000
// What is kept of paths where nothing stands any more, for each space: the newest.
export const GONE_PATHS_MAX = 20_000

export async function writeLinkChanges(
  trx: Trx,
  owner: string,
  { gonePaths, paths, gone, relinked, links, anchors }: LinkChanges,
): Promise<void> {
  if (gonePaths.length > 0) {
    await sql`delete from live_paths where projection_id = ${owner} and id = any(${gonePaths}::text[])`.execute(
      trx,
    )
  }
  for (const batch of batchesOf(paths, ROWS_INSERTED_MAX)) await upsertPaths(trx, owner, batch)
  if (gone.length > 0) await upsertGonePaths(trx, owner, gone)
  if (relinked.length > 0) {
    await sql`delete from live_links where projection_id = ${owner} and from_id = any(${relinked}::text[])`.execute(
      trx,
    )
    await sql`delete from live_anchors where projection_id = ${owner} and id = any(${relinked}::text[])`.execute(
      trx,
    )
  }
  for (const batch of batchesOf(links, ROWS_INSERTED_MAX)) await insertLinks(trx, owner, batch)
  for (const batch of batchesOf(anchors, ROWS_INSERTED_MAX)) await insertAnchors(trx, owner, batch)
}

const upsertPaths = (trx: Trx, owner: string, rows: readonly PathRow[]) =>
  sql`insert into live_paths (projection_id, file, kind, id)
    select ${owner}, * from unnest(${rows.map(row => row.file)}::text[], ${rows.map(row => row.kind)}::text[],
      ${rows.map(row => row.id)}::text[])
    on conflict (projection_id, id) do update set file = excluded.file, kind = excluded.kind`.execute(trx)

const insertLinks = (trx: Trx, owner: string, rows: readonly LinkRow[]) =>
  sql`insert into live_links
      (projection_id, from_id, ordinal, kind, relation, usage, destination, candidates, anchor, place)
    select ${owner}, from_id, ordinal, kind, relation, usage, destination, candidates, anchor, place
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as link
      (from_id text, ordinal integer, kind text, relation text, usage text, destination text, candidates text[],
        anchor text, place text)`.execute(trx)

const insertAnchors = (trx: Trx, owner: string, rows: readonly AnchorsRow[]) =>
  sql`insert into live_anchors (projection_id, id, anchors)
    select ${owner}, id, anchors
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id text, anchors text[])
    where anchors is not null`.execute(trx)

/** Of two that stood at one path, the one that is told last is kept. What goes in one publication stays together. */
async function upsertGonePaths(trx: Trx, owner: string, gone: readonly GonePath[]): Promise<void> {
  const rows = [...new Map(gone.map(row => [row.file, row])).values()]
  for (const batch of batchesOf(rows, ROWS_INSERTED_MAX)) {
    await sql`insert into gone_paths (projection_id, file, kind, id, record, path)
      select ${owner}, * from unnest(${batch.map(row => row.file)}::text[], ${batch.map(row => row.kind)}::text[],
        ${batch.map(row => row.id)}::text[], ${batch.map(row => row.record)}::text[],
        ${batch.map(row => row.path)}::text[])
      on conflict (projection_id, md5(file)) do update set file = excluded.file, kind = excluded.kind,
        id = excluded.id, record = excluded.record, path = excluded.path, gone_at = now()`.execute(trx)
  }
  await sql`delete from gone_paths where projection_id = ${owner} and gone_at < (
    select gone_at from gone_paths where projection_id = ${owner}
    order by gone_at desc offset ${GONE_PATHS_MAX - 1} limit 1)`.execute(trx)
}
