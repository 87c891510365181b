// The history of a space: its revisions, newest first, and undoing one of them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
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

/** What a revision did to a page, block by block. */
export const pageInRevision = (spaceId: string, revisionId: string, pageId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'revision', revisionId, 'page', pageId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/revisions/{revisionId}/changes/page/{pageId}/html', {
          params: { path: { spaceId, revisionId, pageId } },
          signal,
        }),
      ),
  })

/** A draft of a change request that undoes the revision. */
export const proposeRollBack = (spaceId: string, revisionId: string, subject: string) =>
  dataOf(
    api.POST('/spaces/{spaceId}/revisions/{revisionId}/propose-rollback', {
      params: { path: { spaceId, revisionId } },
      body: { subject },
    }),
  )
