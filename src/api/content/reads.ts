// The answers to questions about one revision, as wire objects.

import { assert } from '../../base/assert.ts'
import { invalid, missing, orMissing, tooLarge } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import { decodeDocument } from '../../engines/content/objects.ts'
import type { Hash, PageRecord } from '../../engines/content/records.ts'
import { textStart } from '../../engines/markdown/page/page.ts'
import type { Services } from '../../http/context.ts'
import { toList } from '../../http/list.ts'
import { pageOfValues } from '../../http/page-of-values.ts'
import { type Listed, renderJson } from '../../http/sliced-json.ts'
import type { ChangeRequest } from '../change-requests/schema.ts'
import { toDocumentJson } from './documents.ts'
import { indexOf } from './index-of-content.ts'
import { type ContentAt, findCachedRevision } from './place.ts'
import { resolverFrom } from './resolve.ts'
import type { File, Metadata, Page, PageFormat, ReusableContent, Revision } from './schema.ts'
import { decodeDocumentId } from './signed-references.ts'
import {
  appOf,
  filesByName,
  toFile,
  toPage,
  toPages,
  toReusableContent,
  toRevision,
  type WireContext,
} from './wire.ts'

type Evaluated = { evaluated?: boolean | 'deterministic-only' | undefined }

export async function readRevision(
  services: Services,
  at: ContentAt,
  mergedFrom: ChangeRequest | undefined,
  query: Metadata,
): Promise<Listed<Revision>> {
  const row = await findCachedRevision(services, at.space.id, at.revisionId)
  assert(row !== undefined, 'a revision that was admitted is there')
  return toRevision(await viewOf(services, at, query), row, mergedFrom)
}

export const readPages = async (services: Services, at: ContentAt, query: Metadata) => ({
  pages: toPages(await viewOf(services, at, query)),
})

export async function readFiles(
  services: Services,
  at: ContentAt,
  query: Metadata & { page?: string | undefined; limit?: number | undefined },
) {
  const view = await viewOf(services, at, query)
  const page = pageOfValues(filesByName(view.content), {
    question: { list: 'files', space: at.space.id },
    keyOf: ([id, record]) => [record.name, id],
    page: query.page,
    limit: query.limit,
  })
  return toList(page, ([id, record]) => toFile(view, id, record))
}

export async function readFile(
  services: Services,
  at: ContentAt,
  id: string,
  query: Metadata,
): Promise<File> {
  const view = await viewOf(services, at, query)
  const record = orMissing(view.content.files.get(id), 'file')
  return toFile(view, id, record)
}

export async function readPage(
  services: Services,
  at: ContentAt,
  id: string,
  query: PageFormat,
): Promise<Listed<Page> | Uint8Array> {
  const view = await viewOf(services, at, query)
  const record = orMissing(view.content.pages.get(id), 'page')
  return withBody(services, view, id, record, query)
}

/** `path` with or without slashes around it; link pages have none. */
export async function readPageByPath(
  services: Services,
  at: ContentAt,
  path: string,
  query: PageFormat,
): Promise<Listed<Page> | Uint8Array> {
  const view = await viewOf(services, at, query)
  const id = indexOf(view.content).byPath.get(path.replace(/^\/+|(?<!\/)\/+$/g, ''))
  const record = id === undefined ? undefined : view.content.pages.get(id)
  if (id === undefined || record === undefined) throw missing('page')
  return withBody(services, view, id, record, query)
}

export async function readPageDocument(services: Services, at: ContentAt, id: string, query: Evaluated) {
  const view = await viewOf(services, at, {})
  const record = view.content.pages.get(id)
  if (record === undefined || record.type !== 'document') throw missing('page')
  const markdown = record.document === null ? '' : await readText(services, record.document, view.content)
  return toRichDocument(services, at.space.id, view.content, record.file, markdown, record.title, query)
}

export async function readReusableContent(
  services: Services,
  at: ContentAt,
  id: string,
  query: Metadata,
): Promise<ReusableContent> {
  const view = await viewOf(services, at, query)
  const record = orMissing(view.content.reusables.get(id), 'reusable content')
  return toReusableContent(view, id, record)
}

export async function readReusableDocument(services: Services, at: ContentAt, id: string, query: Evaluated) {
  const view = await viewOf(services, at, {})
  const record = orMissing(view.content.reusables.get(id), 'reusable content')
  return toRichDocument(
    services,
    at.space.id,
    view.content,
    record.file,
    await readText(services, record.document),
    undefined,
    query,
  )
}

/** Members may read what the space once contained; visitors only what its head contains. */
export async function readDocument(services: Services, at: ContentAt, documentId: string) {
  const hash = decodeDocumentId(services.signingKey, at.space.id, documentId)
  const bytes = hash === undefined ? undefined : (await services.objects.getMany([hash])).get(hash)
  if (hash === undefined || bytes === undefined) throw missing('document')
  const { content } = await viewOf(services, at, {})
  const page = [...content.pages.values()].find(record => record.document === hash)
  const owner = page ?? [...content.reusables.values()].find(record => record.document === hash)
  if (owner === undefined && !at.isMember) throw missing('document')
  return toRichDocument(services, at.space.id, content, owner?.file, decodeDocument(bytes), page?.title, {})
}

async function withBody(
  services: Services,
  view: WireContext,
  id: string,
  record: PageRecord,
  query: PageFormat,
): Promise<Listed<Page> | Uint8Array> {
  const path = indexOf(view.content).paths.get(id) ?? ''
  if (record.type !== 'document' || record.document === null) return toPage(view, id, record, path, {})
  const markdown = await readText(services, record.document, view.content)
  if (query.format !== 'document')
    return toPage(view, id, record, path, { markdown, textStart: textStart(markdown, record.title) })
  const document = await toRichDocument(
    services,
    view.space.id,
    view.content,
    record.file,
    markdown,
    record.title,
    query,
  )
  return withMember(toPage(view, id, record, path, {}), 'document', document)
}

/** The JSON of an object with one more member, whose value is JSON already. */
async function withMember(object: object, name: string, value: Uint8Array): Promise<Uint8Array> {
  const json = await renderJson(object)
  return Buffer.concat([
    json.subarray(0, -1),
    Buffer.from(`,${JSON.stringify(name)}:`),
    value,
    Buffer.from('}'),
  ])
}

/** The content of a revision with the context for wire objects. */
async function viewOf(services: Services, at: ContentAt, query: Metadata): Promise<WireContext> {
  return {
    urls: services.urls,
    signingKey: services.signingKey,
    space: at.space,
    content:
      query.computed === false
        ? await services.contents.get(at.root)
        : await services.contents.shown(at.space.id, at.root, at.sight),
    appOf: appOf(services.urls, at),
    hasMetadata: (query.metadata ?? true) && at.isMember,
  }
}

/** The Markdown under a hash, including any BOM. `content` has the computed texts. */
export async function readText(
  services: Pick<Services, 'objects'>,
  hash: Hash,
  content?: Pick<Content, 'expansion'>,
): Promise<string> {
  const computed = content?.expansion?.texts.get(hash)
  if (computed !== undefined) return computed
  const bytes = (await services.objects.getMany([hash])).get(hash)
  assert(bytes !== undefined, `document ${hash} of a revision is there`)
  return decodeDocument(bytes)
}

/** The bytes of its JSON. A page too large for a document is returned as text. */
export async function toRichDocument(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  content: Content,
  file: string | undefined,
  markdown: string,
  title: string | undefined,
  query: Evaluated,
): Promise<Uint8Array> {
  const from = file ?? ''
  const resolve = resolverFrom(content, from)
  const made = await toDocumentJson(services, spaceId, { markdown, title }, resolve, [content, from])
  if (made === undefined)
    throw tooLarge(
      'page_too_large',
      'This page is too large or too complex for a document. Ask with format=markdown.',
    )
  const { json, hasExpression } = made
  if ((query.evaluated ?? false) !== false && hasExpression) {
    throw invalid(
      'evaluation_unsupported',
      'evaluated: this document has expressions, and this server does not evaluate them yet. Ask with evaluated=false.',
    )
  }
  return json
}
