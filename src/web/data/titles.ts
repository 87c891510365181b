// The titles of pages, of a space and of what a change request makes of it.
import { queryOptions } from '@tanstack/react-query'
import type { Place } from './change-request.ts'
import { api, dataOf } from './client.ts'

type Node = { readonly id: string; readonly title: string; readonly pages?: readonly Node[] }

/** The title of each page by its id, as each of the two has it; one that it lacks has that of the other. */
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
      const titles = { space: listTitles(ofSpace.pages), changeRequest: listTitles(ofChangeRequest.pages) }
      return {
        space: new Map([...titles.changeRequest, ...titles.space]),
        changeRequest: new Map([...titles.space, ...titles.changeRequest]),
      }
    },
  })

const listTitles = (nodes: readonly Node[]): [string, string][] =>
  nodes.flatMap(({ id, title, pages = [] }) => [[id, title], ...listTitles(pages)])
