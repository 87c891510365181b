// The pages of a space: their tree, and one of them as readers see it.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'

export type TreePage = Model<'RevisionPage'>

const BACKLINKS_ITEMS = 20

export const pageHtml = (spaceId: string, pageId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'page-html', pageId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/content/page/{pageId}/html', {
          params: { path: { spaceId, pageId } },
          signal,
        }),
      ),
  })

export const backlinksOf = (spaceId: string, pageId: string) =>
  infiniteQueryOptions({
    queryKey: ['space', spaceId, 'backlinks', pageId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/content/page/{pageId}/backlinks', {
          params: { path: { spaceId, pageId }, query: { limit: BACKLINKS_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** Each page with what is above it, in reading order. */
export function* walkPages(
  pages: readonly TreePage[],
  above: readonly TreePage[] = [],
): Generator<{ readonly page: TreePage; readonly above: readonly TreePage[] }> {
  for (const page of pages) {
    yield { page, above }
    yield* walkPages(page.pages ?? [], [...above, page])
  }
}

/** The page of this id, or the first that has a text. */
export function findPage(pages: readonly TreePage[], id: string | undefined) {
  for (const found of walkPages(pages))
    if (id === undefined ? hasText(found.page) : found.page.id === id) return found
  return undefined
}

/** The first page that can be written: of these, or of all if none of them can. */
export function firstWritten(pages: readonly TreePage[], ids: readonly string[]): TreePage | undefined {
  const written = [...walkPages(pages)].flatMap(({ page }) => (page.type === 'document' ? [page] : []))
  return written.find(({ id }) => ids.includes(id)) ?? written[0]
}

export const hasText = ({ type }: TreePage): boolean => type === 'document' || type === 'computed'

/** Of a page, or without one of its space. */
export const historyAddress = (spaceId: string, pageId?: string): string =>
  `${spaceAddress(spaceId)}/history${pageId === undefined ? '' : `?page=${pageId}`}`

export const spaceAddress = (spaceId: string): string => `/w/s/${spaceId}`
export const pageAddress = (spaceId: string, pageId: string): string => `/w/s/${spaceId}/p/${pageId}`

/** Without a change request, it is the space itself. */
export type ContentPlace = { readonly spaceId: string; readonly changeRequestId?: string | undefined }

/** Where a page is written; a draft begins with the first save. */
export const editAddress = ({ spaceId, changeRequestId }: ContentPlace, pageId: string): string =>
  `${spaceAddress(spaceId)}${changeRequestId === undefined ? '' : `/c/${changeRequestId}`}/edit/${pageId}`

/** A page as readers will see it: in its space, or in what a change request makes of it; '' for the first there. */
export const readAddress = ({ spaceId, changeRequestId }: ContentPlace, pageId: string): string =>
  changeRequestId === undefined
    ? pageId === ''
      ? spaceAddress(spaceId)
      : pageAddress(spaceId, pageId)
    : `${spaceAddress(spaceId)}/c/${changeRequestId}/preview${pageId === '' ? '' : `/${pageId}`}`

const CODE_POINTS = /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i

/** The character of an emoji, which content may also name by its code points. */
export function emojiOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!CODE_POINTS.test(text)) return text
  const points = text.split('-').map(hex => Number.parseInt(hex, 16))
  return points.every(point => point <= 0x10_ff_ff) ? String.fromCodePoint(...points) : undefined
}
