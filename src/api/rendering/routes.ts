// Texts as the HTML that readers see.
import { Type } from 'typebox'
import { Id } from '../../http/list.ts'
import { mount, publishedReadsOf } from '../../http/operation.ts'
import { type ContentAt, onChangeRequestContent, onContent, onRevision } from '../content/place.ts'
import { readPageHtml } from './reads.ts'
import { PageHtml } from './schema.ts'

const reading = publishedReadsOf<'space', ContentAt>()

const common = { tag: 'Content', scope: 'space:read' } as const

export const renderingOperations = mount(
  [onContent, onRevision, onChangeRequestContent],
  [
    reading({
      ...common,
      id: {
        content: 'getPageHtml',
        revision: 'getPageHtmlInRevision',
        changeRequestContent: 'getPageHtmlInChangeRequest',
      },
      path: '/page/{pageId}/html',
      params: Type.Object({ pageId: Id('A page of the revision.') }),
      summary: 'Get a page as HTML',
      description: 'As the reader shows it. Octavo extension.',
      reply: PageHtml,
      run: ({ context, at, params }) => readPageHtml(context, at, params.pageId),
    }),
  ],
)
