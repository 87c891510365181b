// Creating and changing collections. src/api/moves moves and deletes them.
import { now } from '../../base/clock.ts'
import { conflict, invalid, missing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { defined } from '../../base/objects.ts'
import type { ActionContext } from '../../http/context.ts'
import { type Difference, differenceOf } from '../../platform/events/difference.ts'
import { checkDestination } from './destination.ts'
import {
  type CollectionRow,
  countCollections,
  insertCollection,
  lockCollection,
  updateCollection,
} from './rows.ts'
import type { ChangeCollection, CreateCollection } from './schema.ts'
import { COLLECTIONS_MAX, choosePosition, DEPTH_MAX, findDepth, lockTrees } from './tree.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'collection.created': { collection: string; title: string; parent: string | null }
    /** `before` and `after`: its default level, if it changed. */
    'collection.changed': { collection: string; fields: string[] } & Difference<{
      defaultLevel: string | null
    }>
  }
}

/** Empty and last among its siblings. */
export async function createCollection(
  context: ActionContext,
  organizationId: string,
  body: CreateCollection,
): Promise<CollectionRow> {
  const parent = { organizationId, parentId: body.parent ?? null }
  return context.transaction(async trx => {
    await lockTrees(trx, [organizationId])
    await checkDestination(trx, context.principal, parent, 'body.parent')
    if ((await findDepth(trx, parent.parentId)) >= DEPTH_MAX)
      throw invalid('collections_too_deep', `body.parent: collections are nested at most ${DEPTH_MAX} deep.`)
    if ((await countCollections(trx, organizationId)) >= COLLECTIONS_MAX)
      throw conflict(
        'collections_too_many',
        `An organization has at most ${COLLECTIONS_MAX} collections. Delete some first.`,
      )
    const collection = await insertCollection(trx, {
      id: newId(),
      organization_id: organizationId,
      parent_id: parent.parentId,
      position: await choosePosition(trx, parent),
      title: body.title ?? '',
    })
    await context.events.append(trx, {
      type: 'collection.created',
      organizationId,
      actorId: context.principal.user.id,
      payload: { collection: collection.id, title: collection.title, parent: collection.parent_id },
    })
    return collection
  })
}

export async function changeCollection(
  context: ActionContext,
  { id, organization_id: organizationId }: CollectionRow,
  body: ChangeCollection,
): Promise<CollectionRow> {
  return context.transaction(async trx => {
    const current = await lockCollection(trx, id)
    if (current === undefined || current.organization_id !== organizationId) throw missing('collection')
    const columns = toColumns(body)
    if (Object.keys(columns).length === 0) return current
    const collection = await updateCollection(trx, id, { ...columns, updated_at: now() })
    await context.events.append(trx, {
      type: 'collection.changed',
      organizationId,
      actorId: context.principal.user.id,
      payload: {
        collection: id,
        fields: Object.keys(body).sort(),
        ...differenceOf(toLevel(current), toLevel(collection)),
      },
    })
    return collection
  })
}

const toLevel = ({ default_level }: CollectionRow) => ({
  defaultLevel: default_level === 'none' ? null : default_level,
})

function toColumns(body: ChangeCollection) {
  return defined({
    title: body.title,
    description: body.description,
    default_level: body.defaultLevel === null ? ('none' as const) : body.defaultLevel,
  })
}
