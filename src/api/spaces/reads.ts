// Spaces as wire objects: their rows, their counts, and the role of the caller.
import { fits, NO_PROOFS } from '../../access/proofs.ts'
import { roleOfRank } from '../../access/roles.ts'
import { roleOnSpace } from '../../access/visits.ts'
import type { Context } from '../../http/context.ts'
import { type List, toList } from '../../http/list.ts'
import type { Page } from '../../platform/db/page.ts'
import type { SpaceAt } from './place.ts'
import { countInSpaces, findSpaces, type SeenSpace, type SpaceRow } from './rows.ts'
import type { Space } from './schema.ts'
import { toSpace, withKey } from './wire.ts'

type ReadContext = Pick<
  Context,
  'db' | 'rowCache' | 'signingKey' | 'linkUses' | 'urls' | 'principal' | 'proofs'
>

export async function readSpace(context: ReadContext, { space, role }: SpaceAt): Promise<Space> {
  const counts = await countInSpaces(context.db, [space.id])
  return withShareKey(context, toSpace(context.urls, role, space, counts.get(space.id)))
}

/** Visitors by a share link get published addresses that the link opens. */
async function withShareKey(context: ReadContext, space: Space): Promise<Space> {
  const { shareKey } = context.proofs
  const { published } = space.urls
  if (shareKey === null || published === undefined) return space
  if (!(await fits(context, { ...NO_PROOFS, shareKey }, space))) return space
  return { ...space, urls: { ...space.urls, published: withKey(published, shareKey) } }
}

/** A space that was just written, which may have changed the caller's role. */
export const readWritten = async (context: ReadContext, space: SpaceRow): Promise<Space> =>
  readSpace(context, { space, role: await roleOnSpace(context.db, context, space) })

/** A page of spaces that the caller may see: two more queries for any number. */
export async function readSpaces({ db, urls }: ReadContext, seen: Page<SeenSpace>): Promise<List<Space>> {
  const ids = seen.items.map(({ id }) => id)
  const [rows, counts] = await Promise.all([findSpaces(db, ids), countInSpaces(db, ids)])
  const ranks = new Map(seen.items.map(({ id, rank }) => [id, rank]))
  return toList({ ...seen, items: rows }, row =>
    toSpace(urls, roleOfRank(ranks.get(row.id) ?? 0) ?? 'visitor', row, counts.get(row.id)),
  )
}
