// Deleting a collection. Its contents move up to its parent, in their order and at its position, and stay visible to
// the same people.
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { positionsBetween } from '../collections/positions.ts'
import { type CollectionRow, lockCollection, removeCollection, updateContents } from '../collections/rows.ts'
import { lockTrees, type Parent } from '../collections/tree.ts'
import { listSiblings, type Sibling, setPositions } from '../spaces/order.ts'
import { updateSpacesIn } from '../spaces/rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** Before its contents move; `spaces` and `collections` are how many do. */
    'collection.deleted': {
      collection: string
      title: string
      parent: string | null
      spaces: number
      collections: number
    }
  }
}

export async function deleteCollection(
  context: ActionContext,
  { id, organization_id: organizationId }: CollectionRow,
): Promise<void> {
  await context.transaction(async trx => {
    await lockTrees(trx, [organizationId])
    const collection = await lockCollection(trx, id)
    if (collection?.organization_id !== organizationId) return
    const contents = await listSiblings(trx, { organizationId, parentId: id })
    const count = (kind: Sibling['kind']) => contents.filter(one => one.kind === kind).length
    await context.events.append(trx, {
      type: 'collection.deleted',
      organizationId,
      actorId: context.principal.user.id,
      payload: {
        collection: id,
        title: collection.title,
        parent: collection.parent_id,
        spaces: count('space'),
        collections: count('collection'),
      },
    })
    await arrangeInPlaceOf(trx, collection, contents)
    await updateContents(trx, collection)
    await updateSpacesIn(trx, collection)
    await removeCollection(trx, id)
  })
}

/** Moves the contents to positions around the collection's. */
async function arrangeInPlaceOf(
  trx: Trx,
  { id, organization_id: organizationId, parent_id: parentId }: CollectionRow,
  contents: readonly Sibling[],
): Promise<void> {
  if (contents.length === 0) return
  const parent: Parent = { organizationId, parentId }
  const siblings = await listSiblings(trx, parent)
  const at = siblings.findIndex(one => one.id === id)
  const [before, after] = [siblings.slice(0, at), siblings.slice(at + 1)]
  const positions = positionsBetween(
    before.at(-1)?.position ?? null,
    after[0]?.position ?? null,
    contents.length,
  )
  if (positions !== undefined) await setPositions(trx, contents, positions)
  else await setPositions(trx, [...before, ...contents, ...after])
}
