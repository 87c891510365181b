// Which indexes a search waits for. Where they are all there, an answer is the same whatever was in memory before; the
// bounds keep what a single search may ask of the database and of the pool to about a second.
import { sql } from 'kysely'
import { assertDefined } from '../../base/assert.ts'
import type { SearchedHead, Services } from '../../http/context.ts'
import { IS_FOUND } from './candidates.ts'

const SPACES_MAX = 200
const BYTES_MAX = 16 * 1024 * 1024
// Indexes made from those of other heads.
const NEAR_MAX = 20

type AwaitedServices = Pick<Services, 'db' | 'config' | 'searchIndexes'>
type AbsentSpace = SearchedHead & { readonly projectionId: string }

/** Of spaces whose index is not in memory: all if they are small together, or those where another head has an index. */
export async function listAwaited<Space extends AbsentSpace>(
  services: AwaitedServices,
  absent: readonly Space[],
): Promise<readonly Space[]> {
  const near = new Set(absent.filter(space => services.searchIndexes.isNear(space)).slice(0, NEAR_MAX))
  const others = absent.filter(space => !near.has(space))
  return (await areSmall(services, others)) ? absent : [...near]
}

async function areSmall(
  { db, config: { searchAwaitedPages: pagesMax } }: AwaitedServices,
  spaces: readonly AbsentSpace[],
): Promise<boolean> {
  if (spaces.length === 0) return true
  if (spaces.length > SPACES_MAX || pagesMax === 0) return false
  // A document counts once for each of its pages, because it is indexed for each.
  const { rows } = await sql<{ pages: number; bytes: number }>`
    with pages as materialized (
      select page.document_hash from unnest(${spaces.map(one => one.projectionId)}::text[]) as asked (id)
      cross join lateral (
        select document_hash from live_pages where projection_id = asked.id and ${IS_FOUND}
        limit ${pagesMax + 1} offset 0) as page
      limit ${pagesMax + 1})
    select (select count(*)::integer from pages) as pages,
      case when (select count(*) from pages) > ${pagesMax} then 0 else (
        select coalesce(sum(octet_length(body)), 0)::float8 from pages join objects on hash = document_hash) end as bytes
  `.execute(db)
  const { pages, bytes } = assertDefined(rows[0], 'an aggregate always has one row')
  return pages <= pagesMax && bytes <= BYTES_MAX
}
