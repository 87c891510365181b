// Links, and where they come from: of a space as readers see it, and of a change request as it would be.
import { Type } from 'typebox'
import { Id, Paging } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import {
  type ContentAt,
  onChangeRequestContent,
  onChangeRequestHead,
  onContent,
  onHead,
} from '../content/place.ts'
import { readBacklinks, readLinksOf, readLinksOfPage } from './reads.ts'
import { ContentLocations, LinkList, LinkUsages, ProposedLinkList } from './schema.ts'

const operation = operationsOf<'space', ContentAt>()

const common = { method: 'GET', tag: 'Content', may: 'view', scope: 'space:read' } as const

const PageParams = Type.Object({ pageId: Id('A page of the content.') })
const FileParams = Type.Object({ fileId: Id('A file of the content.') })

const ofPage = {
  ...common,
  path: '/page/{pageId}/links',
  params: PageParams,
  summary: 'The links of a page',
  description: 'In document order, each with whether it leads anywhere.',
  reply: LinkUsages,
} as const

const listing = {
  ...common,
  description: 'Each once, with everything around it; the subpages of a page are left out.',
  query: Paging,
  reply: ContentLocations,
} as const

const backlinks = [
  operation({
    ...listing,
    id: { content: 'listSpacePageBacklinks', changeRequestContent: 'listChangeRequestPageBacklinks' },
    path: '/page/{pageId}/backlinks',
    params: PageParams,
    summary: 'The pages that link to a page',
    run: ({ context, at, params: { pageId: id }, query }) =>
      readBacklinks(context, at, { kind: 'page', id }, query),
  }),
  operation({
    ...listing,
    id: { content: 'listSpaceFileBacklinks', changeRequestContent: 'listChangeRequestFileBacklinks' },
    path: '/files/{fileId}/backlinks',
    params: FileParams,
    summary: 'The pages that use a file',
    run: ({ context, at, params: { fileId: id }, query }) =>
      readBacklinks(context, at, { kind: 'file', id }, query),
  }),
]

export const linkOperations = [
  ...mount(
    [onHead],
    [
      operation({
        ...common,
        id: 'listSpaceLinks',
        path: '/links',
        summary: 'The links of a space',
        description: 'Of all pages, each with whether it leads anywhere.',
        query: LinkList,
        reply: LinkUsages,
        run: ({ context, at, query }) => readLinksOf(context, at, query),
      }),
    ],
  ),
  ...mount(
    [onChangeRequestHead],
    [
      operation({
        ...common,
        id: 'listChangeRequestLinks',
        path: '/links',
        summary: 'The links of a change request',
        description: 'Of all pages as they would be, each with whether it would lead anywhere.',
        query: ProposedLinkList,
        reply: LinkUsages,
        run: ({ context, at, query }) => readLinksOf(context, at, query),
      }),
    ],
  ),
  ...mount(
    [onContent],
    [
      operation({
        ...ofPage,
        id: 'listPageLinksInSpace',
        query: LinkList,
        run: ({ context, at, params, query }) => readLinksOfPage(context, at, params.pageId, query),
      }),
    ],
  ),
  ...mount(
    [onChangeRequestContent],
    [
      operation({
        ...ofPage,
        id: 'listPageLinksInChangeRequest',
        query: Paging,
        run: ({ context, at, params, query }) => readLinksOfPage(context, at, params.pageId, query),
      }),
    ],
  ),
  ...mount([onContent, onChangeRequestContent], backlinks),
]
