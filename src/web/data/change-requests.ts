import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

export type ChangeRequest = Model<'ChangeRequest'>
/** What a list is narrowed to. */
export type Filters = {
  readonly status: ChangeRequest['status']
  readonly creator?: string
  readonly requestedReviewer?: string
}

const PAGE_ITEMS = 50

export const changeRequestsOfSpace = (spaceId: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['space', spaceId, 'change-requests', filters],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests', {
          params: { path: { spaceId }, query: { ...filters, limit: PAGE_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

export const changeRequestsOfOrganization = (organizationId: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['organization', organizationId, 'change-requests', filters],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/change-requests', {
          params: { path: { organizationId }, query: { ...filters, limit: PAGE_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })
