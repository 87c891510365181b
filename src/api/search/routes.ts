// Search in a space.
import { toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { SearchPages, SearchQuery } from './schema.ts'
import { search } from './search.ts'

const operation = operationsOf<'space', SpaceAt>()

export const searchOperations = mount(
  [onSpace],
  [
    operation({
      id: 'searchSpaceContent',
      method: 'GET',
      path: '/search',
      summary: 'Search a space',
      description: 'Pages of the head, best first, each with the sections that were found.',
      tag: 'Search',
      may: 'view',
      scope: 'space:read',
      query: SearchQuery,
      reply: SearchPages,
      run: async ({ context, at, query }) => toList(await search(context, at.space, query), page => page),
    }),
  ],
)
