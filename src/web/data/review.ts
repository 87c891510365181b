// What a review reads of a change request, beside its changes: the texts on both sides.
import { queryOptions } from '@tanstack/react-query'
import type { Change, Place } from './change-request.ts'
import type { ChangeRequest } from './change-requests.ts'
import { api, dataOf, type Model } from './client.ts'

export type BlockChange = Model<'BlockChange'>

/** Both versions as HTML with the keys of their blocks; null on a side without the page. */
export type Sides = { readonly before: string | null; readonly after: string | null }

/** The revision of the space that a change request is compared with. */
export const baseOf = ({ revisionInitial, revisionMergedAncestor }: ChangeRequest): string =>
  revisionMergedAncestor ?? revisionInitial

export type Revisions = { readonly base: string; readonly revision: string }

const keyOf = ({ spaceId, changeRequestId }: Place, ...rest: readonly unknown[]) => [
  'space',
  spaceId,
  'change-request',
  changeRequestId,
  ...rest,
]

/** `kind`: a page that was created has no text before, one that was deleted none after. */
export const pageSides = (place: Place, pageId: string, revisions: Revisions, kind: Change['type']) =>
  queryOptions({
    queryKey: keyOf(place, 'sides', pageId, revisions, kind),
    queryFn: async ({ signal }): Promise<Sides> => {
      const { spaceId } = place
      const htmlAt = async (revisionId: string) => {
        const path = { spaceId, revisionId, pageId }
        const options = { params: { path }, signal }
        return (await dataOf(api.GET('/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html', options)))
          .html
      }
      const [before, after] = await Promise.all([
        kind === 'page_created' ? null : htmlAt(revisions.base),
        kind === 'page_deleted' ? null : htmlAt(revisions.revision),
      ])
      return { before, after }
    },
  })

export type DocumentIds = { readonly before?: string; readonly after?: string }

/** Of reusable content, by the ids of its documents. */
export const documentSides = (place: Place, ids: DocumentIds) =>
  queryOptions({
    queryKey: keyOf(place, 'documents', ids),
    queryFn: async ({ signal }): Promise<Sides> => {
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
