// Where collections and spaces stand: moving, transferring, and what becomes of the contents of a deleted collection.
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

const MOVING =
  'Needs the role `admin` on it, and `create` where it goes to, also when it stands there already. Without `position` it stands last.'
const TRANSFERRING =
  'Needs the role `admin` on all of it, and `create` in the target. Content, history, change requests and comments go along; roles that were given on it do not.'

export const moveOperations = [
  ...mount(
    [inCollection],
    [
      operation({
        id: 'moveCollection',
        method: 'POST',
        path: '/move',
        summary: 'Move a collection',
        description: MOVING,
        tag: 'Collections',
        may: 'admin',
        scope: 'space:write',
        body: MoveContent,
        isBodyOptional: true,
        reply: Collection,
        failures: [409],
        run: async ({ context, at, body }) =>
          readWrittenCollection(context, await moveCollection(context, at.collection, body)),
      }),
      operation({
        id: 'transferCollection',
        method: 'POST',
        path: '/transfer',
        summary: 'Transfer a collection to another organization',
        description: TRANSFERRING,
        tag: 'Collections',
        may: 'admin',
        scope: 'space:write',
        body: TransferContent,
        reply: Collection,
        failures: [409, 412],
        run: async ({ context, at, body }) =>
          readWrittenCollection(context, await transferCollection(context, at.collection, body)),
      }),
      operation({
        id: 'deleteCollectionById',
        method: 'DELETE',
        path: '',
        summary: 'Delete a collection',
        description:
          'What stands in it moves up to where it stood, in its order, and stays open to whom it was open.',
        tag: 'Collections',
        may: 'admin',
        scope: 'space:write',
        absent: 'done',
        run: ({ context, at }) => deleteCollection(context, at.collection),
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      onSpaceOperation({
        id: 'moveSpace',
        method: 'POST',
        path: '/move',
        summary: 'Move a space',
        description: `${MOVING} A space that is open \`in-collection\` becomes private when it leaves collections.`,
        tag: 'Spaces',
        may: 'admin',
        scope: 'space:write',
        body: MoveContent,
        isBodyOptional: true,
        reply: Space,
        failures: [409],
        run: async ({ context, at, body }) => readWritten(context, await moveSpace(context, at.space, body)),
      }),
      onSpaceOperation({
        id: 'transferSpace',
        method: 'POST',
        path: '/transfer',
        summary: 'Transfer a space to another organization',
        description: TRANSFERRING,
        tag: 'Spaces',
        may: 'admin',
        scope: 'space:write',
        body: TransferContent,
        reply: Space,
        failures: [409, 412],
        run: async ({ context, at, body }) =>
          readWritten(context, await transferSpace(context, at.space, body)),
      }),
    ],
  ),
]
