// The titles of pages, of a space and of what a change request makes of it.
import { queryOptions } from '@tanstack/react-query'
import type { Place } from './change-request.ts'
import { api, dataOf } from './client.ts'

type Node = { readonly id: string; readonly title: string; readonly pages?: readonly Node[] }

export const titlesOf = ({ spaceId, changeRequestId }: Place) =>
  queryOptions({
    queryKey: ['space', spaceId, 'change-request', changeRequestId, 'titles'],
    queryFn: async ({ signal }) => {
      const [ofSpace, ofChangeRequest] = await Promise.all([
        dataOf(api.GET('/spaces/{spaceId}/content/pages', { params: { path: { spaceId } }, signal })),
        dataOf(
          api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages', {
            params: { path: { spaceId, changeRequestId } },
            signal,
          }),
        ),
      ])
      return new Map([...listTitles(ofSpace.pages), ...listTitles(ofChangeRequest.pages)])
    },
  })

const listTitles = (nodes: readonly Node[]): [string, string][] =>
  nodes.flatMap(({ id, title, pages = [] }) => [[id, title], ...listTitles(pages)])
