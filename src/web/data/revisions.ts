// The history of a space: its revisions, newest first, and undoing one of them.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

export type Revision = Model<'RevisionSummary'>

const PAGE_ITEMS = 50

export const revisionsOf = (spaceId: string) =>
  infiniteQueryOptions({
    queryKey: ['space', spaceId, 'revisions'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/revisions', {
          params: { path: { spaceId }, query: { limit: PAGE_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** A draft of a change request that undoes the revision. */
export const proposeRollBack = (spaceId: string, revisionId: string, subject: string) =>
  dataOf(
    api.POST('/spaces/{spaceId}/revisions/{revisionId}/propose-rollback', {
      params: { path: { spaceId, revisionId } },
      body: { subject },
    }),
  )
