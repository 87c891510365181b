// What the person watches in a space.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

export const watchedIn = (spaceId: string) =>
  queryOptions({
    queryKey: ['watched', spaceId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/spaces/{spaceId}/watch', { params: { path: { spaceId } }, signal })),
  })

/** The key of all that is watched, which is read where it is listed. */
export const WATCHED_THINGS = ['watched-things'] as const

type Watched = {
  readonly spaceId: string
  readonly pageId?: string
  readonly changeRequestId?: string
}

/** All of a space, one of its pages, or one of its change requests. */
export async function setWatched(
  cache: QueryClient,
  { spaceId, pageId, changeRequestId }: Watched,
  isWatched: boolean,
): Promise<void> {
  const verb = isWatched ? api.PUT : api.DELETE
  if (changeRequestId !== undefined)
    await dataOf(
      verb('/spaces/{spaceId}/change-requests/{changeRequestId}/watch', {
        params: { path: { spaceId, changeRequestId } },
      }),
    )
  else if (pageId !== undefined)
    await dataOf(
      verb('/spaces/{spaceId}/content/page/{pageId}/watch', { params: { path: { spaceId, pageId } } }),
    )
  else await dataOf(verb('/spaces/{spaceId}/watch', { params: { path: { spaceId } } }))
  await Promise.all([
    cache.invalidateQueries({ queryKey: watchedIn(spaceId).queryKey }),
    cache.invalidateQueries({ queryKey: WATCHED_THINGS }),
  ])
}
