// Moving within an organization, which needs the role admin on what is moved and create at the destination, even where
// that is its current parent.
import type { UserPrincipal } from '../../access/principal.ts'
import type { Resource } from '../../access/roles.ts'
import { now } from '../../base/clock.ts'
import { conflict, invalid, missing } from '../../base/errors.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { checkDestination } from '../collections/destination.ts'
import { type CollectionRow, lockCollection, updateCollection } from '../collections/rows.ts'
import { DEPTH_MAX, findDepth, listAncestors, listDescendants, lockTrees } from '../collections/tree.ts'
import { findPosition } from '../spaces/order.ts'
import { getSpace, lockSpace, type SpaceRow, updateSpace } from '../spaces/rows.ts'
import type { MoveContent } from './schema.ts'
import { findSibling } from './sibling-position.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.moved': { from: string | null; to: string | null }
    'collection.moved': { collection: string; from: string | null; to: string | null }
  }
}

export const moveSpace = (context: ActionContext, space: SpaceRow, body: MoveContent): Promise<SpaceRow> =>
  inTree(context, space, trx => moveSpaceWithin(trx, context, space, body))

export const moveCollection = (
  context: ActionContext,
  collection: CollectionRow,
  body: MoveContent,
): Promise<CollectionRow> =>
  inTree(context, collection, trx => moveCollectionWithin(trx, context, collection, body))

const inTree = <Row>(
  context: ActionContext,
  { organization_id }: Owned,
  move: (trx: Trx) => Promise<Row>,
): Promise<Row> =>
  context.transaction(async trx => {
    await lockTrees(trx, [organization_id])
    return move(trx)
  })

type Owned = { readonly id: string; readonly organization_id: string }

/** Under the lock of its tree. At the root, no collection opens the space: `in-collection` becomes private. */
export async function moveSpaceWithin(
  trx: Trx,
  { events, principal }: EventContext,
  { id, organization_id: organizationId }: Owned,
  body: MoveContent,
  field = 'body.parent',
): Promise<SpaceRow> {
  const current = await lockSpace(trx, id)
  if (current?.organization_id !== organizationId) throw missing('space')
  const columns = await findDestination(trx, principal, { kind: 'space', id }, current, body, field)
  const isShut = columns.parent_id === null && current.visibility === 'in-collection'
  await updateSpace(trx, id, { ...columns, ...(isShut ? { visibility: 'private' } : {}) })
  await events.append(trx, {
    type: 'space.moved',
    organizationId,
    spaceId: id,
    actorId: principal.user.id,
    payload: { from: current.parent_id, to: columns.parent_id },
  })
  return getSpace(trx, id)
}

/** Under the lock of its tree. */
export async function moveCollectionWithin(
  trx: Trx,
  { events, principal }: EventContext,
  { id, organization_id: organizationId }: Owned,
  body: MoveContent,
  field = 'body.parent',
): Promise<CollectionRow> {
  const current = await lockCollection(trx, id)
  if (current?.organization_id !== organizationId) throw missing('collection')
  const columns = await findDestination(trx, principal, { kind: 'collection', id }, current, body, field)
  const moved = await updateCollection(trx, id, columns)
  await events.append(trx, {
    type: 'collection.moved',
    organizationId,
    actorId: principal.user.id,
    payload: { collection: id, from: current.parent_id, to: moved.parent_id },
  })
  return moved
}

/** The new place of a resource, as columns: its parent and its position among its siblings. */
async function findDestination(
  trx: Trx,
  principal: UserPrincipal,
  resource: Resource,
  current: Owned & { readonly parent_id: string | null },
  { parent: parentId = current.parent_id, position }: MoveContent,
  field: string,
) {
  const parent = { organizationId: current.organization_id, parentId }
  await checkDestination(trx, principal, parent, field)
  if (resource.kind === 'collection' && parentId !== current.parent_id)
    await checkShape(trx, resource.id, parentId, field)
  const beside = await findSibling(trx, principal, parent, resource, position)
  return {
    parent_id: parentId,
    position: await findPosition(trx, parent, beside, resource.id),
    updated_at: now(),
  }
}

/** Throws if the collections would form a cycle or become too deep. */
async function checkShape(trx: Trx, id: string, parentId: string | null, field: string): Promise<void> {
  if (parentId === null) return
  if ((await listAncestors(trx, parentId)).includes(id))
    throw conflict(
      'collection_in_itself',
      `${field}: a collection cannot be moved into itself, nor into a collection in it.`,
    )
  const height = Math.max(...(await listDescendants(trx, id)).map(({ depth }) => depth))
  if ((await findDepth(trx, parentId)) + height > DEPTH_MAX)
    throw invalid('collections_too_deep', `${field}: collections are nested at most ${DEPTH_MAX} deep.`)
}
