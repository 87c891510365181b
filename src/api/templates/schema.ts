// The wire of templates (specification "Space content", api-facts §2.2, §8-33).
import { type Static, Type } from 'typebox'
import { LinkTarget } from '../edits/schema.ts'

const NAME_CHARACTERS_MAX = 100
const CONTENT_REFS_MAX = 20

export const ApplySpaceTemplate = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    description: '`blank`, `product-docs`, `api-reference` or `help-center`.',
  }),
  params: Type.Optional(
    Type.Object({
      contentRefs: Type.Optional(
        Type.Record(Type.String({ pattern: `^[^\\x00-\\x1f]{1,${NAME_CHARACTERS_MAX}}$` }), LinkTarget, {
          maxProperties: CONTENT_REFS_MAX,
          additionalProperties: false,
          description:
            'What the texts of the template link to, by name; a line whose link is not given is left out, and a name that the template does not have is ignored.',
        }),
      ),
    }),
  ),
  changeRequestId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The change request, by id or number, that gets the pages in place of the space.',
    }),
  ),
})
export type ApplySpaceTemplate = Static<typeof ApplySpaceTemplate>
