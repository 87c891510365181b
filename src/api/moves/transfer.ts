// Transferring a space, or a collection with its contents, to another organization. Content, history,
// change requests, comments and share links move along; roles granted to people of the old organization do not.
import type { UserPrincipal } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { conflict, missing, precondition } from '../../base/errors.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { checkDestination } from '../collections/destination.ts'
import {
  type CollectionRow,
  countCollections,
  getCollection,
  lockCollection,
  updateCollection,
  updateCollectionOwner,
} from '../collections/rows.ts'
import { COLLECTIONS_MAX, DEPTH_MAX, findDepth, lockTrees, type Parent } from '../collections/tree.ts'
import { findPosition } from '../spaces/order.ts'
import { getSpace, lockSpace, type SpaceRow, updateSpace, updateSpaceOwner } from '../spaces/rows.ts'
import { moveCollectionWithin, moveSpaceWithin } from './move.ts'
import type { MoveContent, TransferContent } from './schema.ts'
import { findSubtree, isAdminOfAll, type Subtree } from './subtree.ts'
import { findForeignReviewer, hasGitOperation } from './transfer-checks.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** For the organization that it leaves, before it does. */
    'space.leaving': { title: string; to: string }
    /** For the organization that it came to. */
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

/** Bounds how long others wait for one transfer. */
const TRANSFER_ITEMS_MAX = 1000

export const transferSpace = (
  context: ActionContext,
  space: SpaceRow,
  body: TransferContent,
): Promise<SpaceRow> =>
  transfer(context, space, body, SPACE, async (trx, { id, title }, from, target) => {
    await checkTarget(trx, context.principal, target, { collections: [], spaces: [id], height: 0 })
    const about = { spaceId: id, actorId: context.principal.user.id }
    await context.events.append(trx, {
      ...about,
      type: 'space.leaving',
      organizationId: from,
      payload: { title, to: target.organizationId },
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
    return getSpace(trx, id)
  })

export const transferCollection = (
  context: ActionContext,
  collection: CollectionRow,
  body: TransferContent,
): Promise<CollectionRow> =>
  transfer(context, collection, body, COLLECTION, async (trx, { id, title }, from, target) => {
    const subtree = await findSubtree(trx, id)
    await checkWhole(trx, context.principal, from, subtree)
    await checkTarget(trx, context.principal, target, subtree)
    const { collections, spaces } = subtree
    const payload = { collection: id, collections: [...collections], spaces: [...spaces] }
    const actorId = context.principal.user.id
    await context.events.append(trx, {
      type: 'collection.leaving',
      organizationId: from,
      actorId,
      payload: { ...payload, title, to: target.organizationId },
    })
    const position = await findPosition(trx, target, undefined)
    await updateCollectionOwner(trx, collections, target.organizationId)
    await updateSpaceOwner(trx, spaces, target.organizationId)
    const columns = { parent_id: target.parentId, position, updated_at: now() }
    const moved = await updateCollection(trx, id, columns)
    await context.events.append(trx, {
      type: 'collection.transferred',
      organizationId: target.organizationId,
      actorId,
      payload: { ...payload, from, parent: target.parentId },
    })
    return moved
  })

/** What differs between a space and a collection that stay in their organization. */
const SPACE = { noun: 'space', lock: lockSpace, get: getSpace, move: moveSpaceWithin } as const
const COLLECTION = {
  noun: 'collection',
  lock: lockCollection,
  get: getCollection,
  move: moveCollectionWithin,
} as const

type Item = {
  readonly id: string
  readonly organization_id: string
  readonly parent_id: string | null
  readonly title: string
}

/** Transfers under the locks of both trees; within one organization it moves. */
async function transfer<Row>(
  context: ActionContext,
  { id, organization_id: from }: Item,
  body: TransferContent,
  {
    noun,
    lock,
    get,
    move,
  }: {
    readonly noun: string
    readonly lock: (trx: Trx, id: string) => Promise<Item | undefined>
    readonly get: (trx: Trx, id: string) => Promise<Row>
    readonly move: (
      trx: Trx,
      context: ActionContext,
      item: Item,
      body: MoveContent,
      field: string,
    ) => Promise<Row>
  },
  carry: (trx: Trx, item: Item, from: string, target: Parent) => Promise<Row>,
): Promise<Row> {
  const target = toTarget(context.principal, body)
  return context.transaction(async trx => {
    await lockTrees(trx, [from, target.organizationId])
    const current = await lock(trx, id)
    if (current?.organization_id !== from) throw missing(noun)
    if (from !== target.organizationId) return carry(trx, current, from, target)
    if (body.collection === undefined || body.collection === current.parent_id) return get(trx, id)
    return move(trx, context, current, { parent: body.collection }, 'body.collection')
  })
}

/** An organization of the caller. Any other is missing, whether it exists or not. */
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
      `At most ${TRANSFER_ITEMS_MAX} collections and spaces can be transferred at once, including deleted ones. Transfer parts of it first.`,
    )
  if (!(await isAdminOfAll(trx, principal, organizationId, subtree)))
    throw precondition(
      'transfer_not_yours',
      'You need the role admin on everything in this collection to transfer it.',
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
      `body.collection: collections are nested at most ${DEPTH_MAX} deep. Choose one further up.`,
    )
  if ((await countCollections(trx, organizationId)) + collections.length > COLLECTIONS_MAX)
    throw precondition(
      'collections_too_many',
      `The target would have more than ${COLLECTIONS_MAX} collections, which is the limit.`,
    )
  const foreign = await findForeignReviewer(trx, spaces, organizationId)
  if (foreign !== undefined)
    throw precondition(
      'merge_rules_refer',
      `The merge rules of the space ${foreign.space} name ${foreign.user}, who is not a member of the target organization. Change the rules or invite them there first.`,
    )
  if (await hasGitOperation(trx, spaces))
    throw conflict(
      'import_running',
      'An import or export of a space is running. Try again once it has finished.',
    )
}
