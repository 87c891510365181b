import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

export type Member = Model<'Member'>

const SUGGESTED = 6

/** Some members whose name or address contains this. Guests may not list them. */
export const membersLike = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'members-like', search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/members', {
          params: {
            path: { organizationId },
            query: { limit: SUGGESTED, ...(search === '' ? {} : { search }) },
          },
          signal,
        }),
      ),
  })
