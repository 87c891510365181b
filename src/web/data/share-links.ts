// Links that open a space to everybody who has them. They are in no cache, which would read them again by itself: reading them
// may ask who is there.
import { api, dataOf, type Model } from './client.ts'
import { sendOnce } from './send-once.ts'

export type ShareLink = Model<'ShareLink'>

const EVERYTHING = 1000

export async function readShareLinks(spaceId: string): Promise<readonly ShareLink[]> {
  const { items } = await dataOf(
    api.GET('/spaces/{spaceId}/share-links', {
      params: { path: { spaceId }, query: { limit: EVERYTHING } },
    }),
  )
  return items
}

export const createShareLink = (spaceId: string, name: string): Promise<ShareLink> =>
  sendOnce([spaceId, name], key =>
    dataOf(
      api.POST('/spaces/{spaceId}/share-links', {
        params: { path: { spaceId }, header: { 'Idempotency-Key': key } },
        body: { name },
      }),
    ),
  )

/** The address of one that is off opens nothing, until it is on again. */
export const changeShareLink = (
  spaceId: string,
  shareLinkId: string,
  body: { readonly active: boolean } | { readonly name: string },
): Promise<ShareLink> =>
  dataOf(
    api.PATCH('/spaces/{spaceId}/share-links/{shareLinkId}', {
      params: { path: { spaceId, shareLinkId } },
      body,
    }),
  )

/** Its address opens nothing any more. */
export const deleteShareLink = (spaceId: string, shareLinkId: string): Promise<unknown> =>
  dataOf(
    api.DELETE('/spaces/{spaceId}/share-links/{shareLinkId}', {
      params: { path: { spaceId, shareLinkId } },
    }),
  )
