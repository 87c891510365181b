// The wire of the semantic diff: what a person would say has changed, one change per object.
import { type Static, type TSchema, Type } from 'typebox'
import { LIMIT_ITEMS_MAX } from '../../base/list-limits.ts'
import { model, named, OneOf } from '../../http/list.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { File, Metadata, TreePage } from '../content/schema.ts'

export const CHANGES_DEFAULT = 10

export const ListChanges = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMIT_ITEMS_MAX,
      description: `Changes in the answer; ${CHANGES_DEFAULT} when absent. \`more\` counts the others.`,
    }),
  ),
  ...Metadata.properties,
})
export type ListChanges = Static<typeof ListChanges>

/** A value on both sides; absent where a side has none. */
const Changed = <T extends TSchema>(value: T) =>
  Type.Object({ before: Type.Optional(value), after: Type.Optional(value) })
const Attribute = <T extends TSchema>(value: T) => Type.Optional(Changed(value))

const Text = Type.String()
const Flag = Type.Boolean()
const Size = Type.Integer({ minimum: 0 })

export const ChangedPage = model('ChangedRevisionPage', {
  id: Type.String(),
  type: TreePage.properties.type,
  title: Type.String(),
  path: Type.Optional(Type.String()),
})
export type ChangedPage = Static<typeof ChangedPage>

export const ChangedFile = model('ChangedRevisionFile', {
  id: Type.String(),
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: File.properties.downloadURL,
})
export type ChangedFile = Static<typeof ChangedFile>

export const ChangedReusableContent = model('ChangedRevisionReusableContent', {
  id: Type.String(),
  title: Type.String(),
  document: Type.Optional(Type.String()),
})
export type ChangedReusableContent = Static<typeof ChangedReusableContent>

const ChangedBlock = Type.Object({ key: Type.String(), type: Type.String(), markdown: Type.String() })

export const BlockChange = model('BlockChange', {
  kind: OneOf(['inserted', 'removed', 'modified', 'moved']),
  moved: Type.Optional(Type.Boolean({ description: 'For a modified block: true if it also moved.' })),
  before: Type.Optional(ChangedBlock),
  after: Type.Optional(ChangedBlock),
})
export type BlockChange = Static<typeof BlockChange>

/** The differences of two documents, apart from their ids. */
export type DocumentDetail = { blocks?: readonly BlockChange[]; moreBlocks?: number }

const DocumentAttribute = Type.Optional(
  model('ChangeAttributeDocument', {
    ...Changed(Text).properties,
    blocks: Type.Optional(
      Type.Array(BlockChange, {
        description:
          'Octavo extension: the blocks that differ, in the order of the new document. Absent for documents too large to be compared here.',
      }),
    ),
    moreBlocks: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Blocks that differ beyond those that are shown.' }),
    ),
  }),
)

const GitAttribute = Attribute(Type.Object({ path: Text }))
const AnyObject = Type.Object({}, { additionalProperties: true })

const { layout, cover, variables, target } = TreePage.properties

/** Which type of page has which is described in docs/change-requests.md. */
const PageAttributes = Type.Object({
  title: Attribute(Text),
  description: Attribute(Text),
  slug: Attribute(Text),
  document: DocumentAttribute,
  cover: Attribute(cover),
  emoji: Attribute(Text),
  layout: Attribute(layout),
  variables: Attribute(variables),
  target: Attribute(target),
  type: Attribute(TreePage.properties.type),
  icon: Attribute(Text),
  hidden: Attribute(Flag),
  noIndex: Attribute(Flag),
  noRobotsIndex: Attribute(Flag),
  computed: Attribute(AnyObject),
  git: GitAttribute,
})

const FileAttributes = Type.Object({
  name: Attribute(Text),
  downloadURL: Attribute(Text),
  size: Attribute(Size),
  contentType: Attribute(Text),
  dimensions: Attribute(File.properties.dimensions),
  git: GitAttribute,
})

const ReusableContentAttributes = Type.Object({
  title: Attribute(Text),
  document: DocumentAttribute,
  git: GitAttribute,
})

const page = { page: ChangedPage }
const file = { file: ChangedFile }
const reusableContent = { reusableContent: ChangedReusableContent }

const PageCreated = Type.Object({ type: OneOf(['page_created']), ...page })
const PageEdited = Type.Object({ type: OneOf(['page_edited']), ...page, attributes: PageAttributes })
const PageDeleted = Type.Object({ type: OneOf(['page_deleted']), ...page })
const PageMoved = Type.Object({
  type: OneOf(['page_moved']),
  ...page,
  parent: Type.Object(
    { before: Type.Optional(ChangedPage), after: Type.Optional(ChangedPage) },
    { description: 'Absent on a side where the page is at the root.' },
  ),
  position: Type.Object(
    { before: Size, after: Size },
    { description: 'Octavo extension: the place among the siblings, from 0.' },
  ),
})
const FileCreated = Type.Object({ type: OneOf(['file_created']), ...file })
const FileEdited = Type.Object({ type: OneOf(['file_edited']), ...file, attributes: FileAttributes })
const FileDeleted = Type.Object({ type: OneOf(['file_deleted']), ...file })
const ReusableContentCreated = Type.Object({
  type: OneOf(['reusable_content_created']),
  ...reusableContent,
})
const ReusableContentEdited = Type.Object({
  type: OneOf(['reusable_content_edited']),
  ...reusableContent,
  attributes: ReusableContentAttributes,
})
const ReusableContentDeleted = Type.Object({
  type: OneOf(['reusable_content_deleted']),
  ...reusableContent,
})
const VariablesEdited = Type.Object({
  type: OneOf(['variables_edited']),
  variables: Type.Record(Type.String(), Changed(Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
})

export const Change = Type.Union([
  named('RevisionSemanticChangePageCreated', PageCreated),
  named('RevisionSemanticChangePageEdited', PageEdited),
  named('RevisionSemanticChangePageDeleted', PageDeleted),
  named('RevisionSemanticChangePageMoved', PageMoved),
  named('RevisionSemanticChangeFileCreated', FileCreated),
  named('RevisionSemanticChangeFileEdited', FileEdited),
  named('RevisionSemanticChangeFileDeleted', FileDeleted),
  named('RevisionSemanticChangeReusableContentCreated', ReusableContentCreated),
  named('RevisionSemanticChangeReusableContentEdited', ReusableContentEdited),
  named('RevisionSemanticChangeReusableContentDeleted', ReusableContentDeleted),
  named('RevisionSemanticChangeVariablesEdited', VariablesEdited),
])
export type Change = Static<typeof Change>

export const Changes = model('RevisionSemanticChanges', {
  changes: Type.Array(named('RevisionSemanticChange', Change)),
  more: Type.Optional(Type.Integer({ minimum: 1, description: 'Changes beyond those that are shown.' })),
  mergedFrom: Type.Optional(ChangeRequest),
})
export type Changes = Static<typeof Changes>
