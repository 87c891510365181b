import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

type ShareLink = Model<'ShareLink'>

const EVERYTHING = 1000

export const shareLinksOf = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'share-links'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/share-links', {
          params: { path: { spaceId }, query: { limit: EVERYTHING } },
          signal,
        }),
      ),
  })

export const createShareLink = (spaceId: string, name: string): Promise<ShareLink> =>
  dataOf(api.POST('/spaces/{spaceId}/share-links', { params: { path: { spaceId } }, body: { name } }))

/** The address of one that is off opens nothing, until it is on again. */
export const setShareLinkActive = (
  spaceId: string,
  shareLinkId: string,
  active: boolean,
): Promise<ShareLink> =>
  dataOf(
    api.PATCH('/spaces/{spaceId}/share-links/{shareLinkId}', {
      params: { path: { spaceId, shareLinkId } },
      body: { active },
    }),
  )
