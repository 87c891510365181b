// What happened to a change request, newest first, with the reviews and comments that were given.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'
import { commentsKeyOf } from './comments.ts'

export type TimelineItem = Model<'ChangeRequestTimelineItem'>

// As much as somebody reads at once.
const PAGE_ITEMS = 50

/** By the id of the change request, as comments are: what is written to one of them makes it old. */
export const timelineOf = (spaceId: string, changeRequestId: string) =>
  infiniteQueryOptions({
    queryKey: [...commentsKeyOf({ spaceId, changeRequestId }), 'timeline'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/timeline', {
          params: {
            path: { spaceId, changeRequestId },
            query: { order: 'desc', format: 'html', limit: PAGE_ITEMS, page: pageParam },
          },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** What was done last of undoing its merge and bringing it back; null if nothing was. */
export const lastUndoing = (spaceId: string, changeRequestId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'last-undoing', changeRequestId],
    queryFn: async ({ signal }) => {
      const { items } = await dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/timeline', {
          params: {
            path: { spaceId, changeRequestId },
            query: { order: 'desc', type: ['undone', 'redone'], limit: 1 },
          },
          signal,
        }),
      )
      return items[0] ?? null
    },
  })
