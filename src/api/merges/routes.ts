// Merging, updating, rolling back, and checking whether a merge is possible.
import { mount, operationsOf, programOperationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { type ChangeRequestAt, onChangeRequest } from '../change-requests/place.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import { type ContentAt, onRevision } from '../content/place.ts'
import { findConflicts, mergeChangeRequest, proposeRollback, rollBack, updateFromSpace } from './actions.ts'
import type { MergeRequest } from './comparison.ts'
import { readMergeability } from './mergeability.ts'
import {
  ChangeRequestConflicts,
  MERGE_SCOPE,
  Mergeability,
  MergeBody,
  MergeOutcome,
  MergeQuery,
  ProposeRollback,
  RESOLUTIONS_BYTES_MAX,
  RollbackOutcome,
  TestedMergeRules,
  TestMergeRules,
  UpdateOutcome,
} from './schema.ts'
import { testMergeRules } from './tested-rules.ts'
import { SIDES, toConflictList, toOutcome } from './wire.ts'

const operation = operationsOf<'space', ChangeRequestAt>()
const programOperation = programOperationsOf<'space', ChangeRequestAt>()
const revisionOperation = operationsOf<'space', ContentAt>()
const revisionProgramOperation = programOperationsOf<'space', ContentAt>()

const common = {
  method: 'POST',
  tag: 'Merging',
  may: 'merge',
  query: MergeQuery,
  body: MergeBody,
  isBodyOptional: true,
  bodyBytesMax: RESOLUTIONS_BYTES_MAX,
  failures: [409, 503],
  supportedHeaders: ['if-match'],
} as const

const toRequest = (body: MergeBody, query: { dryRun?: boolean }): MergeRequest => ({
  resolutions: body.resolutions,
  compared: body.compared,
  isDryRun: query.dryRun ?? false,
})

export const mergeOperations = [
  ...mount(
    [onChangeRequest],
    [
      operation({
        id: 'getChangeRequestMergeability',
        method: 'GET',
        path: '/mergeability',
        summary: 'Check whether a change request can be merged',
        description:
          'Whether you can merge it now: its rules, its conflicts, and what prevents the merge. Nothing is written.',
        tag: 'Merging',
        may: 'access',
        scope: 'space:read',
        failures: [503],
        reply: Mergeability,
        run: ({ context, at }) => readMergeability(context, at),
      }),
      operation({
        id: 'getChangeRequestConflicts',
        method: 'GET',
        path: '/conflicts',
        summary: 'List conflicts of a change request with its space',
        description:
          'Octavo extension. What an update would find now, as it names it; nothing without conflicts, or if it is merged or archived. Nothing is written.',
        tag: 'Merging',
        may: 'access',
        scope: 'space:read',
        failures: [503],
        reply: ChangeRequestConflicts,
        run: async ({ context, at }) =>
          toConflictList(context, at.space.id, SIDES.update, await findConflicts(context, at)),
      }),
      operation({
        id: 'testMergeRules',
        method: 'POST',
        path: '/merge-rules/test',
        summary: 'Test merge rules on a change request',
        description:
          'Octavo extension. What each of these rules would say if you merged it now, whether the space has them or not; without `mergeRules`, those that apply. Nothing is written. They are checked as when they are saved.',
        tag: 'Merging',
        may: 'admin',
        scope: 'space:read',
        body: TestMergeRules,
        isBodyOptional: true,
        isReadOnly: true,
        reply: TestedMergeRules,
        run: ({ context, at, body }) => testMergeRules(context, at, body),
      }),
      operation({
        ...common,
        id: 'mergeChangeRequest',
        path: '/merge',
        summary: 'Merge a change request',
        description:
          'A three-way merge into the head of the space (named by If-Match), under its merge rules. If there are conflicts, they are returned as data and nothing is written; send them back with `take` to settle them.',
        scope: MERGE_SCOPE,
        reply: MergeOutcome,
        run: async ({ context, at, query, body }) =>
          toOutcome(context, at, 'merge', await mergeChangeRequest(context, at, toRequest(body, query))),
      }),
      programOperation({
        ...common,
        by: ['user', 'installation'],
        id: 'updateChangeRequest',
        path: '/update',
        may: 'edit',
        summary: 'Update a change request from its space',
        description:
          'Takes in the later changes of the space; If-Match names the head of the change request. If there are conflicts, they are returned as data and nothing is written; send them back with `take` to settle them.',
        scope: 'change-request:write',
        reply: UpdateOutcome,
        run: async ({ context, at, query, body }) =>
          toOutcome(context, at, 'update', await updateFromSpace(context, at, toRequest(body, query))),
      }),
    ],
  ),
  ...mount(
    [onRevision],
    [
      revisionOperation({
        ...common,
        id: 'rollbackRevision',
        path: '/rollback',
        summary: 'Undo a revision',
        description:
          'Octavo extension. Later changes stay; If-Match names the head of the space. If there are conflicts with later changes, they are returned as data and nothing is written.',
        scope: MERGE_SCOPE,
        reply: RollbackOutcome,
        run: async ({ context, at, query, body }) =>
          toOutcome(context, at, 'rollback', await rollBack(context, at, toRequest(body, query))),
      }),
      revisionProgramOperation({
        by: ['user', 'installation'],
        id: 'proposeRevisionRollback',
        method: 'POST',
        path: '/propose-rollback',
        summary: 'Propose to undo a revision',
        description:
          'Octavo extension. Opens a draft of a change request that undoes what the revision did; later changes stay. Conflicts with them are settled when it is updated or merged.',
        tag: 'Merging',
        may: 'edit',
        scope: 'change-request:write',
        body: ProposeRollback,
        isBodyOptional: true,
        reply: ChangeRequest,
        status: 201,
        run: async ({ context, at, body }) =>
          created(toChangeRequest(context, await proposeRollback(context, at, body))),
      }),
    ],
  ),
]
