// Spaces.

import { personOf } from '../../access/roles.ts'
import { mount, operationsOf, publishedReadsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { type CollectionAt, inCollection } from '../collections/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import {
  changeSpace,
  deleteSpace,
  duplicateSpace,
  purgeBefore,
  RESTORE_WINDOW_DAYS,
  restoreSpace,
} from './actions.ts'
import { listDeletedSpaces, listSpaces } from './lists.ts'
import { opensSpace } from './opens-space.ts'
import { onAnySpace, onSpace, type SpaceAt } from './place.ts'
import { readSpace, readSpaces, readWritten } from './reads.ts'
import { ChangeSpace, GetSpace, ListSpaces, ListSpacesOfOrganization, Space, Spaces } from './schema.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const inCollectionOperation = operationsOf<'collection', CollectionAt>()
const operation = operationsOf<'space', SpaceAt>()
const reading = publishedReadsOf<'space', SpaceAt>()

export const spaceOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        id: 'listSpacesInOrganizationById',
        method: 'GET',
        path: '/spaces',
        summary: 'List spaces of an organization',
        description: 'The spaces that you may see, by position.',
        tag: 'Spaces',
        may: 'view',
        scope: 'space:read',
        query: ListSpacesOfOrganization,
        reply: Spaces,
        run: async ({ context, at, query }) =>
          readSpaces(
            context,
            await listSpaces(context, at.organization.id, personOf(context.principal), query),
          ),
      }),
      inOrganizationOperation({
        id: 'listDeletedSpaces',
        method: 'GET',
        path: '/deleted-spaces',
        summary: 'List deleted spaces',
        description: `Octavo extension: the spaces that can still be restored, for ${RESTORE_WINDOW_DAYS} days, the last one deleted first.`,
        tag: 'Spaces',
        may: 'admin',
        scope: 'space:read',
        query: ListSpaces,
        reply: Spaces,
        run: async ({ context, at, query }) =>
          readSpaces(context, await listDeletedSpaces(context, at.organization.id, purgeBefore(), query)),
      }),
    ],
  ),
  ...mount(
    [inCollection],
    [
      inCollectionOperation({
        id: 'listSpacesInCollectionById',
        method: 'GET',
        path: '/spaces',
        summary: 'List spaces of a collection',
        description: 'The spaces that you may see, in order, without those in nested collections.',
        tag: 'Collections',
        may: 'view',
        scope: 'space:read',
        query: ListSpaces,
        reply: Spaces,
        run: async ({ context, at: { collection }, query }) => {
          const person = personOf(context.principal)
          const { organization_id: organizationId, id } = collection
          return readSpaces(context, await listSpaces(context, organizationId, person, query, id))
        },
      }),
    ],
  ),
  ...mount(
    [onAnySpace],
    [
      reading({
        id: 'getSpaceById',
        path: '',
        summary: 'Get a space',
        description: 'A deleted space is returned, with `deletedAt`, to people who may restore it.',
        tag: 'Spaces',
        scope: 'space:read',
        query: GetSpace,
        reply: Space,
        run: async ({ context, at }) => readSpace(context, at),
      }),
      operation({
        id: 'deleteSpaceById',
        method: 'DELETE',
        path: '',
        summary: 'Delete a space',
        description: `It can be restored for ${RESTORE_WINDOW_DAYS} days; then it is removed for good.`,
        tag: 'Spaces',
        may: 'admin',
        scope: 'space:write',
        absent: 'done',
        sensitive: true,
        run: ({ context, at }) => deleteSpace(context, at.space),
      }),
      operation({
        id: 'restoreSpace',
        method: 'POST',
        path: '/restore',
        summary: 'Restore a deleted space',
        description: `Only within ${RESTORE_WINDOW_DAYS} days; a space that is not deleted is returned unchanged.`,
        tag: 'Spaces',
        may: 'admin',
        scope: 'space:write',
        reply: Space,
        run: async ({ context, at }) => readWritten(context, await restoreSpace(context, at.space)),
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      operation({
        id: 'updateSpaceById',
        method: 'PATCH',
        path: '',
        summary: 'Change the settings of a space',
        tag: 'Spaces',
        may: 'admin',
        scope: 'space:write',
        body: ChangeSpace,
        reply: Space,
        failures: [503],
        sensitive: opensSpace,
        run: async ({ context, at, body }) =>
          readWritten(context, await changeSpace(context, at.space, body)),
      }),
      operation({
        id: 'duplicateSpace',
        method: 'POST',
        path: '/duplicate',
        summary: 'Duplicate a space',
        description:
          'A private copy of the current content, without history, next to the original. You need the role `create` on it and on its parent. It costs the same for any size.',
        tag: 'Spaces',
        may: 'duplicate',
        scope: 'space:write',
        reply: Space,
        status: 201,
        run: async ({ context, at }) => {
          const row = await duplicateSpace(context, at.space)
          return created(await readWritten(context, row))
        },
      }),
    ],
  ),
]
