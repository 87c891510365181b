// The wire of templates.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, OneOf, Paging, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { CreateChangeRequest } from '../change-requests/schema.ts'
import { LinkTarget } from '../edits/request/fields.ts'
import { CreateSpace } from '../spaces/schema.ts'
import { DESCRIPTION_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from './bounds.ts'

const NAME_CHARACTERS_MAX = 100
const CONTENT_REFS_MAX = 20

export const ApplySpaceTemplate = Type.Object({
  id: RefTo(
    'template',
    '`blank`, `product-docs`, `api-reference` or `help-center`, or the id of a template of the organization.',
    { minLength: 1, maxLength: NAME_CHARACTERS_MAX },
  ),
  params: Type.Optional(
    Type.Object({
      contentRefs: Type.Optional(
        Type.Record(Type.String({ pattern: `^[^\\x00-\\x1f]{1,${NAME_CHARACTERS_MAX}}$` }), LinkTarget, {
          maxProperties: CONTENT_REFS_MAX,
          additionalProperties: false,
          description:
            'Targets for the template’s links, by name. Lines whose link has no target are left out; unknown names are ignored.',
        }),
      ),
    }),
  ),
  changeRequestId: Type.Optional(
    RefTo('changeRequest', 'Adds the pages to this change request, by id or number, instead of the space.'),
  ),
})
export type ApplySpaceTemplate = Static<typeof ApplySpaceTemplate>

const Beginning = Type.Object(
  { id: ApplySpaceTemplate.properties.id, params: ApplySpaceTemplate.properties.params },
  { description: 'The template whose pages it starts with.' },
)

/** A space with the template that it begins with; not together with `empty`. */
export const CreateSpaceWithTemplate = Type.Object({
  ...CreateSpace.properties,
  template: Type.Optional(Beginning),
})
export type CreateSpaceWithTemplate = Static<typeof CreateSpaceWithTemplate>

export const CreateChangeRequestWithTemplate = Type.Object({
  ...CreateChangeRequest.properties,
  template: Type.Optional(Beginning),
})
export type CreateChangeRequestWithTemplate = Static<typeof CreateChangeRequestWithTemplate>

const title = Type.String({
  minLength: 1,
  maxLength: TITLE_CHARACTERS_MAX,
  pattern: '^[^\\x00-\\x20][^\\x00-\\x1f]*$',
})
const description = Type.Optional(
  Type.String({ maxLength: DESCRIPTION_CHARACTERS_MAX, pattern: '^[^\\x00]*$' }),
)

export const CreateTemplate = Type.Object({
  title,
  description,
  space: RefTo('space', 'The space whose pages it gets.'),
  page: Type.Optional(RefTo('page', 'Only this page of the space and those below it.')),
})
export type CreateTemplate = Static<typeof CreateTemplate>

export const ChangeTemplate = Type.Object({ title: Type.Optional(title), description })
export type ChangeTemplate = Static<typeof ChangeTemplate>

export const Template = model(
  'Template',
  {
    object: OneOf(['template']),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    pages: Type.Integer({ description: 'How many pages it adds, including groups and links.' }),
    contentRefs: Type.Array(Type.String(), {
      description: 'The names of its links, for `params.contentRefs`.',
    }),
    space: Type.Optional(
      Type.String({ description: 'The space it was made from, without later changes there.' }),
    ),
    createdBy: Type.Optional(Type.String({ description: 'A user.' })),
    ...dates,
    urls: Type.Object({ location: Url }),
  },
  { description: 'Pages to start with, made by an organization. Octavo extension.' },
)
export type Template = Static<typeof Template>
export const Templates = ListOf(Template)
export const ListTemplates = Paging
