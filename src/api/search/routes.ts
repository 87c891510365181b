// Search in a space, and in every space of an organization that the caller may see.
import { personOf } from '../../access/roles.ts'
import type { Context } from '../../http/context.ts'
import { Paging } from '../../http/list.ts'
import { mount, operationsOf, publishedReadsOf } from '../../http/operation.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { SearchBody, SearchPages, SearchQuery, SearchSpaces } from './schema.ts'
import { type SearchRequest, searchOrganization, searchSpace } from './search.ts'
import { toFound, toSearchPage, toSearchSpaces } from './wire.ts'

const reading = publishedReadsOf<'space', SpaceAt>()
const operation = operationsOf<'organization', OrganizationAt>()

const MEANING =
  'Pages of the heads of all spaces that you may see, best first, grouped by space. `limit` and `count` are numbers of pages.'

async function answer(context: Context, { organization }: OrganizationAt, request: SearchRequest) {
  const { items, ...found } = await searchOrganization(
    context,
    organization.id,
    personOf(context.principal),
    request,
  )
  return toFound(found, toSearchSpaces(context.urls, items))
}

export const searchOperations = [
  ...mount(
    [onSpace],
    [
      reading({
        id: 'searchSpaceContent',
        path: '/search',
        summary: 'Search a space',
        description: 'Pages of the head, best first, each with its matching sections.',
        tag: 'Search',
        scope: 'space:read',
        query: SearchQuery,
        reply: SearchPages,
        run: async ({ context, at, query, signal }) => {
          const { items, ...found } = await searchSpace(context, at.space, { ...query, meaning: signal })
          return toFound(
            found,
            items.map(hit => toSearchPage(context.urls, hit)),
          )
        },
      }),
    ],
  ),
  ...mount(
    [inOrganization],
    [
      operation({
        id: 'searchOrganizationContent',
        method: 'GET',
        path: '/search',
        summary: 'Search an organization',
        description: MEANING,
        tag: 'Search',
        may: 'view',
        scope: 'organization:search',
        query: SearchQuery,
        reply: SearchSpaces,
        run: ({ context, at, query, signal }) => answer(context, at, { ...query, meaning: signal }),
      }),
      operation({
        id: 'queryOrganizationContent',
        method: 'POST',
        path: '/search',
        summary: 'Search an organization, with the query in the body',
        description: `${MEANING} The query does not show in the address.`,
        tag: 'Search',
        may: 'view',
        scope: 'organization:search',
        isReadOnly: true,
        query: Paging,
        body: SearchBody,
        reply: SearchSpaces,
        run: ({ context, at, query, body, signal }) =>
          answer(context, at, { ...query, ...body, meaning: signal }),
      }),
    ],
  ),
]
