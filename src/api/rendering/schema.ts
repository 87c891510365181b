// The wire of texts as HTML.
import { type Static, Type } from 'typebox'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { model, OneOf } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const PageHtml = model('PageHtml', {
  id: Type.String({ description: 'The page.' }),
  html: Type.String({
    description:
      'Sanitised: nothing in it runs. A `data-block` is the key of the block that an element shows. A link to a page of the space has its ids in `data-page` and `data-space`, beside its address in the reader. Its ids begin with `page.`, in parts of API descriptions with `part:`, so that none is of the document that the page is shown in.',
  }),
  outline: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The id of the heading in `html`.' }),
      text: Type.String(),
      level: Type.Integer({ minimum: 1, maximum: 3 }),
    }),
  ),
  complete: Type.Boolean({
    description:
      'False if some code has no colours yet, or if the page could not be rendered and its Markdown is shown: read it again in a minute.',
  }),
})
export type PageHtml = Static<typeof PageHtml>

/** Of a preview. They arrive folded, so that the schema does not count them. */
export const NODES_MAX = 200

export const NewPreview = model(
  'NewPreview',
  {
    markdown: Type.Optional(Type.String({ description: 'The whole text of a page.' })),
    nodes: Type.Optional(
      Type.Array(
        Type.Unsafe<JSONDocument['nodes'][number]>(Type.Object({}, { additionalProperties: true })),
        {
          maxItems: NODES_MAX,
          description: 'Blocks of a rich document; each is shown by itself.',
        },
      ),
    ),
    page: Type.Optional(RefTo('page', 'The page whose text it is: its links are resolved from there.')),
  },
  { description: 'Either `markdown` or `nodes`.' },
)
export type NewPreview = Static<typeof NewPreview>

const PreviewProblem = model(
  'PreviewProblem',
  {
    code: OneOf([
      ...(['broken_link', 'missing_place', 'refused_link', 'missing_image', 'missing_alternative'] as const),
      ...(['missing_content', 'nested_content', 'missing_specification', 'unknown_tag', 'lone_tag'] as const),
      ...([
        'unknown_attribute',
        'unknown_value',
        'missing_address',
        'unreadable_formula',
        'too_long',
      ] as const),
    ]),
    message: Type.String({ description: 'In English, for people.' }),
    about: Type.String({
      description:
        'The address, name or value that it is about, as written, at most 200 characters; empty where there is none.',
    }),
    allowed: Type.Optional(
      Type.Array(Type.String(), { description: 'The values that may be written instead.' }),
    ),
    line: Type.Integer({ minimum: 1, description: 'From 1. Lines end with CR, LF or both.' }),
    column: Type.Integer({ minimum: 1, description: 'From 1, in UTF-16 code units.' }),
    start: Type.Integer({
      minimum: 0,
      description:
        'Where it begins in the Markdown as it was sent, frontmatter included, in UTF-16 code units.',
    }),
    end: Type.Integer({ minimum: 0, description: 'Where it ends, in the same line.' }),
  },
  {
    description:
      'A target that you may not see looks like one that does not exist: `broken_link` leads to no page, file or scheme, `missing_place` to no heading or other place of its page, `refused_link` has a scheme that is not followed. `missing_image` names no picture, `missing_content` no reusable content, `missing_specification` no API description or no part of one. `lone_tag` is a tag without its partner. `missing_alternative` is a picture without a text in its place; `role="presentation"` marks one that needs none.',
  },
)

export const Preview = model('Preview', {
  html: Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'As in `PageHtml`: of the text, or one for each block.',
  }),
  complete: PageHtml.properties.complete,
  problems: Type.Array(PreviewProblem, {
    description: 'What is wrong in the Markdown, in its order; at most 200. Empty for `nodes`.',
  }),
  moreProblems: Type.Integer({ minimum: 0, description: 'Problems that the answer has no room for.' }),
  blocks: Type.Array(Type.Object({ key: Type.String(), line: Type.Integer({ minimum: 1 }) }), {
    description:
      'The line of the Markdown in which each of its blocks begins, by the key that its elements have in `data-block`; of the first 5,000. Empty for `nodes`.',
  }),
})
export type Preview = Static<typeof Preview>

const ShownBlock = Type.Object({
  key: Type.String({ description: 'The key of the block in its version.' }),
  html: Type.String({
    description: 'As in `PageHtml`; the Markdown of a block that shows nothing, in a `pre`.',
  }),
})

export const PageComparison = model('PageComparison', {
  id: Type.String({ description: 'The page.' }),
  blocks: Type.Array(
    Type.Object({
      kind: OneOf(['unchanged', 'added', 'removed', 'changed', 'moved']),
      moved: Type.Optional(Type.Boolean({ description: 'For a changed block: true if it also moved.' })),
      before: Type.Optional(ShownBlock),
      after: Type.Optional(ShownBlock),
      words: Type.Optional(
        Type.String({
          description:
            'For a changed block: the Markdown of both versions in one, as HTML with `ins` and `del`.',
        }),
      ),
    }),
    {
      description:
        'In the order of the newer version, with each removed block where it was. A changed block has both sides: words that only the older one has are in `del`, those that only the newer one has in `ins`. An added, moved or unchanged one has `after`, a removed one `before`.',
    },
  ),
  more: Type.Integer({ minimum: 0, description: 'Changes that the answer has no room for.' }),
})
export type PageComparison = Static<typeof PageComparison>
