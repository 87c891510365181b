// The wire of merges; their conflicts are in ../conflicts/schema.ts. Conflicts and resolutions are Octavo extensions.
import { type Static, Type } from 'typebox'
import { model, OneOf } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { MessageValues, type REASONS } from '../../http/refusals.ts'
import { CreateChangeRequest } from '../change-requests/schema.ts'
import { Conflict, ConflictAddress, SIDE_NAMES } from '../conflicts/schema.ts'
import { DESCRIPTION_CHARACTERS_MAX } from '../content/bounds.ts'
import { MERGE_RULES, SpaceMergeRules } from '../organizations/schema.ts'

/** Per request; a change request with more conflicts is better updated by editing it. */
export const RESOLUTIONS_MAX = 1_000
/** For a body with resolutions, which may contain the text of whole blocks. */
export const RESOLUTIONS_BYTES_MAX = 8 * 1024 * 1024

/** Merging needs its own scope: a token that can write cannot merge. */
export const MERGE_SCOPE = 'change-request:merge'

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
  ...ConflictAddress,
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

const Sides = model(
  'MergeSides',
  { ours: OneOf(SIDE_NAMES), theirs: OneOf(SIDE_NAMES) },
  {
    description:
      '`ours` is what is merged into, `theirs` what is merged. Merge: the space, the change request. Update: the change request, the space. Rollback: the space, what was there before the revision (`previous`).',
  },
)

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

export const ChangeRequestConflicts = model('ChangeRequestConflicts', conflicts)

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
  rule: OneOf(MERGE_RULES),
  passed: Type.Boolean(),
  message: Type.String({ description: 'Why, and what to do when it did not pass.' }),
  values: Type.Optional(MessageValues),
})
export type RuleOutcome = Static<typeof RuleOutcome>

export const TestMergeRules = Type.Object({
  mergeRules: Type.Optional(SpaceMergeRules),
})
export type TestMergeRules = Static<typeof TestMergeRules>

export const TestedMergeRules = model('TestedMergeRules', {
  rules: Type.Array(RuleOutcome, { description: 'In the order of the rules.' }),
  bypass: Type.Boolean({ description: 'Whether you could merge even if rules fail.' }),
})
export type TestedMergeRules = Static<typeof TestedMergeRules>

const OBSTACLES = [
  'role_too_weak',
  'scope_missing',
  'change_request_merged',
  'change_request_archived',
  'merge_rule_failed',
  'page_too_large',
  'merge_too_large',
] as const satisfies readonly (typeof REASONS)[number][]

export const Obstacle = model('MergeObstacle', {
  reason: OneOf([...OBSTACLES, 'conflicts_open'], 'That of the refusal of a merge; or there are conflicts.'),
  message: Type.String(),
  values: Type.Optional(MessageValues),
})
export type Obstacle = Static<typeof Obstacle>

const Published = model('MergePublished', {
  kind: OneOf(['openapi'], 'An OpenAPI specification.'),
  id: Type.String(),
  slug: Type.String(),
})

export const Mergeability = model('ChangeRequestMergeability', {
  mergeable: Type.Boolean({ description: 'Whether a merge by you would succeed now.' }),
  reasons: Type.Array(Type.String(), { description: 'What prevents the merge, most important first.' }),
  obstacles: Type.Array(Obstacle, { description: 'The same, for programs. Octavo extension.' }),
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
