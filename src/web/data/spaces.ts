import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

export type Space = Model<'Space'>

const EVERYTHING = 1000

export const spacesOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['spaces', organizationId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/spaces', {
          params: { path: { organizationId }, query: { limit: EVERYTHING } },
          signal,
        }),
      ),
  })

export const collectionsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['collections', organizationId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/collections', {
          params: { path: { organizationId }, query: { limit: EVERYTHING } },
          signal,
        }),
      ),
  })

export const space = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: ({ signal }) => dataOf(api.GET('/spaces/{spaceId}', { params: { path: { spaceId } }, signal })),
  })

export const pagesOf = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'pages'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/spaces/{spaceId}/content/pages', { params: { path: { spaceId } }, signal })),
  })

/** Who may read it without being a member. */
export const changeVisibility = (spaceId: string, visibility: Space['visibility']) =>
  dataOf(api.PATCH('/spaces/{spaceId}', { params: { path: { spaceId } }, body: { visibility } }))
