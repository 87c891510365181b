// Reading content. Every answer is immutable for its revision, so it is made once, kept as bytes and carries an ETag.
import { Type } from 'typebox'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf, publishedReadsOf } from '../../http/operation.ts'
import { RichDocument } from '../../http/rich-document.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { listRevisions } from '../spaces/revisions.ts'
import { computeDocument, computeRevision } from './computed.ts'
import { findMergedFrom, findMergedFromOf } from './merged-from.ts'
import {
  type ContentAt,
  cachedAnswer,
  onChangeRequestContent,
  onContent,
  onHead,
  onRevision,
} from './place.ts'
import {
  readDocument,
  readFile,
  readFiles,
  readPage,
  readPageByPath,
  readPageDocument,
  readPages,
  readReusableContent,
  readReusableDocument,
  readRevision,
} from './reads.ts'
import { findAuthorsOf } from './revision-authors.ts'
import {
  ComputeDocument,
  ComputedRevision,
  ComputeRevision,
  DocumentQuery,
  Evaluation,
  File,
  FileList,
  Files,
  ListRevisions,
  Metadata,
  Page,
  PageFormat,
  Pages,
  ReusableContent,
  Revision,
  Revisions,
} from './schema.ts'
import { commitAuthorOf, toRevisionSummary } from './wire.ts'

const reading = publishedReadsOf<'space', ContentAt>()
const spaceOperation = operationsOf<'space', SpaceAt>()

const common = { tag: 'Content', scope: 'space:read' } as const

/** Reads of the head, of any revision and of a change request. */
const reads = [
  reading({
    ...common,
    id: {
      content: 'getCurrentRevision',
      revision: 'getRevisionById',
      changeRequestContent: 'getRevisionOfChangeRequestById',
    },
    path: '',
    summary: 'Get a revision with its page tree and files',
    query: Metadata,
    reply: Revision,
    run: async ({ context, at, query }) => {
      const mergedFrom = await findMergedFrom(context, at)
      return cachedAnswer(
        context,
        at,
        ['revision', at.revisionId, at.space.visibility, mergedFrom, query],
        () => readRevision(context, at, mergedFrom, query),
      )
    },
  }),
  reading({
    ...common,
    id: {
      content: 'listPages',
      revision: 'listPagesInRevisionById',
      changeRequestContent: 'listPagesInChangeRequest',
    },
    path: '/pages',
    summary: 'Get the page tree',
    query: Metadata,
    reply: Pages,
    run: ({ context, at, query }) =>
      cachedAnswer(context, at, ['pages', query], () => readPages(context, at, query)),
  }),
  reading({
    ...common,
    id: {
      content: 'listFiles',
      revision: 'listFilesInRevisionById',
      changeRequestContent: 'listFilesInChangeRequestById',
    },
    path: '/files',
    summary: 'List files, by name',
    query: FileList,
    reply: Files,
    run: ({ context, at, query }) =>
      cachedAnswer(context, at, ['files', query], () => readFiles(context, at, query)),
  }),
  reading({
    ...common,
    id: {
      content: 'getFileById',
      revision: 'getFileInRevisionById',
      changeRequestContent: 'getFileInChangeRequestById',
    },
    path: '/files/{fileId}',
    params: Type.Object({ fileId: Id('A file of the revision.') }),
    summary: 'Get a file',
    query: Metadata,
    reply: File,
    run: ({ context, at, params, query }) =>
      cachedAnswer(context, at, ['file', params.fileId, query], () =>
        readFile(context, at, params.fileId, query),
      ),
  }),
  reading({
    ...common,
    id: {
      content: 'getPageById',
      revision: 'getPageInRevisionById',
      changeRequestContent: 'getPageInChangeRequestById',
    },
    path: '/page/{pageId}',
    params: Type.Object({ pageId: Id('A page of the revision.') }),
    summary: 'Get a page with its text',
    description: 'With `format=markdown` the text is byte for byte as written.',
    query: PageFormat,
    reply: Page,
    run: ({ context, at, params, query }) =>
      cachedAnswer(context, at, ['page', params.pageId, query], () =>
        readPage(context, at, params.pageId, query),
      ),
  }),
  reading({
    ...common,
    id: {
      content: 'getPageByPath',
      revision: 'getPageInRevisionByPath',
      changeRequestContent: 'getPageInChangeRequestByPath',
    },
    path: '/path/{pagePath*}',
    params: Type.Object({
      pagePath: Type.String({ maxLength: 4096, description: 'The slugs of the page and its ancestors.' }),
    }),
    summary: 'Get a page by its path',
    query: PageFormat,
    reply: Page,
    run: ({ context, at, params, query }) =>
      cachedAnswer(context, at, ['path', params.pagePath, query], () =>
        readPageByPath(context, at, params.pagePath, query),
      ),
  }),
  reading({
    ...common,
    id: {
      content: 'getReusableContentById',
      revision: 'getReusableContentInRevisionById',
      changeRequestContent: 'getReusableContentInChangeRequestById',
    },
    path: '/reusable-contents/{reusableContentId}',
    params: Type.Object({ reusableContentId: Id('A reusable content of the revision.') }),
    summary: 'Get a reusable content',
    query: Metadata,
    reply: ReusableContent,
    run: ({ context, at, params: { reusableContentId: id }, query }) =>
      cachedAnswer(context, at, ['reusable', id, query], () => readReusableContent(context, at, id, query)),
  }),
]

/** Of specifications, which are not part of a revision. */
const computed = [
  reading({
    ...common,
    id: 'getComputedDocument',
    path: '/computed/document',
    summary: 'Compute the document of a page',
    description: 'From the newest version of the specification.',
    query: DocumentQuery,
    body: ComputeDocument,
    reply: RichDocument,
    run: ({ context, at, body }) => computeDocument(context, at, body),
  }),
  reading({
    ...common,
    id: 'getComputedRevision',
    path: '/computed/revision',
    summary: 'Compute the pages of a source',
    description:
      'From the newest version of the specification. The space does not have to contain a page of it.',
    body: ComputeRevision,
    reply: ComputedRevision,
    run: ({ context, at, body }) => computeRevision(context, at, body),
  }),
]

export const contentOperations = [
  ...mount([onContent, onChangeRequestContent], reads),
  ...mount([onContent], computed),
  ...mount(
    [onSpace],
    [
      spaceOperation({
        ...common,
        id: 'listRevisions',
        method: 'GET',
        path: '/revisions',
        summary: 'List revisions of a space',
        description: 'Newest first, with who made them and without content. Octavo extension.',
        may: 'access',
        query: ListRevisions,
        reply: Revisions,
        run: async ({ context, at, query }) => {
          const rows = await listRevisions(context.db, at.space.id, query)
          const mergedFrom = await findMergedFromOf(context, rows.items)
          const authors = await findAuthorsOf(context, rows.items)
          return toList(rows, row => ({
            ...toRevisionSummary(
              context.urls,
              at.space,
              row,
              mergedFrom.get(row.id),
              true,
              authors.get(row.created_by ?? ''),
            ),
            ...commitAuthorOf(row),
          }))
        },
      }),
    ],
  ),
  ...mount(
    [onRevision],
    [
      ...reads,
      reading({
        ...common,
        id: { revision: 'getPageDocumentInRevisionById' },
        path: '/page/{pageId}/document',
        params: Type.Object({ pageId: Id('A page of the revision.') }),
        summary: 'Get the rich document of a page',
        query: Evaluation,
        reply: RichDocument,
        run: ({ context, at, params, query }) =>
          cachedAnswer(context, at, ['page document', params.pageId, query], () =>
            readPageDocument(context, at, params.pageId, query),
          ),
      }),
      reading({
        ...common,
        id: { revision: 'getReusableContentDocumentInRevisionById' },
        path: '/reusable-contents/{reusableContentId}/document',
        params: Type.Object({ reusableContentId: Id('A reusable content of the revision.') }),
        summary: 'Get the rich document of a reusable content',
        query: Evaluation,
        reply: RichDocument,
        run: ({ context, at, params: { reusableContentId: id }, query }) =>
          cachedAnswer(context, at, ['reusable document', id, query], () =>
            readReusableDocument(context, at, id, query),
          ),
      }),
    ],
  ),
  ...mount(
    [onHead],
    [
      reading({
        ...common,
        id: 'getDocumentById',
        path: '/documents/{documentId}',
        params: Type.Object({ documentId: Id('The `documentId` of a page.') }),
        summary: 'Get a rich document by its id',
        description: 'Links are resolved from the page of the head that has this document.',
        query: DocumentQuery,
        reply: RichDocument,
        run: ({ context, at, params }) =>
          cachedAnswer(context, at, ['document', params.documentId], () =>
            readDocument(context, at, params.documentId),
          ),
      }),
    ],
  ),
]
