// The order of siblings: the collections and spaces of a parent share one order, by position and then by id. Read and
// written under `lockTrees`. If there is no room between two, all siblings get new positions.
import { sql } from 'kysely'
import type { Resource } from '../../access/roles.ts'
import { assert, assertDefined } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import type { Trx } from '../../platform/db/database.ts'
import { between, positionAfter, spreadAll } from '../collections/positions.ts'
import { updateCollectionPositions } from '../collections/rows.ts'
import { findLastPosition, isIn, type Parent } from '../collections/tree.ts'
import { type SpaceRow, updateSpacePositions } from './rows.ts'

/** Beside which sibling. */
export type SiblingPosition = { readonly side: 'before' | 'after'; readonly id: string }

/** A position beside a sibling, or the last. The moved resource itself is ignored. */
export async function findPosition(
  trx: Trx,
  parent: Parent,
  beside: SiblingPosition | undefined,
  moved: string | null = null,
): Promise<string> {
  const found = await tryPosition(trx, parent, beside, moved)
  if (found !== undefined) return found
  await spreadSiblings(trx, parent)
  const again = await tryPosition(trx, parent, beside, moved)
  assert(again !== undefined, 'there is room between siblings with new positions')
  return again
}

/** The position right behind a space. */
export const findPositionBehind = (trx: Trx, space: SpaceRow): Promise<string> =>
  findPosition(
    trx,
    { organizationId: space.organization_id, parentId: space.parent_id },
    { side: 'after', id: space.id },
  )

async function tryPosition(
  trx: Trx,
  parent: Parent,
  beside: SiblingPosition | undefined,
  moved: string | null,
) {
  if (beside === undefined) return positionAfter(await findLastPosition(trx, parent), now())
  const { rows } = await sql<{ own: string; next: string | null }>`
    with siblings as (${siblingsIn(parent)}),
    own as (select id, position from siblings where id = ${beside.id})
    select own.position as own, (
      select position from siblings
      where (siblings.position, siblings.id) ${sql.raw(beside.side === 'after' ? '>' : '<')} (own.position, own.id)
        and siblings.id is distinct from ${moved}
      order by position ${order(beside)}, id ${order(beside)} limit 1) as next
    from own`.execute(trx)
  const [found] = rows
  assert(found !== undefined, 'the sibling beside it exists')
  return beside.side === 'after' ? between(found.own, found.next) : between(found.next, found.own)
}

const order = ({ side }: SiblingPosition) => sql.raw(side === 'after' ? 'asc' : 'desc')

/** With deleted spaces, which may be restored. */
const siblingsIn = (parent: Parent) => sql`
  select id, position, 'collection' as kind from collections where ${isIn(parent)}
  union all
  select id, position, 'space' as kind from spaces where ${isIn(parent)}`

export type Sibling = Resource & { readonly position: string }

export async function listSiblings(trx: Trx, parent: Parent): Promise<Sibling[]> {
  const { rows } = await sql<Sibling>`
    select * from (${siblingsIn(parent)}) as siblings order by position, id`.execute(trx)
  return rows
}

async function spreadSiblings(trx: Trx, parent: Parent): Promise<void> {
  await setPositions(trx, await listSiblings(trx, parent))
}

/** Sets positions; if none are given, new ones in the order of the resources. */
export async function setPositions(
  trx: Trx,
  resources: readonly Resource[],
  positions: readonly string[] | undefined = spreadAll(resources.length),
): Promise<void> {
  assert(positions?.length === resources.length, 'every resource has a position')
  const of = (kind: Resource['kind']) =>
    new Map(
      resources.flatMap((resource, at) =>
        resource.kind === kind
          ? [[resource.id, assertDefined(positions[at], 'every resource has a position')]]
          : [],
      ),
    )
  const [collections, spaces] = [of('collection'), of('space')]
  if (collections.size > 0) await updateCollectionPositions(trx, collections)
  if (spaces.size > 0) await updateSpacePositions(trx, spaces)
}
