// Collections, which group spaces and other collections.

import { personOf, roleOfRank } from '../../access/roles.ts'
import { toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { makesAdmin } from '../organizations/makes-admin.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { changeCollection, createCollection } from './actions.ts'
import { type CollectionAt, inCollection, inOrganizationToCreate } from './place.ts'
import { listCollections } from './rows.ts'
import { ChangeCollection, Collection, Collections, CreateCollection, ListCollections } from './schema.ts'
import { readWrittenCollection, toCollection } from './wire.ts'

const inOrganizationOperation = operationsOf<'organization', OrganizationAt>()
const operation = operationsOf<'collection', CollectionAt>()

export const collectionOperations = [
  ...mount(
    [inOrganization],
    [
      inOrganizationOperation({
        id: 'listCollectionsInOrganizationById',
        method: 'GET',
        path: '/collections',
        summary: 'List collections of an organization',
        description: 'The collections that you have a role on, by position.',
        tag: 'Collections',
        may: 'view',
        scope: 'space:read',
        query: ListCollections,
        reply: Collections,
        run: async ({ context, at, query: { nested = true, ...query } }) => {
          const { db, principal, urls } = context
          const seen = await listCollections(db, at.organization.id, personOf(principal), {
            ...query,
            nested,
          })
          return toList(seen, row => toCollection(urls, roleOfRank(row.rank), row))
        },
      }),
    ],
  ),
  ...mount(
    [inOrganizationToCreate],
    [
      inOrganizationOperation({
        id: 'createCollection',
        method: 'POST',
        path: '/collections',
        summary: 'Create a collection',
        description:
          'At the root of the organization or in a collection; you need the role `create` there. It becomes the last.',
        tag: 'Collections',
        may: 'createContent',
        scope: 'space:write',
        body: CreateCollection,
        isBodyOptional: true,
        reply: Collection,
        status: 201,
        failures: [409],
        run: async ({ context, at, body }) => {
          const row = await createCollection(context, at.organization.id, body)
          return created(await readWrittenCollection(context, row))
        },
      }),
    ],
  ),
  ...mount(
    [inCollection],
    [
      operation({
        id: 'getCollectionById',
        method: 'GET',
        path: '',
        summary: 'Get a collection',
        tag: 'Collections',
        may: 'view',
        scope: 'space:read',
        reply: Collection,
        run: async ({ context, at }) => toCollection(context.urls, at.role, at.collection),
      }),
      operation({
        id: 'updateCollectionById',
        method: 'PATCH',
        path: '',
        summary: 'Change a collection',
        tag: 'Collections',
        may: 'admin',
        scope: 'space:write',
        body: ChangeCollection,
        reply: Collection,
        sensitive: makesAdmin(({ defaultLevel }: ChangeCollection) => [defaultLevel]),
        run: async ({ context, at, body }) =>
          readWrittenCollection(context, await changeCollection(context, at.collection, body)),
      }),
    ],
  ),
]
