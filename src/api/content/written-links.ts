// Writes the live rows of links.
import { type RawBuilder, sql } from 'kysely'
import { batchesOf, writeTogether } from '../../platform/db/batches.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { AnchorsRow, FormerPath, LinkChanges, LinkRow, PathRow } from './link-changes.ts'

// Per statement: a whole import has hundreds of thousands of links, which would make one huge message.
const ROWS_INSERTED_MAX = 1000
// The newest former paths of each space are kept.
export const GONE_PATHS_MAX = 20_000

/** A few statements per kind of row, or a single one if there are few rows. */
export async function writeLinkChanges(trx: Trx, owner: string, changes: LinkChanges): Promise<void> {
  await writeTogether(trx, linkWrites(owner, changes))
  await writeGonePaths(trx, owner, changes.gone)
}

/** All link rows except former paths. */
export function* linkWrites(
  owner: string,
  { gonePaths, paths, relinked, links, anchors }: LinkChanges,
): Generator<RawBuilder<unknown>> {
  if (gonePaths.length > 0)
    yield sql`delete from live_paths where projection_id = ${owner} and id = any(${gonePaths}::text[])`
  for (const batch of batchesOf(paths, ROWS_INSERTED_MAX)) yield upsertPaths(owner, batch)
  if (relinked.length > 0) yield removeOtherLinks(owner, relinked, links)
  const known = new Set(anchors.flatMap(row => (row.anchors === null ? [] : [row.id])))
  const unknown = relinked.filter(id => !known.has(id))
  if (unknown.length > 0)
    yield sql`delete from live_anchors where projection_id = ${owner} and id = any(${unknown}::text[])`
  for (const batch of batchesOf(links, ROWS_INSERTED_MAX)) yield upsertLinks(owner, batch)
  for (const batch of batchesOf(anchors, ROWS_INSERTED_MAX)) yield upsertAnchors(owner, batch)
}

const upsertPaths = (owner: string, rows: readonly PathRow[]) =>
  sql`insert into live_paths (projection_id, file, kind, id)
    select ${owner}, * from unnest(${rows.map(row => row.file)}::text[], ${rows.map(row => row.kind)}::text[],
      ${rows.map(row => row.id)}::text[])
    on conflict (projection_id, id) do update set file = excluded.file, kind = excluded.kind`

/** Removes the surplus links of texts that now have fewer: links are numbered from 0 in each text. */
function removeOtherLinks(owner: string, relinked: readonly string[], links: readonly LinkRow[]) {
  const counts = new Map(relinked.map(id => [id, 0]))
  for (const { from_id } of links) counts.set(from_id, (counts.get(from_id) ?? 0) + 1)
  return sql`delete from live_links
    using unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::integer[]) as text (id, count)
    where projection_id = ${owner} and from_id = text.id and ordinal >= text.count`
}

/** Most changed texts keep their links: unchanged rows are not written. */
const upsertLinks = (owner: string, rows: readonly LinkRow[]) =>
  sql`insert into live_links as old
      (projection_id, from_id, ordinal, kind, relation, usage, destination, candidates, anchor, place)
    select ${owner}, from_id, ordinal, kind, relation, usage, destination, candidates, anchor, place
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as link
      (from_id text, ordinal integer, kind text, relation text, usage text, destination text, candidates text[],
        anchor text, place text)
    on conflict (projection_id, from_id, ordinal) do update set kind = excluded.kind, relation = excluded.relation,
      usage = excluded.usage, destination = excluded.destination, candidates = excluded.candidates,
      anchor = excluded.anchor, place = excluded.place
    where (old.kind, old.relation, old.usage, old.destination, old.candidates, old.anchor, old.place) is distinct from
      (excluded.kind, excluded.relation, excluded.usage, excluded.destination, excluded.candidates, excluded.anchor,
        excluded.place)`

const upsertAnchors = (owner: string, rows: readonly AnchorsRow[]) =>
  sql`insert into live_anchors as old (projection_id, id, anchors)
    select ${owner}, id, anchors
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id text, anchors text[])
    where anchors is not null
    on conflict (projection_id, id) do update set anchors = excluded.anchors
    where old.anchors is distinct from excluded.anchors`

/** Of two with the same path, the later is kept. Removals of one publication stay together. */
export async function writeGonePaths(trx: Trx, owner: string, gone: readonly FormerPath[]): Promise<void> {
  if (gone.length === 0) return
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
