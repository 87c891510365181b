// Texts as the HTML that readers see.
import { Type } from 'typebox'
import { Id } from '../../http/list.ts'
import { mount, programOperationsOf, publishedReadsOf } from '../../http/operation.ts'
import {
  type ContentAt,
  onChangeRequestContent,
  onChangeRequestHead,
  onContent,
  onRevision,
} from '../content/place.ts'
import { readComparison } from './comparison.ts'
import { preview } from './preview.ts'
import { readPageHtml } from './reads.ts'
import { NewPreview, PageComparison, PageHtml, Preview } from './schema.ts'

const reading = publishedReadsOf<'space', ContentAt>()
const operation = programOperationsOf<'space', ContentAt>()

const common = { tag: 'Content', scope: 'space:read' } as const

const reads = mount(
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

const previews = mount(
  [onContent, onChangeRequestContent],
  [
    operation({
      ...common,
      id: { content: 'previewText', changeRequestContent: 'previewTextInChangeRequest' },
      method: 'POST',
      path: '/preview',
      summary: 'Preview a text as HTML',
      description:
        'As the reader would show it in this content, with what you may see of private specifications. Nothing is saved. Octavo extension.',
      may: 'access',
      by: ['user', 'installation'],
      isReadOnly: true,
      foldsDocuments: true,
      body: NewPreview,
      reply: Preview,
      run: ({ context, at, body }) => preview(context, at, body),
    }),
  ],
)

const comparisons = mount(
  [onChangeRequestHead, onRevision],
  [
    operation({
      ...common,
      id: { changeRequest: 'comparePageInChangeRequest', revision: 'comparePageInRevision' },
      method: 'GET',
      path: '/changes/page/{pageId}/html',
      params: Type.Object({ pageId: Id('A page of one of the two revisions.') }),
      summary: 'Compare two versions of a page as HTML',
      description:
        'Block by block as readers see them: of a change request with its base in the space, and of a revision with the one before it. Octavo extension.',
      may: 'access',
      by: ['user', 'installation'],
      reply: PageComparison,
      failures: [413],
      run: ({ context, at, params }) => readComparison(context, at, params.pageId),
    }),
  ],
)

export const renderingOperations = [...reads, ...previews, ...comparisons]
