// Moving and transferring collections and spaces, and deleting collections, whose contents move up.
import { mount, operationsOf } from '../../http/operation.ts'
import { type CollectionAt, inCollection } from '../collections/place.ts'
import { Collection } from '../collections/schema.ts'
import { readWrittenCollection } from '../collections/wire.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { readWritten } from '../spaces/reads.ts'
import { Space } from '../spaces/schema.ts'
import { deleteCollection } from './collection-deletion.ts'
import { moveCollection, moveSpace } from './move.ts'
import { MoveContent, TransferContent } from './schema.ts'
import { transferCollection, transferSpace } from './transfer.ts'

const onSpaceOperation = operationsOf<'space', SpaceAt>()
const operation = operationsOf<'collection', CollectionAt>()

const administrating = { may: 'admin', scope: 'space:write' } as const
const moving = {
  ...administrating,
  method: 'POST',
  path: '/move',
  body: MoveContent,
  isBodyOptional: true,
  failures: [409],
} as const
const transferring = {
  ...administrating,
  method: 'POST',
  path: '/transfer',
  description:
    'Needs the role `admin` on all of it, and `create` in the target. Content, history, change requests and comments move along; roles granted on it do not.',
  body: TransferContent,
  sensitive: true,
  failures: [409, 412],
} as const

const MOVING =
  'Needs the role `admin` on it, and `create` at the destination, even where that is its current parent. Without `position` it becomes the last.'

export const moveOperations = [
  ...mount(
    [inCollection],
    [
      operation({
        ...moving,
        id: 'moveCollection',
        summary: 'Move a collection',
        description: MOVING,
        tag: 'Collections',
        reply: Collection,
        run: async ({ context, at, body }) =>
          readWrittenCollection(context, await moveCollection(context, at.collection, body)),
      }),
      operation({
        ...transferring,
        id: 'transferCollection',
        summary: 'Transfer a collection to another organization',
        tag: 'Collections',
        reply: Collection,
        run: async ({ context, at, body }) =>
          readWrittenCollection(context, await transferCollection(context, at.collection, body)),
      }),
      operation({
        ...administrating,
        id: 'deleteCollectionById',
        method: 'DELETE',
        path: '',
        summary: 'Delete a collection',
        description:
          'Its contents move up to its parent, in order and at its position, and stay visible to the same people.',
        tag: 'Collections',
        absent: 'done',
        run: ({ context, at }) => deleteCollection(context, at.collection),
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      onSpaceOperation({
        ...moving,
        id: 'moveSpace',
        summary: 'Move a space',
        description: `${MOVING} A space that is open \`in-collection\` becomes private when it leaves collections.`,
        tag: 'Spaces',
        reply: Space,
        run: async ({ context, at, body }) => readWritten(context, await moveSpace(context, at.space, body)),
      }),
      onSpaceOperation({
        ...transferring,
        id: 'transferSpace',
        summary: 'Transfer a space to another organization',
        tag: 'Spaces',
        reply: Space,
        run: async ({ context, at, body }) =>
          readWritten(context, await transferSpace(context, at.space, body)),
      }),
    ],
  ),
]
