// The history of a space: its revisions, newest first, and undoing one of them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Change } from './change-request.ts'
import { api, dataOf, type Model } from './client.ts'
import type { Sides } from './review.ts'

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

/** A page before and after a revision, as readers saw it; a side without the page has none. */
export const pageAround = (
  spaceId: string,
  { id, parents }: Revision,
  pageId: string,
  kind: Change['type'],
) =>
  queryOptions({
    queryKey: ['space', spaceId, 'revision', id, 'page', pageId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Sides> => {
      const htmlAt = async (revisionId: string) => {
        const { html } = await dataOf(
          api.GET('/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html', {
            params: { path: { spaceId, revisionId, pageId } },
            signal,
          }),
        )
        return html
      }
      const [parent] = parents
      const [before, after] = await Promise.all([
        kind === 'page_created' || parent === undefined ? null : htmlAt(parent),
        kind === 'page_deleted' ? null : htmlAt(id),
      ])
      return { before, after }
    },
  })

/** A draft of a change request that undoes the revision. */
export const proposeRollBack = (spaceId: string, revisionId: string, subject: string) =>
  dataOf(
    api.POST('/spaces/{spaceId}/revisions/{revisionId}/propose-rollback', {
      params: { path: { spaceId, revisionId } },
      body: { subject },
    }),
  )
