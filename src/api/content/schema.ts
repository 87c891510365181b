// The wire of content: revisions, pages, files, documents.
import { type Static, Type } from 'typebox'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { ListOf, model, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { RichDocument } from '../../http/rich-document.ts'
import { User } from '../accounts/schema.ts'
import { ChangeRequest } from '../change-requests/schema.ts'

const GitBlob = model('GitBlob', { oid: Type.String(), path: Type.String() })

const GitCommit = model('GitCommit', {
  oid: Type.String(),
  message: Type.String(),
  createdByGitBook: Type.Boolean(),
  url: Type.Optional(Type.String()),
  ref: Type.Optional(Type.String()),
})

const ContentRef = model('ContentRef', {
  kind: OneOf([
    'url',
    'file',
    'page',
    'anchor',
    'user',
    'collection',
    'space',
    'reusable-content',
    'openapi',
  ]),
  url: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
  page: Type.Optional(Type.String()),
  anchor: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  collection: Type.Optional(Type.String()),
  space: Type.Optional(Type.String()),
  reusableContent: Type.Optional(Type.String()),
  spec: Type.Optional(Type.String()),
})
export type ContentRef = Static<typeof ContentRef>

const Layout = model('PageLayout', {
  width: OneOf(['default', 'wide']),
  cover: Type.Boolean(),
  coverSize: OneOf(['hero', 'full']),
  title: Type.Boolean(),
  description: Type.Boolean(),
  tableOfContents: Type.Boolean(),
  outline: Type.Boolean(),
  pagination: Type.Boolean(),
  metadata: Type.Boolean(),
})

const Cover = model('PageCover', {
  ref: Type.Optional(ContentRef),
  refDark: Type.Optional(ContentRef),
  yPos: Type.Number(),
  height: Type.Optional(Type.Number()),
})

const VariableValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const Variables = Type.Record(Type.String(), VariableValue)

/** One schema for the four types of pages; docs/content.md says which fields a type has. */
const pageFields = {
  id: Type.String(),
  title: Type.String(),
  type: OneOf(['document', 'group', 'link', 'computed']),
  kind: Type.Optional(OneOf(['sheet', 'group', 'link'])),
  linkTitle: Type.Optional(
    Type.String({ description: 'The title of the page in the navigation, if it differs from the title.' }),
  ),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  slug: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  urls: Type.Optional(Type.Object({ app: Url })),
  git: Type.Optional(GitBlob),
  layout: Type.Optional(Layout),
  cover: Type.Optional(Cover),
  variables: Type.Optional(Variables),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  documentId: Type.Optional(
    Type.String({
      description: 'For `GET /spaces/{spaceId}/documents/{documentId}`; absent on an empty page.',
    }),
  ),
  computed: Type.Optional(
    Type.Unsafe<{ readonly [name: string]: unknown }>({
      ...Type.Object({}, { additionalProperties: true }),
      description: 'What the page is computed from: `type`, `props` and `dependencies`.',
    }),
  ),
  computedSeed: Type.Optional(Type.String({ description: 'Equal for computed pages with equal content.' })),
  target: Type.Optional(ContentRef),
  href: Type.Optional(Type.String()),
}

type PageFields = Static<ReturnType<typeof Type.Object<typeof pageFields>>>
/** A page of a tree; `pages` are its subpages. */
export type TreePage = PageFields & { pages?: TreePage[] }

export const TreePage = model('RevisionPage', {
  ...pageFields,
  pages: Type.Optional(Type.Array(Type.Unsafe<TreePage>({ $ref: '#/components/schemas/RevisionPage' }))),
})

export const Page = model('RevisionPageWithBody', {
  ...TreePage.properties,
  markdown: Type.Optional(Type.String({ description: 'The text, byte for byte as written.' })),
  textStart: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Octavo extension: where in `markdown` the text begins, behind the frontmatter and the heading that is the title; in UTF-16 code units.',
    }),
  ),
  document: Type.Optional(RichDocument),
})
export type Page = TreePage & { markdown?: string; textStart?: number; document?: JSONDocument }

export const File = model('RevisionFile', {
  id: Type.String(),
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Type.String({ description: 'Readable without a token by anyone who has the address.' }),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  dimensions: Type.Optional(Type.Object({ width: Type.Number(), height: Type.Number() })),
  updatedAt: Type.Optional({
    ...Timestamp,
    description:
      'When its name, its folder or its bytes last changed. Absent for one of a repository that has not changed since. Octavo extension.',
  }),
  path: Type.Optional(
    Type.String({
      description:
        'Where it is in a repository, for members of the organization; `git` has the same once one has it. Octavo extension.',
    }),
  ),
  uploadedBy: Type.Optional(
    Type.String({
      description:
        'The id of the user who put its bytes here, for members of the organization. Absent for a file of a repository. Octavo extension.',
    }),
  ),
  git: Type.Optional(GitBlob),
})
export type File = Static<typeof File>

export const ReusableContent = model('RevisionReusableContent', {
  id: Type.String(),
  title: Type.String(),
  document: Type.String({ description: 'The id of its document.' }),
  git: Type.Optional(GitBlob),
})
export type ReusableContent = Static<typeof ReusableContent>

const REVISION_TYPES = ['edits', 'merge', 'rollback', 'update', 'computed'] as const

const revisionFields = {
  object: OneOf(['revision']),
  id: Type.String(),
  type: OneOf(REVISION_TYPES),
  parents: Type.Array(Type.String()),
  createdAt: Timestamp,
  git: Type.Optional(GitCommit),
  mergedFrom: Type.Optional(ChangeRequest),
  urls: Type.Object({ app: Url, published: Type.Optional(Url), public: Type.Optional(Url) }),
}

export const Revision = model('Revision', {
  ...revisionFields,
  pages: Type.Array(TreePage),
  files: Type.Array(File),
  reusableContents: Type.Array(ReusableContent),
  variables: Variables,
})
export type Revision = Static<typeof Revision>

export const RevisionSummary = model('RevisionSummary', {
  ...revisionFields,
  createdBy: Type.Optional(User),
  commitAuthor: Type.Optional(
    Type.String({ description: 'Who wrote the commit of `git`, as the commit says.' }),
  ),
})
export type RevisionSummary = Static<typeof RevisionSummary>
export const Revisions = ListOf(RevisionSummary)

export const ListRevisions = PageOf({
  changedPage: Type.Optional(
    RefTo(
      'page',
      'Only revisions that changed this page itself: its text or fields, and not its place among others.',
    ),
  ),
})

export const Pages = model('RevisionPages', { pages: Type.Array(TreePage) })
export const Files = ListOf(File)

const metadata = {
  metadata: Type.Optional(Type.Boolean({ description: 'false leaves out `git`; true when absent.' })),
  computed: Type.Optional(
    Type.Boolean({ description: 'false leaves computed content unexpanded; true when absent.' }),
  ),
}
export const Metadata = Type.Object(metadata)
export type Metadata = Static<typeof Metadata>
export const FileList = PageOf(metadata)

const evaluated = {
  evaluated: Type.Optional(
    Type.Union([Type.Boolean(), OneOf(['deterministic-only'])], {
      description: 'Whether expressions in the document are resolved; false when absent.',
    }),
  ),
}
export const Evaluation = Type.Object(evaluated)

export const PageFormat = Type.Object({
  format: Type.Optional(OneOf(['markdown', 'document'], 'Which body the page has; `markdown` when absent.')),
  ...evaluated,
  ...metadata,
})
export type PageFormat = Static<typeof PageFormat>

export const DocumentQuery = Type.Object({ schema: Type.Optional(OneOf(['current', 'next'])) })

const Spec = Type.Object({
  ref: Type.Object({
    kind: OneOf(['openapi']),
    spec: RefTo(
      'spec',
      'The slug of a specification of the organization, or the address that it is read from.',
      { minLength: 1, maxLength: 2048 },
    ),
  }),
})
const Dependencies = Type.Object({ spec: Spec })
const SourceType = OneOf(
  ['builtin:openapi'],
  'Scripts of integrations are stored and never run, and nothing is translated.',
)
/** How a specification is divided into pages and shown. */
const presentation = {
  grouping: Type.Optional(
    Type.String({ maxLength: 64, description: '`by-operation`: a page for each operation.' }),
  ),
  downloadLink: Type.Optional(
    Type.Boolean({ description: 'Whether the first page links the specification.' }),
  ),
}
const Seed = Type.String({
  maxLength: 128,
  description: 'The ids of pages come from it: the same seed gives the same ids.',
})

const ComputedRevisionSource = model('ComputedContentSourceRevision', {
  type: SourceType,
  props: Type.Object({
    models: Type.Boolean({ description: 'Whether schemas have pages.' }),
    ...presentation,
  }),
  dependencies: Dependencies,
})
export const ComputeRevision = Type.Object({ source: ComputedRevisionSource, seed: Seed })
export type ComputeRevision = Static<typeof ComputeRevision>

const ComputedDocumentSource = model('ComputedContentSourceDocument', {
  type: SourceType,
  props: Type.Object({
    doc: OneOf(['info', 'operations', 'models']),
    page: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 4096 },
        description: 'As the `computed` of a page names it; only the first page of `models` has none.',
      }),
    ),
    ...presentation,
  }),
  dependencies: Dependencies,
})
export const ComputeDocument = Type.Object({ source: ComputedDocumentSource, seed: Seed })
export type ComputeDocument = Static<typeof ComputeDocument>

export const ComputedRevision = model('ComputedRevision', {
  pages: Type.Array(TreePage),
  files: Type.Array(File),
  reusableContents: Type.Array(ReusableContent),
})
