// The wire of merges; conflicts and resolutions are Octavo extensions.
import { type Static, Type } from 'typebox'
import { model, OneOf } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { CreateChangeRequest } from '../change-requests/schema.ts'
import { DESCRIPTION_CHARACTERS_MAX } from '../content/bounds.ts'

/** Per request; a change request with more conflicts is better updated by editing it. */
export const RESOLUTIONS_MAX = 1_000
/** For a body with resolutions, which may contain the text of whole blocks. */
export const RESOLUTIONS_BYTES_MAX = 8 * 1024 * 1024

/** Merging needs its own scope: a token that can write cannot merge. */
export const MERGE_SCOPE = 'change-request:merge'

/** The place of a conflict: one object, and in it one field or one block. */
const address = {
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

const SIDES = ['ours', 'theirs', 'base'] as const
const Take = Type.Union([
  OneOf(SIDES),
  Type.Object({
    markdown: Type.String({ description: 'The text to give the block; empty removes it.' }),
  }),
  Type.Object({
    value: Type.Union(
      [Type.String({ maxLength: DESCRIPTION_CHARACTERS_MAX }), Type.Number(), Type.Boolean()],
      {
        description: 'The value to give the field.',
      },
    ),
  }),
])

export const Resolution = model('MergeResolution', {
  ...address,
  take: Take,
})
export type Resolution = Static<typeof Resolution>

const Compared = model(
  'MergeCompared',
  { base: RefTo('revision'), ours: RefTo('revision'), theirs: RefTo('revision') },
  { description: 'The revisions that were compared: `base` is what both sides started from.' },
)
export type Compared = Static<typeof Compared>

export const MergeQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'Report what would happen, and write nothing. `revision` is then the current one.',
    }),
  ),
})

export const MergeBody = Type.Object({
  resolutions: Type.Optional(
    Type.Array(Resolution, {
      maxItems: RESOLUTIONS_MAX,
      description: 'Conflicts as they were returned, each with `take`; other members are ignored.',
    }),
  ),
  compared: Type.Optional(
    Type.Object(
      { ours: RefTo('revision'), theirs: RefTo('revision') },
      {
        description:
          'As it was returned with the conflicts. If a side has changed since, the response is 409, so that nothing is settled unseen.',
      },
    ),
  ),
})
export type MergeBody = Static<typeof MergeBody>

const SIDE_NAMES = ['space', 'change-request', 'previous'] as const
export type SideName = (typeof SIDE_NAMES)[number]

const Sides = model(
  'MergeSides',
  { ours: OneOf(SIDE_NAMES), theirs: OneOf(SIDE_NAMES) },
  {
    description:
      '`ours` is what is merged into, `theirs` what is merged. Merge: the space, the change request. Update: the change request, the space. Rollback: the space, what was there before the revision (`previous`).',
  },
)

const About = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'Of a page or a reusable content; the name of a file.' }),
  path: Type.Optional(Type.String({ description: 'Of a page.' })),
})
export type About = Static<typeof About>

const Side = (description: string) => Type.Unknown({ description })

export const Conflict = model('MergeConflict', {
  ...address,
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

const conflicts = {
  conflicts: Type.Optional(Type.Array(Conflict, { description: 'In the same order every time.' })),
  more: Type.Optional(Type.Integer({ minimum: 1, description: 'Conflicts that are not listed.' })),
  compared: Type.Optional(Compared),
  sides: Type.Optional(Sides),
}

const Outcome = <const R extends string>(name: string, result: R, revision: string) =>
  model(name, {
    result: OneOf([result, 'conflicts']),
    revision: Type.String({ description: revision }),
    ...conflicts,
  })

export const MergeOutcome = Outcome(
  'ChangeRequestMergeOutcome',
  'merge',
  'The head of the space; with conflicts, the head of the change request.',
)
export const UpdateOutcome = Outcome(
  'ChangeRequestUpdateOutcome',
  'update',
  'The head of the change request.',
)
export const ProposeRollback = Type.Object({ subject: CreateChangeRequest.properties.subject })
export type ProposeRollback = Static<typeof ProposeRollback>

export const RollbackOutcome = Outcome('RevisionRollbackOutcome', 'rollback', 'The head of the space.')

export const RuleOutcome = model('MergeRuleOutcome', {
  rule: Type.String(),
  passed: Type.Boolean(),
  message: Type.String({ description: 'Why, and what to do when it did not pass.' }),
})
export type RuleOutcome = Static<typeof RuleOutcome>

const Published = model('MergePublished', {
  kind: OneOf(['openapi'], 'An OpenAPI specification.'),
  id: Type.String(),
  slug: Type.String(),
})

export const Mergeability = model('ChangeRequestMergeability', {
  mergeable: Type.Boolean({ description: 'Whether a merge by you would succeed now.' }),
  reasons: Type.Array(Type.String(), { description: 'What prevents the merge, most important first.' }),
  outdated: Type.Boolean(),
  permitted: Type.Boolean({ description: 'Whether your role and token allow merging.' }),
  bypass: Type.Boolean({ description: 'Whether you may merge even if rules fail.' }),
  rules: Type.Array(RuleOutcome, { description: 'In the order of the rules.' }),
  conflictCount: Type.Integer({ minimum: 0 }),
  publishes: Type.Array(Published, {
    description:
      'Private objects that the change request names anew and that a merge by you would show to all readers of the space, as far as you may see them.',
  }),
  ...conflicts,
})
export type Mergeability = Static<typeof Mergeability>
