import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf, isStatus, type Model } from './client.ts'

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

const EVERYTHING = 1000

/** By name. Guests may not list them, and get none. */
export const membersOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'members'],
    queryFn: async ({ signal }): Promise<readonly Member[]> => {
      try {
        const { items } = await dataOf(
          api.GET('/orgs/{organizationId}/members', {
            params: { path: { organizationId }, query: { limit: EVERYTHING } },
            signal,
          }),
        )
        return items
      } catch (error) {
        if (isStatus(error, 403)) return []
        throw error
      }
    },
  })
