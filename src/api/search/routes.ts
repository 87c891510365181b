// Search in a space.
import { toList } from '../../http/list.ts'
import { mount, readingsOf } from '../../http/operation.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { SearchPages, SearchQuery } from './schema.ts'
import { search } from './search.ts'

const reading = readingsOf<'space', SpaceAt>()

export const searchOperations = mount(
  [onSpace],
  [
    reading({
      id: 'searchSpaceContent',
      path: '/search',
      summary: 'Search a space',
      description: 'Pages of the head, best first, each with the sections that were found.',
      tag: 'Search',
      scope: 'space:read',
      query: SearchQuery,
      reply: SearchPages,
      run: async ({ context, at, query }) => toList(await search(context, at.space, query), page => page),
    }),
  ],
)
