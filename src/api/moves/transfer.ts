// Carrying a space, or a collection with all that stands in it, over to another organization (api-facts §8-42). Content,
// history, proposals and comments go along, and how readers outside come in; what people of the old organization were
// given stays behind.
import type { UserPrincipal } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { conflict, missing, precondition } from '../../base/errors.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { checkDestination } from '../collections/destination.ts'
import {
  type CollectionRow,
  countCollections,
  lockCollection,
  updateCollection,
  updateCollectionOwner,
} from '../collections/rows.ts'
import { COLLECTIONS_MAX, DEPTH_MAX, findDepth, lockTrees, type Parent } from '../collections/tree.ts'
import { findPosition } from '../spaces/order.ts'
import { findSpace, lockSpace, type SpaceRow, updateSpace, updateSpaceOwner } from '../spaces/rows.ts'
import { moveCollectionWithin, moveSpaceWithin } from './move.ts'
import type { TransferContent } from './schema.ts'
import { findSubtree, isAdminOfAll, type Subtree } from './subtree.ts'
import { findForeignReviewer, hasImport } from './transfer-checks.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** Told to the organization that it leaves, while it is still there. */
    'space.leaving': { title: string; to: string }
    /** Told to the organization that it came to. */
    'space.transferred': { from: string; parent: string | null }
    /** The collection itself is among `collections`. */
    'collection.leaving': {
      collection: string
      title: string
      to: string
      collections: string[]
      spaces: string[]
    }
    'collection.transferred': {
      collection: string
      from: string
      parent: string | null
      collections: string[]
      spaces: string[]
    }
  }
}

/** What is carried over at once, so that nobody waits for it long. */
const TRANSFER_ITEMS_MAX = 1000

export async function transferSpace(
  context: ActionContext,
  space: SpaceRow,
  body: TransferContent,
): Promise<SpaceRow> {
  const { id, organization_id: from } = space
  const target = toTarget(context.principal, body)
  return context.transaction(async trx => {
    await lockTrees(trx, [from, target.organizationId])
    const current = await lockSpace(trx, id)
    if (current?.organization_id !== from) throw missing('space')
    if (from === target.organizationId) {
      if (body.collection === undefined || body.collection === current.parent_id)
        return (await findSpace(trx, id)) as SpaceRow
      return moveSpaceWithin(trx, context, space, { parent: body.collection }, 'body.collection')
    }
    await checkTarget(trx, context.principal, target, { collections: [], spaces: [id], height: 0 })
    const about = { spaceId: id, actorId: context.principal.user.id }
    await context.events.append(trx, {
      ...about,
      type: 'space.leaving',
      organizationId: from,
      payload: { title: current.title, to: target.organizationId },
    })
    const position = await findPosition(trx, target, undefined)
    await updateSpaceOwner(trx, [id], target.organizationId)
    await updateSpace(trx, id, { parent_id: target.parentId, position, updated_at: now() })
    await context.events.append(trx, {
      ...about,
      type: 'space.transferred',
      organizationId: target.organizationId,
      payload: { from, parent: target.parentId },
    })
    return (await findSpace(trx, id)) as SpaceRow
  })
}

export async function transferCollection(
  context: ActionContext,
  collection: CollectionRow,
  body: TransferContent,
): Promise<CollectionRow> {
  const { id, organization_id: from } = collection
  const target = toTarget(context.principal, body)
  return context.transaction(async trx => {
    await lockTrees(trx, [from, target.organizationId])
    const current = await lockCollection(trx, id)
    if (current?.organization_id !== from) throw missing('collection')
    if (from === target.organizationId) {
      if (body.collection === undefined || body.collection === current.parent_id) return current
      const place = { parent: body.collection }
      return moveCollectionWithin(trx, context, collection, place, 'body.collection')
    }
    const subtree = await findSubtree(trx, id)
    await checkWhole(trx, context.principal, from, subtree)
    await checkTarget(trx, context.principal, target, subtree)
    const { collections, spaces } = subtree
    const payload = { collection: id, collections: [...collections], spaces: [...spaces] }
    await context.events.append(trx, {
      type: 'collection.leaving',
      organizationId: from,
      actorId: context.principal.user.id,
      payload: { ...payload, title: current.title, to: target.organizationId },
    })
    const position = await findPosition(trx, target, undefined)
    await updateCollectionOwner(trx, collections, target.organizationId)
    await updateSpaceOwner(trx, spaces, target.organizationId)
    const columns = { parent_id: target.parentId, position, updated_at: now() }
    const moved = await updateCollection(trx, id, columns)
    await context.events.append(trx, {
      type: 'collection.transferred',
      organizationId: target.organizationId,
      actorId: context.principal.user.id,
      payload: { ...payload, from, parent: target.parentId },
    })
    return moved
  })
}

/** An organization that the caller is in; of any other they are not told whether it is there. */
function toTarget(principal: UserPrincipal, { organization, collection }: TransferContent): Parent {
  if (!principal.memberships.has(organization)) throw missing('organization')
  return { organizationId: organization, parentId: collection ?? null }
}

async function checkWhole(
  trx: Trx,
  principal: UserPrincipal,
  organizationId: string,
  subtree: Subtree,
): Promise<void> {
  if (subtree.collections.length + subtree.spaces.length > TRANSFER_ITEMS_MAX)
    throw precondition(
      'transfer_too_large',
      `At most ${TRANSFER_ITEMS_MAX} collections and spaces are transferred at once, with deleted ones. Transfer parts of it first.`,
    )
  if (!(await isAdminOfAll(trx, principal, organizationId, subtree)))
    throw precondition(
      'transfer_not_yours',
      'Something in this collection is not yours to take along: the role admin is needed on every part of it.',
    )
}

async function checkTarget(
  trx: Trx,
  principal: UserPrincipal,
  target: Parent,
  { collections, spaces, height }: Subtree,
): Promise<void> {
  const { organizationId, parentId } = target
  await checkDestination(trx, principal, target, parentId === null ? 'body.organization' : 'body.collection')
  if ((await findDepth(trx, parentId)) + height > DEPTH_MAX && height > 0)
    throw precondition(
      'collections_too_deep',
      `body.collection: collections stand at most ${DEPTH_MAX} deep. Choose one further up.`,
    )
  if ((await countCollections(trx, organizationId)) + collections.length > COLLECTIONS_MAX)
    throw precondition(
      'collections_too_many',
      `The target would have more than ${COLLECTIONS_MAX} collections, which is the most.`,
    )
  const foreign = await findForeignReviewer(trx, spaces, organizationId)
  if (foreign !== undefined)
    throw precondition(
      'merge_rules_refer',
      `The merge rules of the space ${foreign.space} name ${foreign.user}, who is no member of the target. Change the rules or invite them there first.`,
    )
  if (await hasImport(trx, spaces))
    throw conflict('import_running', 'An import is running. Transfer it when that has ended.')
}
