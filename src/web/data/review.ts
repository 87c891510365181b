// What a review reads of a change request, beside its changes: the texts on both sides.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { keyOf, type Place } from './change-request.ts'
import type { ChangeRequest } from './change-requests.ts'
import { api, dataOf, isStatus, type Model } from './client.ts'

export type BlockChange = Model<'BlockChange'>

export type Comparison = Model<'PageComparison'>

/** Both versions of a text as HTML with the keys of their blocks; null on a side without it. */
export type Versions = { readonly before: string | null; readonly after: string | null }

/** A page block by block, against what the change request started from. */
export const pageComparison = (place: Place, pageId: string, { revision, base }: Revisions) =>
  queryOptions({
    queryKey: keyOf(place, 'comparison', pageId, revision, base),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/changes/page/{pageId}/html', {
          params: { path: { ...place, pageId } },
          signal,
        }),
      ),
  })

/** The revision of the space that it is compared with, and its own. */
export type Revisions = { readonly base: string; readonly revision: string }

export const revisionsOf = ({
  revision,
  revisionInitial,
  revisionMergedAncestor,
}: ChangeRequest): Revisions => ({ base: revisionMergedAncestor ?? revisionInitial, revision })

export type DocumentIds = { readonly before?: string; readonly after?: string }

/** Of reusable content, by the ids of its documents. */
export const documentVersions = (place: Place, ids: DocumentIds) =>
  queryOptions({
    queryKey: keyOf(place, 'documents', ids),
    queryFn: async ({ signal }): Promise<Versions> => {
      const { spaceId, changeRequestId } = place
      const htmlOf = async (documentId: string | undefined) => {
        if (documentId === undefined) return null
        const { nodes } = await dataOf(
          api.GET('/spaces/{spaceId}/documents/{documentId}', {
            params: { path: { spaceId, documentId } },
            signal,
          }),
        )
        const htmls: string[] = []
        for (let start = 0; start < nodes.length; start += NODES_AT_ONCE) {
          const some = nodes.slice(start, start + NODES_AT_ONCE)
          const { html } = await dataOf(
            api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/content/preview', {
              params: { path: { spaceId, changeRequestId } },
              body: { nodes: some },
              signal,
            }),
          )
          for (const [index, node] of some.entries())
            htmls.push(`<div data-block="${keyOfNode(node)}">${html[index] ?? ''}</div>`)
        }
        return htmls.join('')
      }
      const [before, after] = await Promise.all([htmlOf(ids.before), htmlOf(ids.after)])
      return { before, after }
    },
  })

const NODES_AT_ONCE = 200

const keyOfNode = (node: object): string =>
  'key' in node && typeof node.key === 'string' && /^[\w-]+$/.test(node.key) ? node.key : ''

export type Viewed = Model<'ViewedPages'>

const viewedKey = (place: Place) => keyOf(place, 'viewed')

export const viewedPages = (place: Place) =>
  queryOptions({
    queryKey: viewedKey(place),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/viewed', {
          params: { path: place },
          signal,
        }),
      ),
  })

/** As it is in `revision`, which was read. Shown at once. */
export async function markViewed(
  place: Place,
  page: string,
  viewed: boolean,
  revision: string,
): Promise<void> {
  const queryKey = viewedKey(place)
  await cache.cancelQueries({ queryKey })
  const before = cache.getQueryData<Viewed>(queryKey)
  if (before !== undefined) {
    const others = before.pages.filter(one => one.page !== page)
    const pages = viewed ? [{ page, hash: '', current: true }, ...others] : others
    cache.setQueryData<Viewed>(queryKey, { ...before, pages })
  }
  try {
    const now = await dataOf(
      api.PUT('/spaces/{spaceId}/change-requests/{changeRequestId}/viewed', {
        params: { path: place },
        body: { pages: [{ page, viewed }], revision },
      }),
    )
    cache.setQueryData<Viewed>(queryKey, now)
  } catch (error) {
    cache.setQueryData(queryKey, before)
    throw error
  }
}

/** The Markdown of a page on both sides; '' on a side without it. */
export const pageSources = (place: Place, pageId: string, { base, revision }: Revisions) =>
  queryOptions({
    queryKey: keyOf(place, 'sources', pageId, revision, base),
    queryFn: async ({ signal }) => {
      const sourceAt = async (revisionId: string) => {
        try {
          const page = await dataOf(
            api.GET('/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', {
              params: {
                path: { spaceId: place.spaceId, revisionId, pageId },
                query: { format: 'markdown' },
              },
              signal,
            }),
          )
          return 'markdown' in page && typeof page.markdown === 'string' ? page.markdown : ''
        } catch (error) {
          if (isStatus(error, 404)) return ''
          throw error
        }
      }
      const [before, after] = await Promise.all([sourceAt(base), sourceAt(revision)])
      return { before, after }
    },
  })
