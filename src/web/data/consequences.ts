// What else is touched when pages are deleted.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { ContentPlace } from './pages.ts'

/** Of so many pages it is asked who links to them: each is a request. */
export const PAGES_ASKED_MAX = 30
const BACKLINKS_ITEMS = 100

/** Pages elsewhere that link to these, and how many open comments are on them. */
export const consequencesOf = (place: ContentPlace, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['space', place.spaceId, 'consequences', place.changeRequestId ?? '', ids],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const asked = ids.slice(0, PAGES_ASKED_MAX)
      const [links, comments] = await Promise.all([
        Promise.all(asked.map(id => linksTo(place, id, signal))),
        Promise.all(asked.map(id => countComments(place.spaceId, id, signal))),
      ])
      const gone = new Set(ids)
      const linking = new Map(links.flat().flatMap(page => (gone.has(page.id) ? [] : [[page.id, page]])))
      return { linking: [...linking.values()], comments: comments.reduce((sum, count) => sum + count, 0) }
    },
  })

async function linksTo({ spaceId, changeRequestId }: ContentPlace, pageId: string, signal: AbortSignal) {
  const query = { limit: BACKLINKS_ITEMS }
  const { items } = await dataOf(
    changeRequestId === undefined
      ? api.GET('/spaces/{spaceId}/content/page/{pageId}/backlinks', {
          params: { path: { spaceId, pageId }, query },
          signal,
        })
      : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/backlinks', {
          params: { path: { spaceId, changeRequestId, pageId }, query },
          signal,
        }),
  )
  return items.flatMap(item => (item.kind === 'page' ? [item.page] : []))
}

async function countComments(spaceId: string, targetPage: string, signal: AbortSignal): Promise<number> {
  const { count } = await dataOf(
    api.GET('/spaces/{spaceId}/comments', {
      params: { path: { spaceId }, query: { targetPage, status: 'open', limit: 1 } },
      signal,
    }),
  )
  return count
}
