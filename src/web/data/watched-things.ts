// Everything that the person watches.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'
import { WATCHED_THINGS } from './watches.ts'

const PAGE_ITEMS = 100

export type WatchedThing = Model<'WatchedThing'>

/** Newest first. */
export const watchedThings = infiniteQueryOptions({
  queryKey: WATCHED_THINGS,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) =>
    dataOf(api.GET('/user/watched', { params: { query: { limit: PAGE_ITEMS, page: pageParam } }, signal })),
  getNextPageParam: last => last.next?.page,
})
