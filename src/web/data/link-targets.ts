// What a page can link to: the pages of the content that is edited, and the headings of one of them.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { type ContentPlace, hasText, type TreePage, walkPages } from './pages.ts'

export type LinkTarget = {
  readonly id: string
  readonly title: string
  /** Of what is above it, from the top. */
  readonly above: readonly string[]
  /** Its path in the repository; undefined if it has none yet. */
  readonly file: string | undefined
}

const keyOf = ({ spaceId, changeRequestId }: ContentPlace, ...rest: readonly string[]) => [
  ...['space', spaceId, 'link-targets', changeRequestId ?? ''],
  ...rest,
]

/** In reading order. */
export const linkTargets = (place: ContentPlace) =>
  queryOptions({
    queryKey: keyOf(place),
    queryFn: async ({ signal }): Promise<readonly LinkTarget[]> => {
      const { spaceId, changeRequestId } = place
      const { pages } = await dataOf(
        changeRequestId === undefined
          ? api.GET('/spaces/{spaceId}/content/pages', { params: { path: { spaceId } }, signal })
          : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages', {
              params: { path: { spaceId, changeRequestId } },
              signal,
            }),
      )
      return [...walkPages(pages)].flatMap(({ page, above }) => (hasText(page) ? toTarget(page, above) : []))
    },
  })

const toTarget = ({ id, title, git }: TreePage, above: readonly TreePage[]): LinkTarget => ({
  ...{ id, title },
  above: above.map(page => page.title),
  file: git?.path,
})

export type HeadingTarget = { readonly anchor: string; readonly text: string }

const ID_PREFIX = 'page.'

export const headingTargets = (place: ContentPlace, pageId: string) =>
  queryOptions({
    queryKey: keyOf(place, pageId),
    queryFn: async ({ signal }): Promise<readonly HeadingTarget[]> => {
      const { spaceId, changeRequestId } = place
      const { outline } = await dataOf(
        changeRequestId === undefined
          ? api.GET('/spaces/{spaceId}/content/page/{pageId}/html', {
              params: { path: { spaceId, pageId } },
              signal,
            })
          : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html', {
              params: { path: { spaceId, changeRequestId, pageId } },
              signal,
            }),
      )
      return outline.map(({ id, text }) => ({ anchor: id.slice(ID_PREFIX.length), text }))
    },
  })
