// The conflicts of a three-way merge on the wire. Octavo extensions.
import { type Static, Type } from 'typebox'
import { model, OneOf } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

/** The place of a conflict: one object, and in it one field or one block. */
export const ConflictAddress = {
  page: Type.Optional(RefTo('page')),
  file: Type.Optional(RefTo('file')),
  reusableContent: Type.Optional(RefTo('reusableContent')),
  variable: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'The name of a variable.' }),
  ),
  key: Type.Optional(
    OneOf(
      ['tree', 'git/summary', 'git/config'],
      'Things that exist once: the page tree, SUMMARY.md, .gitbook.yaml.',
    ),
  ),
  field: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'A field of it: `title`, `slug`, `parent`, …; `variables.<name>` and `layout.<name>` for one of them; `existence` when one side deleted it.',
    }),
  ),
  block: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'A block of its text, by the key it has in `base`, or the first of several; where both sides wrote something new, the key of the block before it and a `+`. A key of its frontmatter is `frontmatter.` and its name.',
    }),
  ),
}

export const SIDE_NAMES = ['space', 'change-request', 'previous'] as const
export type SideName = (typeof SIDE_NAMES)[number]

const About = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'Of a page or a reusable content; the name of a file.' }),
  path: Type.Optional(Type.String({ description: 'Of a page.' })),
})
export type About = Static<typeof About>

const Side = (description: string) => Type.Unknown({ description })

export const Conflict = model('MergeConflict', {
  ...ConflictAddress,
  kind: OneOf(
    ['field', 'block', 'deleted', 'cycle', 'slug', 'tree'],
    'Both sides changed one field, or the same lines of a block; one deleted what the other changed; or the pages would be below each other, share a slug, or form an invalid tree.',
  ),
  message: Type.String({ description: 'What happened, for people.' }),
  about: Type.Optional(About),
  pages: Type.Optional(Type.Array(About, { description: 'Other pages involved.' })),
  base: Side('The value or the text that both started from; null where there is none.'),
  ours: Side('The value or text of the side that is merged into; it is kept until the conflict is settled.'),
  theirs: Side('The value or the text of the side that is merged.'),
  isCut: Type.Optional(Type.Boolean({ description: 'A text was too long to be returned in full.' })),
})
export type Conflict = Static<typeof Conflict>
