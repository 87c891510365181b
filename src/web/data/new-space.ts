// Making a space, and what it begins with.
import { queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf, type Model } from './client.ts'
import { firstWritten, pageAddress, spaceAddress } from './pages.ts'
import { pagesOf, type Space } from './spaces.ts'

export type NewSpace = {
  readonly title: string
  readonly emoji?: string
  /** The collection that it is in. */
  readonly parent?: string
  readonly language?: NonNullable<Space['language']>
  readonly template?: { readonly id: string }
}

/** With the same `key` it is made once. */
export const createSpace = (organizationId: string, body: NewSpace, key: string): Promise<Space> =>
  dataOf(
    api.POST('/orgs/{organizationId}/spaces', {
      params: { path: { organizationId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  )

export const renameSpace = (spaceId: string, title: string): Promise<Space> =>
  dataOf(api.PATCH('/spaces/{spaceId}', { params: { path: { spaceId } }, body: { title } }))

/** Lists of spaces are read again. */
export const spacesChanged = (organizationId: string): Promise<unknown> =>
  Promise.all([
    cache.invalidateQueries({ queryKey: ['spaces', organizationId] }),
    cache.invalidateQueries({ queryKey: ['collections', organizationId] }),
  ])

/** Where its first page is, and how many pages there are. */
export async function readBeginning(spaceId: string): Promise<{ address: string; pages: number }> {
  await cache.invalidateQueries({ queryKey: ['space', spaceId] })
  const { pages } = await cache.fetchQuery(pagesOf(spaceId))
  const first = firstWritten(pages, [])
  return {
    address: first === undefined ? spaceAddress(spaceId) : pageAddress(spaceId, first.id),
    pages: countPages(pages),
  }
}

const countPages = (pages: readonly Model<'RevisionPage'>[]): number =>
  pages.reduce(
    (sum, { type, pages: below = [] }) => sum + (type === 'document' ? 1 : 0) + countPages(below),
    0,
  )

/** Writes its first page; answers the id of the page. With the same `key` it is written once. */
export async function writeFirstPage(spaceId: string, title: string, key: string): Promise<string> {
  await dataOf<unknown>(
    api.POST('/spaces/{spaceId}/content', {
      params: { path: { spaceId }, header: { 'Idempotency-Key': key } },
      body: { changes: [{ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } }] },
    }),
  )
  return firstPageOf(spaceId)
}

/** Its id; every space that begins with something has one. */
export async function firstPageOf(spaceId: string): Promise<string> {
  const { pages } = await cache.fetchQuery(pagesOf(spaceId))
  return firstWritten(pages, [])?.id ?? ''
}

/** Those of the organization. */
export const templatesOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'templates'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/templates', {
          params: { path: { organizationId }, query: { limit: 1000 } },
          signal,
        }),
      ),
  })
