// Converts records of a revision to their wire format.

import { compareTexts } from '../../base/order.ts'
import type { PageLayout } from '../../base/page-layout.ts'
import { joinPath } from '../../base/paths.ts'
import type { Content } from '../../engines/content/content.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../engines/content/records.ts'
import type { Listed } from '../../http/sliced-json.ts'
import type { Urls } from '../../http/urls.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'
import type { User } from '../accounts/schema.ts'
import type { ChangeRequest } from '../change-requests/schema.ts'
import type { RevisionGit, RevisionRow } from '../spaces/revisions.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { publishedUrls } from '../spaces/wire.ts'
import type { ContentAt } from './place.ts'
import type { File, Page, ReusableContent, Revision, RevisionSummary, TreePage } from './schema.ts'
import { encodeDocumentId, type FileAddress, toDownloadUrl } from './signed-references.ts'

/** Context for all wire objects of one answer. */
export interface WireContext {
  readonly urls: Urls
  readonly signingKey: SigningKeys
  readonly space: Pick<SpaceRow, 'id' | 'visibility'>
  readonly content: Content
  /** The address of a page in the browser; '' is the root of the content. */
  readonly appOf: (path: string) => string
  /** Whether `git` is shown. */
  readonly hasMetadata: boolean
}

/** The addresses of pages in the browser: those of a change request are in its preview, and it is in the workspace. */
export const appOf =
  (urls: Urls, { space, changeRequest }: Pick<ContentAt, 'space' | 'changeRequest'>): WireContext['appOf'] =>
  path => {
    if (changeRequest === null) return urls.page(space.id, path)
    const { number } = changeRequest
    return path === '' ? urls.changeRequest(space.id, number) : urls.preview(space.id, number, path)
  }

/** The context for files in an answer. */
export type FileWireContext = Pick<WireContext, 'urls' | 'signingKey' | 'hasMetadata'>

export const LAYOUT_DEFAULT: Required<PageLayout> = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
}

/** The page tree in its order, without bodies. */
export const toPages = (view: WireContext): Iterable<Listed<TreePage>> =>
  toChildren(view, view.content.tree.children, '')

function* toChildren(
  view: WireContext,
  ids: readonly string[],
  parentPath: string,
): Generator<Listed<TreePage>> {
  for (const id of ids) {
    const record = view.content.pages.get(id)
    if (record !== undefined) yield toTreePage(view, id, record, joinPath(parentPath, record.slug))
  }
}

/** A page with its subpages; `path` is its own. */
function toTreePage(view: WireContext, id: string, record: PageRecord, path: string): Listed<TreePage> {
  const page = toPageAlone(view, id, record, path)
  return 'pages' in page ? { ...page, pages: toChildren(view, record.children, path) } : page
}

/** The same with an empty list of subpages. */
export function toPageAlone(view: WireContext, id: string, record: PageRecord, path: string): TreePage {
  const common = {
    id,
    title: record.title,
    type: record.type,
    ...pick(record, ['linkTitle', 'emoji', 'icon', 'createdAt', 'updatedAt', 'hidden']),
  }
  switch (record.type) {
    case 'link':
      return {
        ...common,
        kind: 'link',
        ...(record.target === undefined ? {} : { target: record.target }),
        ...(record.target?.kind === 'url' ? { href: record.target.url } : {}),
      }
    case 'group':
      return {
        ...common,
        kind: 'group',
        slug: record.slug,
        path,
        ...pick(record, ['noIndex', 'noRobotsIndex']),
        pages: [],
      }
    case 'computed':
      return { ...common, ...pick(record, ['computed']) }
    case 'document':
      return {
        ...common,
        kind: 'sheet',
        slug: record.slug,
        path,
        ...pick(record, ['description', 'cover', 'variables']),
        hidden: record.hidden ?? false,
        noIndex: record.noIndex ?? false,
        noRobotsIndex: record.noRobotsIndex ?? false,
        layout: { ...LAYOUT_DEFAULT, ...record.layout },
        ...toGit(view, record),
        ...toComputed(view, id, record),
        ...(record.document === null || record.computed !== undefined
          ? {}
          : { documentId: encodeDocumentId(view.signingKey, view.space.id, record.document) }),
        urls: { app: view.appOf(path) },
        pages: [],
      }
  }
}

/** A page with one body, or none when it has no document. */
export const toPage = (
  view: WireContext,
  id: string,
  record: PageRecord,
  path: string,
  body: Pick<Page, 'markdown' | 'textStart' | 'document'>,
): Listed<Page> => ({ ...toTreePage(view, id, record, path), ...body })

export const toFile = (view: FileWireContext, id: string, record: FileRecord): File => ({
  id,
  name: record.name,
  contentType: record.contentType,
  downloadURL: toDownloadUrl(view.urls, view.signingKey, toAddress(record)),
  size: record.size,
  ...pick(record, ['dimensions', 'updatedAt']),
  ...(view.hasMetadata ? { path: record.file, ...pick(record, ['uploadedBy']) } : {}),
  ...toGit(view, record),
})

export const toAddress = (record: FileRecord): FileAddress => ({
  blob: record.blob,
  name: record.name,
  contentType: record.contentType,
})

export const toReusableContent = (
  view: WireContext,
  id: string,
  record: ReusableRecord,
): ReusableContent => ({
  id,
  title: record.title,
  document: encodeDocumentId(view.signingKey, view.space.id, record.document),
  ...toGit(view, record),
})

/** A revision without its content. */
export const toRevisionSummary = (
  urls: Urls,
  space: Pick<SpaceRow, 'id' | 'visibility'>,
  row: RevisionRow,
  mergedFrom: ChangeRequest | undefined,
  hasMetadata: boolean,
  createdBy?: User,
): RevisionSummary => ({
  object: 'revision',
  id: row.id,
  type: row.type,
  parents: row.parents,
  createdAt: row.created_at.toISOString(),
  ...(createdBy === undefined ? {} : { createdBy }),
  ...(hasMetadata && row.git !== null ? { git: withoutAuthor(row.git) } : {}),
  ...(mergedFrom === undefined ? {} : { mergedFrom }),
  urls: { app: urls.space(space.id), ...publishedUrls(urls, space) },
})

/** Beside `createdBy`, for those who see that. */
export const commitAuthorOf = ({ git }: RevisionRow): Pick<RevisionSummary, 'commitAuthor'> =>
  git?.author === undefined || git.author === '' ? {} : { commitAuthor: git.author }

const withoutAuthor = ({ author: _, ...git }: RevisionGit): RevisionGit => git

/** A revision with all of its content, files by name. */
export const toRevision = (
  view: WireContext,
  row: RevisionRow,
  mergedFrom: ChangeRequest | undefined,
): Listed<Revision> => ({
  ...toRevisionSummary(view.urls, view.space, row, mergedFrom, view.hasMetadata),
  urls: { app: view.appOf(''), ...publishedUrls(view.urls, view.space) },
  pages: toPages(view),
  files: toFiles(view),
  reusableContents: [...view.content.reusables].map(([id, record]) => toReusableContent(view, id, record)),
  variables: Object.fromEntries(view.content.variables),
})

function* toFiles(view: WireContext): Generator<File> {
  for (const [id, record] of filesByName(view.content)) yield toFile(view, id, record)
}

/** Files in the order of lists: by name, then by id. */
export const filesByName = (content: Content): [string, FileRecord][] =>
  [...content.files].sort(([idA, a], [idB, b]) => compareTexts(a.name, b.name) || compareTexts(idA, idB))

function toGit(
  view: Pick<WireContext, 'hasMetadata'>,
  record: { readonly oid?: string; readonly file?: string },
) {
  if (!view.hasMetadata || record.oid === undefined || record.file === undefined) return {}
  return { git: { oid: record.oid, path: record.file } }
}

function toComputed({ content }: WireContext, id: string, { computed }: PageRecord) {
  if (computed === undefined) return {}
  return { computed, computedSeed: content.expansion?.seeds.get(id) ?? '' }
}

/** The named fields that the record has. */
function pick<T extends object, K extends keyof T>(record: T, names: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {}
  for (const name of names) if (record[name] !== undefined) picked[name] = record[name]
  return picked
}
