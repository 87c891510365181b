// Moving within an organization: whoever is admin of a thing may put it where they may create, also where it stood.
import { now } from '../../base/clock.ts'
import { conflict, invalid, missing } from '../../base/errors.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { checkDestination } from '../collections/destination.ts'
import { type CollectionRow, lockCollection, updateCollection } from '../collections/rows.ts'
import { DEPTH_MAX, findDepth, listAncestors, listDescendants, lockTrees } from '../collections/tree.ts'
import { findPosition } from '../spaces/order.ts'
import { findSpace, lockSpace, type SpaceRow, updateSpace } from '../spaces/rows.ts'
import type { MoveContent } from './schema.ts'
import { findSibling } from './sibling-position.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.moved': { from: string | null; to: string | null }
    'collection.moved': { collection: string; from: string | null; to: string | null }
  }
}

export const moveSpace = (context: ActionContext, space: SpaceRow, body: MoveContent): Promise<SpaceRow> =>
  context.transaction(async trx => {
    await lockTrees(trx, [space.organization_id])
    return moveSpaceWithin(trx, context, space, body)
  })

/** Under the lock of its tree. At the root nobody can open the collection that it would be open with. */
export async function moveSpaceWithin(
  trx: Trx,
  { events, principal }: EventContext,
  { id, organization_id: organizationId }: SpaceRow,
  body: MoveContent,
  field = 'body.parent',
): Promise<SpaceRow> {
  const current = await lockSpace(trx, id)
  if (current?.organization_id !== organizationId) throw missing('space')
  const parent = { organizationId, parentId: body.parent === undefined ? current.parent_id : body.parent }
  await checkDestination(trx, principal, parent, field)
  const beside = await findSibling(trx, principal, parent, { kind: 'space', id }, body.position)
  const isShut = parent.parentId === null && current.visibility === 'in-collection'
  await updateSpace(trx, id, {
    parent_id: parent.parentId,
    position: await findPosition(trx, parent, beside, id),
    updated_at: now(),
    ...(isShut ? { visibility: 'private' } : {}),
  })
  await events.append(trx, {
    type: 'space.moved',
    organizationId,
    spaceId: id,
    actorId: principal.user.id,
    payload: { from: current.parent_id, to: parent.parentId },
  })
  return (await findSpace(trx, id)) as SpaceRow
}

export const moveCollection = (
  context: ActionContext,
  collection: CollectionRow,
  body: MoveContent,
): Promise<CollectionRow> =>
  context.transaction(async trx => {
    await lockTrees(trx, [collection.organization_id])
    return moveCollectionWithin(trx, context, collection, body)
  })

/** Under the lock of its tree. */
export async function moveCollectionWithin(
  trx: Trx,
  { events, principal }: EventContext,
  { id, organization_id: organizationId }: CollectionRow,
  body: MoveContent,
  field = 'body.parent',
): Promise<CollectionRow> {
  const current = await lockCollection(trx, id)
  if (current?.organization_id !== organizationId) throw missing('collection')
  const parent = { organizationId, parentId: body.parent === undefined ? current.parent_id : body.parent }
  await checkDestination(trx, principal, parent, field)
  if (parent.parentId !== current.parent_id) await checkShape(trx, id, parent.parentId, field)
  const beside = await findSibling(trx, principal, parent, { kind: 'collection', id }, body.position)
  const moved = await updateCollection(trx, id, {
    parent_id: parent.parentId,
    position: await findPosition(trx, parent, beside, id),
    updated_at: now(),
  })
  await events.append(trx, {
    type: 'collection.moved',
    organizationId,
    actorId: principal.user.id,
    payload: { collection: id, from: current.parent_id, to: moved.parent_id },
  })
  return moved
}

/** Throws where the collections would stand in a circle, or too deep. */
async function checkShape(trx: Trx, id: string, parentId: string | null, field: string): Promise<void> {
  if (parentId === null) return
  if ((await listAncestors(trx, parentId)).includes(id))
    throw conflict(
      'collection_in_itself',
      `${field}: a collection cannot stand in itself, nor in what stands in it.`,
    )
  const height = Math.max(...(await listDescendants(trx, id)).map(({ depth }) => depth))
  if ((await findDepth(trx, parentId)) + height > DEPTH_MAX)
    throw invalid('collections_too_deep', `${field}: collections stand at most ${DEPTH_MAX} deep.`)
}
