// Fields of pages and of insertions: the shapes that the changes of schema.ts consist of.
import { type Static, type TProperties, Type } from 'typebox'
import { DiscriminatedUnion } from '../../../http/discriminated-union.ts'
import { model, Nullable, OneOf } from '../../../http/list.ts'
import { RefTo } from '../../../http/references.ts'
import { RichDocument } from '../../../http/rich-document.ts'
import {
  DESCRIPTION_CHARACTERS_MAX,
  TITLE_CHARACTERS_MAX,
  VARIABLE_NAME_CHARACTERS_MAX,
} from '../../content/bounds.ts'

export const OWN = 'Octavo extension.'

export const Ref = Type.String({
  pattern: '^[\\p{L}\\p{N}_][\\p{L}\\p{N}._-]{0,99}$',
  description:
    'A name for this page or file within the request: its other texts can link to a page as `./<ref>.md` and to a file as `./<ref>`. Letters, digits, `.`, `_` and `-`.',
})

// Where links and covers lead. A page or file may also be named by the `ref` of this request.
const reference = <K extends string, P extends TProperties>(name: string, kind: K, fields: P) =>
  model(name, { kind: Type.Literal(kind), ...fields })

export const URL_CHARACTERS_MAX = 2048
const Url = Type.String({ minLength: 1, maxLength: URL_CHARACTERS_MAX })
const RefToUrl = reference('ContentRefURL', 'url', { url: Url })
const space = { space: Type.Optional(RefTo('space', 'The space that it is in; this one when absent.')) }
const RefToFile = reference('ContentRefFile', 'file', { file: RefTo('file', 'A file.'), ...space })
const RefToPage = reference('ContentRefPage', 'page', { page: RefTo('page', 'A page.'), ...space })
const RefToAnchor = reference('ContentRefAnchor', 'anchor', {
  anchor: Type.String({ minLength: 1, maxLength: 200 }),
  page: RefTo('page', 'A page.'),
  ...space,
})
const RefToSpace = reference('ContentRefSpace', 'space', { space: RefTo('space', 'A space.') })

export const LinkTarget = DiscriminatedUnion('kind', [
  RefToUrl,
  RefToPage,
  RefToFile,
  RefToAnchor,
  RefToSpace,
])
export type LinkTarget = Static<typeof LinkTarget>
const Picture = DiscriminatedUnion('kind', [RefToUrl, RefToFile])

export const NewDocument = model(
  'ChangeRequestContentDocument',
  { markdown: Type.Optional(Type.String()), document: Type.Optional(RichDocument) },
  {
    description:
      'Either `markdown` or `document`. With neither, a new page has no text, and an existing one keeps its text.',
  },
)
export type NewDocument = Static<typeof NewDocument>

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const Layout = Type.Object({
  width: Type.Optional(OneOf(['default', 'wide'])),
  coverSize: Type.Optional(OneOf(['hero', 'full'])),
  cover: Type.Optional(Type.Boolean()),
  title: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.Boolean()),
  tableOfContents: Type.Optional(Type.Boolean()),
  outline: Type.Optional(Type.Boolean()),
  pagination: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Type.Boolean()),
})

const COVER_HEIGHT_PIXELS = { minimum: 10, maximum: 700 }
const Cover = Type.Object({
  ref: Type.Optional(Picture),
  refDark: Type.Optional(Picture),
  yPos: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number(COVER_HEIGHT_PIXELS)),
})

const VALUE_CHARACTERS_MAX = 256
const VariableValue = Type.Union([
  Type.String({ maxLength: VALUE_CHARACTERS_MAX }),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
])
const VARIABLES_PER_CHANGE_MAX = 100
export const VariableChanges = Type.Record(
  Type.String({ pattern: `^[^\\x00-\\x1f\\x7f]{1,${VARIABLE_NAME_CHARACTERS_MAX}}$` }),
  VariableValue,
  {
    maxProperties: VARIABLES_PER_CHANGE_MAX,
    additionalProperties: false,
    description: 'By name; null removes a variable; unnamed ones stay.',
  },
)

const SLUG_CHARACTERS_MAX = 100
const MARK_CHARACTERS_MAX = 50
const CONDITION_CHARACTERS_MAX = 1024

export const Slug = Type.String({
  minLength: 1,
  maxLength: SLUG_CHARACTERS_MAX,
  description:
    'A slug that a sibling already has is refused. In a change of a page, null is one made from its title, as a new page has it.',
})

/** Values in the frontmatter of a document win over these. */
export const metadata = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: TITLE_CHARACTERS_MAX })),
  slug: Type.Optional(Slug),
  emoji: Type.Optional(
    Type.String({ maxLength: MARK_CHARACTERS_MAX, description: 'An empty one removes it.' }),
  ),
  icon: Type.Optional(
    Type.String({ maxLength: MARK_CHARACTERS_MAX, description: 'An empty one removes it.' }),
  ),
  description: Type.Optional(Type.String({ maxLength: DESCRIPTION_CHARACTERS_MAX })),
  hidden: flag('Not in the navigation, and reachable.'),
  noIndex: flag('Left out of search.'),
  noRobotsIndex: flag('Crawlers are asked to leave it out.'),
  condition: Type.Optional(
    Type.String({
      maxLength: CONDITION_CHARACTERS_MAX,
      description: 'An expression stored with the page; an empty one removes it.',
    }),
  ),
  layout: Type.Optional(Nullable(Layout)),
  cover: Type.Optional(Nullable(Cover)),
  variables: Type.Optional(VariableChanges),
}
