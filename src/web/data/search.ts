import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

const PAGES_MAX = 20
const PEOPLE_MAX = 5

/** Pages of all spaces with their sections, best first. */
export const search = (organizationId: string, text: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'search', text],
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/search', {
          params: { path: { organizationId }, query: { query: text, limit: PAGES_MAX } },
          signal,
        }),
      ),
  })

/** A page and its space. */
export type Hit = {
  readonly id: string
  readonly space: Pick<Model<'SearchSpaceResult'>, 'id' | 'title'>
  readonly page: Model<'SearchPageResult'>
}

/** Some of the pages of all spaces, best first. */
async function hitsOfOrganization(organizationId: string, query: PageQuery, signal: AbortSignal) {
  const { items, ...rest } = await dataOf(
    api.GET('/orgs/{organizationId}/search', { params: { path: { organizationId }, query }, signal }),
  )
  const hits = items.flatMap(space => space.pages.map(page => toHit(space, page)))
  return { ...rest, hits: hits.sort((a, b) => a.page.rank - b.page.rank) }
}

/** Those of one space. */
async function hitsOfSpace(space: Hit['space'], query: PageQuery, signal: AbortSignal) {
  const { items, ...rest } = await dataOf(
    api.GET('/spaces/{spaceId}/search', { params: { path: { spaceId: space.id }, query }, signal }),
  )
  return { ...rest, hits: items.map(page => toHit(space, page)) }
}

type PageQuery = { readonly query: string; readonly limit: number; readonly page: string | undefined }

const toHit = (space: Hit['space'], page: Hit['page']): Hit => ({ id: `${space.id} ${page.id}`, space, page })

/** Of one space, or of the organization, read on and on. */
export const hits = (organizationId: string, space: Hit['space'] | undefined, text: string) =>
  infiniteQueryOptions({
    queryKey: ['organization', organizationId, 'hits', space?.id, text],
    enabled: text !== '',
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam: page, signal }) => {
      const query = { query: text, limit: PAGES_MAX, page }
      return space === undefined
        ? hitsOfOrganization(organizationId, query, signal)
        : hitsOfSpace(space, query, signal)
    },
    getNextPageParam: last => last.next?.page,
  })

export const people = (organizationId: string, text: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'people', text],
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/members', {
          params: { path: { organizationId }, query: { search: text, limit: PEOPLE_MAX } },
          signal,
        }),
      ),
  })
