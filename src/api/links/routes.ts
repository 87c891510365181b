// Links and backlinks: of a space as readers see it, and of a change request as it would be.
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
  summary: 'List links of a page',
  description: 'In document order, each with its status.',
  reply: LinkUsages,
} as const

const listing = {
  ...common,
  description: 'Each page once, with its ancestors and neighbours; the subpages of a page are left out.',
  query: Paging,
  reply: ContentLocations,
} as const

const backlinks = [
  operation({
    ...listing,
    id: { content: 'listSpacePageBacklinks', changeRequestContent: 'listChangeRequestPageBacklinks' },
    path: '/page/{pageId}/backlinks',
    params: PageParams,
    summary: 'List pages that link to a page',
    run: ({ context, at, params: { pageId: id }, query }) =>
      readBacklinks(context, at, { kind: 'page', id }, query),
  }),
  operation({
    ...listing,
    id: { content: 'listSpaceFileBacklinks', changeRequestContent: 'listChangeRequestFileBacklinks' },
    path: '/files/{fileId}/backlinks',
    params: FileParams,
    summary: 'List pages that use a file',
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
        summary: 'List links of a space',
        description: 'The links of all pages, each with its status.',
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
        summary: 'List links of a change request',
        description: 'The links of all pages as they are in the change request, each with its status.',
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
