// The change request that a revision merged into its space, which the wire embeds.
import type { Context } from '../../http/context.ts'
import { rowsOf } from '../change-requests/place.ts'
import { findChangeRequest, selectChangeRequests } from '../change-requests/rows.ts'
import type { ChangeRequest } from '../change-requests/schema.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import type { RevisionRow } from '../spaces/revisions.ts'
import { type ContentAt, findCachedRevision } from './place.ts'

/** For one revision. Visitors of the space do not see its change requests. */
export async function findMergedFrom(context: Context, at: ContentAt): Promise<ChangeRequest | undefined> {
  if (!at.isMember) return undefined
  const { db, rowCache } = context
  const revision = await findCachedRevision(context, at.space.id, at.revisionId)
  const id = revision?.merged_from ?? null
  if (id === null) return undefined
  const row = await rowCache.get(`merged-from:${id}`, () => findChangeRequest(db, id), rowsOf)
  return row && toChangeRequest(context, row)
}

/** For several revisions, by id; one query, or none if nothing was merged. */
export async function findMergedFromOf(
  context: Pick<Context, 'db' | 'urls' | 'principal'>,
  revisions: readonly Pick<RevisionRow, 'id' | 'merged_from'>[],
): Promise<ReadonlyMap<string, ChangeRequest>> {
  const merged = revisions.flatMap(({ id, merged_from }) =>
    merged_from === null ? [] : [{ id, merged_from }],
  )
  if (merged.length === 0) return new Map()
  const ids = merged.map(({ merged_from }) => merged_from)
  const rows = await selectChangeRequests(context.db).where('change_requests.id', 'in', ids).execute()
  const byId = new Map(rows.map(row => [row.id, toChangeRequest(context, row)]))
  return new Map(
    merged.flatMap(({ id, merged_from }) => {
      const found = byId.get(merged_from)
      return found === undefined ? [] : [[id, found] as const]
    }),
  )
}
