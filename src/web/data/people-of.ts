// The people of an organization as its admins manage them.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf } from './client.ts'
import type { Role } from './roles.ts'

const PAGE_ITEMS = 100
const EVERYTHING = 1000

/** Who is listed; empty is everybody. `secondFactor`: for admins. */
export type PeopleFilter = { readonly role?: Role | 'guest'; readonly secondFactor?: boolean }

export const peopleOf = (organizationId: string, search: string, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: ['organization', organizationId, 'people', search, filter],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/members', {
          params: {
            path: { organizationId },
            query: { limit: PAGE_ITEMS, page: pageParam, ...filter, ...(search === '' ? {} : { search }) },
          },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** The ids of those whose access is not disabled. */
export const adminsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'admins'],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const { items } = await dataOf(
        api.GET('/orgs/{organizationId}/members', {
          params: { path: { organizationId }, query: { role: 'admin', limit: EVERYTHING } },
          signal,
        }),
      )
      return items.filter(({ disabled }) => !disabled).map(({ id }) => id)
    },
  })

type MemberPlace = { readonly organizationId: string; readonly userId: string }
type Change = { readonly role?: Role | null; readonly disabled?: boolean }

/** What is shown is read again also if it is refused: somebody else may have been quicker. */
async function andRead<Answer>(organizationId: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } finally {
    await cache.invalidateQueries({ queryKey: ['organization', organizationId] })
    void cache.invalidateQueries({ queryKey: ['organizations'] })
  }
}

export const changeMember = ({ organizationId, userId }: MemberPlace, body: Change) =>
  andRead(
    organizationId,
    dataOf(
      api.PATCH('/orgs/{organizationId}/members/{userId}', {
        params: { path: { organizationId, userId } },
        body,
      }),
    ),
  )

export const removeMember = ({ organizationId, userId }: MemberPlace) =>
  andRead(
    organizationId,
    dataOf(
      api.DELETE('/orgs/{organizationId}/members/{userId}', { params: { path: { organizationId, userId } } }),
    ),
  )

export const resetSecondFactor = ({ organizationId, userId }: MemberPlace) =>
  andRead(
    organizationId,
    dataOf(
      api.DELETE('/orgs/{organizationId}/members/{userId}/second-factor', {
        params: { path: { organizationId, userId } },
      }),
    ),
  )

export const explanationOf = (kind: 'space' | 'collection', id: string, userId: string) =>
  queryOptions({
    queryKey: ['explanation', kind, id, userId],
    staleTime: 0,
    queryFn: ({ signal }) => {
      const query = { user: userId }
      return dataOf(
        kind === 'space'
          ? api.GET('/spaces/{spaceId}/permissions/explain', {
              params: { path: { spaceId: id }, query },
              signal,
            })
          : api.GET('/collections/{collectionId}/permissions/explain', {
              params: { path: { collectionId: id }, query },
              signal,
            }),
      )
    },
  })
