import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model, readAll } from './client.ts'
import type { ContentPlace } from './pages.ts'

export type Space = Model<'Space'>
export type Collection = Model<'Collection'>

const AT_ONCE = 1000

export const spacesOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['spaces', organizationId],
    queryFn: ({ signal }) =>
      readAll(page =>
        api.GET('/orgs/{organizationId}/spaces', {
          params: { path: { organizationId }, query: { limit: AT_ONCE, page } },
          signal,
        }),
      ),
  })

export const collectionsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ['collections', organizationId],
    queryFn: ({ signal }) =>
      readAll(page =>
        api.GET('/orgs/{organizationId}/collections', {
          params: { path: { organizationId }, query: { limit: AT_ONCE, page } },
          signal,
        }),
      ),
  })

export const space = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: ({ signal }) => dataOf(api.GET('/spaces/{spaceId}', { params: { path: { spaceId } }, signal })),
  })

export const pagesOf = (spaceId: string) => pagesIn({ spaceId })

/** The tree of a space, or what a change request makes of it. */
export const pagesIn = ({ spaceId, changeRequestId }: ContentPlace) =>
  queryOptions({
    queryKey: ['space', spaceId, 'pages', ...(changeRequestId === undefined ? [] : [changeRequestId])],
    queryFn: ({ signal }) =>
      dataOf(
        changeRequestId === undefined
          ? api.GET('/spaces/{spaceId}/content/pages', { params: { path: { spaceId } }, signal })
          : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages', {
              params: { path: { spaceId, changeRequestId } },
              signal,
            }),
      ),
  })

export type SpaceGroup = {
  readonly id: string
  /** Of the collection that they are in. */
  readonly title?: string
  readonly items: readonly Space[]
}

/** In their collections; before them the spaces that are in none. */
export function inCollections(
  spaces: readonly Space[],
  collections: readonly Model<'Collection'>[],
): readonly SpaceGroup[] {
  const known = new Set(collections.map(({ id }) => id))
  const byCollection = Map.groupBy(spaces, ({ parent = '' }) => (known.has(parent) ? parent : ''))
  const groups: readonly Omit<SpaceGroup, 'items'>[] = [
    { id: 'outside' },
    ...collections.map(({ id, title }) => ({ id: `in ${id}`, title })),
  ]
  return groups
    .map((group, at) => ({ ...group, items: byCollection.get(collections[at - 1]?.id ?? '') ?? [] }))
    .filter(({ items }) => items.length > 0)
}

/** Who may read it without being a member. */
export const changeVisibility = (spaceId: string, visibility: Space['visibility']) =>
  dataOf(api.PATCH('/spaces/{spaceId}', { params: { path: { spaceId } }, body: { visibility } }))
