// The history of a space: its revisions, newest first, and undoing one of them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

export type Revision = Model<'RevisionSummary'>

const PAGE_ITEMS = 50

/** `changedPage`: only those that changed this page itself. */
export const revisionsOf = (spaceId: string, changedPage?: string) =>
  infiniteQueryOptions({
    queryKey: ['space', spaceId, 'revisions', changedPage],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/revisions', {
          params: { path: { spaceId }, query: { changedPage, limit: PAGE_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** The revision that changed a page last, as far back as this is known. */
export const lastRevisionOf = (spaceId: string, pageId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'last-revision', pageId],
    queryFn: async ({ signal }) => {
      const { items } = await dataOf(
        api.GET('/spaces/{spaceId}/revisions', {
          params: { path: { spaceId }, query: { changedPage: pageId, limit: 1 } },
          signal,
        }),
      )
      return items[0] ?? null
    },
  })

/** Who wrote what it changed: of a commit its author, of a merge the author of the change request. */
export const authorOf = ({ createdBy, commitAuthor, mergedFrom }: Revision): string | undefined =>
  commitAuthor ?? mergedFrom?.createdBy?.displayName ?? createdBy?.displayName

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
