import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

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
