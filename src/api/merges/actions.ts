// Merging: three-way, with conflicts as data, never overwriting anybody's head. A change request is merged into its
// space or updated from it, or a revision is undone. Each is computed outside of any transaction and then written by
// one that makes sure nothing has changed since; otherwise it is computed again.
import { type Author, authorIdOf } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import { conflict, invalid, missing, orMissing } from '../../base/errors.ts'
import type { Conflict } from '../../engines/content/merge.ts'
import type { ActionContext, EventContext, Services } from '../../http/context.ts'
import type { AuthorContext, SignedInContext } from '../../http/operation.ts'
import { requireHead } from '../../http/preconditions.ts'
import type { Trx } from '../../platform/db/database.ts'
import { takeTurn, turnOfChangeRequest, turnOfSpace } from '../../platform/turns.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { createChangeRequest } from '../change-requests/actions.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { type ChangeRequestRow, lockChangeRequest, updateChangeRequest } from '../change-requests/rows.ts'
import { mergeBaseOf, requireOpen } from '../change-requests/state.ts'
import type { ContentAt } from '../content/place.ts'
import { headMoved, whileHeadMoves } from '../heads/overtaken.ts'
import { writeChangeRequestHead, writeSpaceHead } from '../heads/write.ts'
import { findRevision, type RevisionRow } from '../spaces/revisions.ts'
import { getUndeletedSpace, lockSpace, type SpaceRow } from '../spaces/rows.ts'
import { type Comparison, compare, type MergeRequest, type Version } from './comparison.ts'
import { findRollback } from './rows.ts'
import { findObstacle } from './rules.ts'
import type { ProposeRollback } from './schema.ts'
import { fingerprint, readState, type State } from './state.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** `revision`: the head of the space that it has become part of. */
    'change_request.merged': { changeRequest: string; number: number; revision: string }
    /** `revision` undoes what `of` did: the merge of `changeRequest`, if it was one. `redone`: `of` had undone that. */
    'space.rolled_back': { revision: string; of: string; changeRequest?: string; redone?: true }
  }
}

/** The outcome: the revision afterwards, and the unsettled conflicts. */
export type Outcome = {
  readonly revision: string
  readonly comparison: Comparison | null
  readonly conflicts: readonly Conflict[]
}

const done = (revision: string): Outcome => ({ revision, comparison: null, conflicts: [] })

/**
 * Merges the head of a change request into the head of its space. A change request without changes is marked as merged
 * without a new revision. With conflicts nothing is written.
 *
 * Throws `conflict` when the change request is merged or archived, when a merge rule does not allow it,
 * or when it was overtaken too often.
 */
export function mergeChangeRequest(
  context: SignedInContext,
  at: ChangeRequestAt,
  request: MergeRequest,
): Promise<Outcome> {
  const attempt = () => retried('merged', () => tryMerge(context, at, request))
  return request.isDryRun ? attempt() : takeTurn(turnOfSpace(at.space.id), attempt)
}

async function tryMerge(
  context: SignedInContext,
  at: ChangeRequestAt,
  request: MergeRequest,
): Promise<Outcome> {
  const state = await readState(context.db, context, at)
  const { space, changeRequest } = state
  requireHead(context, space.revision_id)
  requireOpen(changeRequest, 'merge')
  const obstacle = await findObstacle(state.rules, state.ruleContext)
  if (obstacle !== undefined)
    throw conflict('merge_rule_failed', obstacle.message).withValues({
      ...obstacle.values,
      rule: obstacle.rule,
    })
  const versions = await mergeVersions(context, state)
  const { comparison, content, conflicts } = await compare(context, at.space.id, versions, request)
  if (conflicts.length > 0) return { revision: changeRequest.revision_id, comparison, conflicts }
  if (request.isDryRun) return done(space.revision_id)
  const check = (trx: Trx) => makeSure(trx, context, at, state)
  const finish = (trx: Trx, revisionId: string) => markMerged(trx, context, changeRequest, space, revisionId)
  const { ours } = versions
  if (content.root === ours.root) {
    await context.transaction(async trx => {
      const locked = await lockSpace(trx, space.id)
      if (locked?.revision_id !== ours.revisionId) throw headMoved('space')
      await check(trx)
      await finish(trx, ours.revisionId)
    })
    return done(ours.revisionId)
  }
  const { revision } = await writeSpaceHead(context, {
    spaceId: space.id,
    base: ours,
    type: 'merge',
    otherParents: [changeRequest.revision_id],
    mergedFrom: changeRequest.id,
    createdBy: context.principal.user.id,
    content,
    check,
    alongside: (trx, row) => finish(trx, row.id),
  })
  return done(revision.id)
}

/** The three versions that a merge of the change request compares. */
export async function mergeVersions(
  services: Pick<Services, 'db'>,
  { space, changeRequest }: Pick<State, 'space' | 'changeRequest'>,
): Promise<Comparison['versions']> {
  return {
    base: await versionOf(services, space.id, mergeBaseOf(changeRequest)),
    ours: toVersion(space.revision_id, space.root_hash),
    theirs: toVersion(changeRequest.revision_id, changeRequest.root_hash),
  }
}

/**
 * Under the locks of both heads: makes sure that everything the decision was based on is unchanged. A review, an edit
 * or a rule that came in between is judged by another attempt.
 */
async function makeSure(
  trx: Trx,
  context: SignedInContext,
  at: ChangeRequestAt,
  decidedOn: State,
): Promise<void> {
  if ((await lockChangeRequest(trx, at.changeRequest.id)) === undefined) throw missing('change request')
  const state = await readState(trx, context, at, decidedOn.space)
  if (fingerprint(state) !== fingerprint(decidedOn)) throw headMoved('change request')
}

/**
 * This revision contains its content. The caller has locked the change request, which is a draft or open.
 */
export async function markMerged(
  trx: Trx,
  { events, principal }: EventContext,
  { id, number }: Pick<ChangeRequestRow, 'id' | 'number'>,
  space: Pick<SpaceRow, 'id' | 'organization_id'>,
  revision: string,
): Promise<void> {
  await updateChangeRequest(trx, id, {
    status: 'merged',
    revision_merged_id: revision,
    merged_by: principal.user.id,
    merged_at: now(),
  })
  await events.append(trx, {
    type: 'change_request.merged',
    organizationId: space.organization_id,
    spaceId: space.id,
    actorId: principal.user.id,
    payload: { changeRequest: id, number, revision },
  })
}

/**
 * Merges the head of the space into the change request, which is then up to date. With conflicts nothing is written; an
 * up-to-date change request stays as it is.
 */
export function updateFromSpace(
  context: AuthorContext,
  at: ChangeRequestAt,
  request: MergeRequest,
): Promise<Outcome> {
  const attempt = () => retried('updated', () => tryUpdate(context, at, request))
  return request.isDryRun ? attempt() : takeTurn(turnOfChangeRequest(at.changeRequest.id), attempt)
}

/** What `updateFromSpace` would find now; nothing for a change request that is merged or archived. Writes nothing. */
export async function findConflicts(context: SignedInContext, at: ChangeRequestAt): Promise<Outcome> {
  const state = await readState(context.db, context, at)
  const { changeRequest } = state
  if (changeRequest.status === 'merged' || changeRequest.status === 'archived')
    return done(changeRequest.revision_id)
  const { base, ours: theirs, theirs: ours } = await mergeVersions(context, state)
  const request = { resolutions: undefined, compared: undefined, isDryRun: true }
  const { comparison, conflicts } = await compare(
    context,
    changeRequest.space_id,
    { base, ours, theirs },
    request,
  )
  return { revision: ours.revisionId, comparison, conflicts }
}

async function tryUpdate(
  context: AuthorContext,
  at: ChangeRequestAt,
  request: MergeRequest,
): Promise<Outcome> {
  const { principal } = context
  const state = await readState(context.db, context, at)
  const { changeRequest } = state
  requireHead(context, changeRequest.revision_id)
  requireOpen(changeRequest, 'merge')
  const { base, ours: theirs, theirs: ours } = await mergeVersions(context, state)
  // Also when it is up to date, so that a resolution that settles nothing is reported.
  const { comparison, content, conflicts } = await compare(
    context,
    at.changeRequest.space_id,
    { base, ours, theirs },
    request,
  )
  if (conflicts.length > 0) return { revision: ours.revisionId, comparison, conflicts }
  if (request.isDryRun || base.revisionId === theirs.revisionId) return done(ours.revisionId)
  const { revision } = await writeChangeRequestHead(context, {
    changeRequest,
    base: ours,
    type: 'update',
    otherParents: [theirs.revisionId],
    createdBy: authorIdOf(principal),
    content,
    before: trx => requireAuthor(trx, principal),
    alongside: trx =>
      updateChangeRequest(trx, changeRequest.id, {
        revision_merged_ancestor_id: theirs.revisionId,
      }).then(() => {}),
  })
  return done(revision.id)
}

/**
 * Undoes the changes of one revision of the space, but no later ones. With conflicts nothing is written; if nothing is
 * left to undo, the head stays as it is. A merged change request stays merged when it is undone.
 *
 * Throws `invalid` for a revision that is not in the history of the space, and for the first one.
 */
export function rollBack(context: SignedInContext, at: ContentAt, request: MergeRequest): Promise<Outcome> {
  const attempt = () => retried('rolled back', () => tryRollback(context, at, request))
  return request.isDryRun ? attempt() : takeTurn(turnOfSpace(at.space.id), attempt)
}

async function tryRollback(context: SignedInContext, at: ContentAt, request: MergeRequest): Promise<Outcome> {
  const revision = orMissing(await findRevision(context.db, at.space.id, at.revisionId), 'revision')
  const parent = parentOf(revision)
  const space = await getUndeletedSpace(context.db, at.space.id)
  requireHead(context, space.revision_id)
  const versions = {
    base: toVersion(revision.id, revision.root_hash),
    ours: toVersion(space.revision_id, space.root_hash),
    theirs: await versionOf(context, space.id, parent),
  }
  const { comparison, content, conflicts } = await compare(context, at.space.id, versions, request)
  const { ours } = versions
  if (conflicts.length > 0) return { revision: ours.revisionId, comparison, conflicts }
  if (request.isDryRun || content.root === ours.root) return done(ours.revisionId)
  const ofMerge = await findUndoneMerge(context, space.organization_id, revision)
  const { revision: made } = await writeSpaceHead(context, {
    spaceId: space.id,
    base: ours,
    type: 'rollback',
    createdBy: context.principal.user.id,
    content,
    alongside: (trx, row) =>
      context.events.append(trx, {
        type: 'space.rolled_back',
        organizationId: space.organization_id,
        spaceId: space.id,
        actorId: context.principal.user.id,
        payload: { revision: row.id, of: revision.id, ...ofMerge },
      }),
  })
  return done(made.id)
}

/** The merge that undoing a revision undoes, or brings back. */
async function findUndoneMerge(
  { db }: SignedInContext,
  organizationId: string,
  { id, type, merged_from }: RevisionRow,
): Promise<{ readonly changeRequest?: string; readonly redone?: true }> {
  if (merged_from !== null) return { changeRequest: merged_from }
  const before = type === 'rollback' ? await findRollback(db, organizationId, id) : undefined
  if (before === undefined || before.changeRequest === null) return {}
  const { changeRequest, isRedone } = before
  return isRedone ? { changeRequest } : { changeRequest, redone: true }
}

/**
 * Opens a draft that undoes the changes of one revision of the space: it starts from that revision, and its content is
 * what was there before. So later changes of the space stay when it is updated or merged, and conflicts with them are
 * settled there.
 *
 * Throws `invalid` for a revision that is not in the history of the space, and for the first one.
 */
export async function proposeRollback(
  context: ActionContext<Author>,
  { space, revisionId }: ContentAt,
  words: ProposeRollback,
): Promise<ChangeRequestRow> {
  const revision = orMissing(await findRevision(context.db, space.id, revisionId), 'revision')
  const { root } = await versionOf(context, space.id, parentOf(revision))
  const start = { revisionId: revision.id, root, insert: async () => {} }
  return createChangeRequest(context, space, words, start)
}

/** The state of the space before a revision of its history. */
function parentOf(revision: RevisionRow): string {
  if (revision.change_request_id !== null)
    throw invalid(
      'revision_proposed',
      'This revision belongs to a change request. Only revisions of the space can be rolled back.',
    )
  if (revision.is_standalone)
    throw invalid('revision_standalone', 'This revision is not part of the history of the space.')
  const [parent] = revision.parents
  if (parent === undefined)
    throw invalid('revision_first', 'This is the first revision of the space: nothing was before it.')
  return parent
}

const toVersion = (revisionId: string, root: Buffer): Version => ({ revisionId, root: root.toString('hex') })

async function versionOf(
  { db }: Pick<Services, 'db'>,
  spaceId: string,
  revisionId: string,
): Promise<Version> {
  const row = await findRevision(db, spaceId, revisionId)
  assert(row !== undefined, 'revisions stay as long as their space')
  return toVersion(row.id, row.root_hash)
}

// Writers in this process take turns, so conflicts come from other processes only.
const ATTEMPTS_MAX = 8

const retried = (verb: string, attempt: () => Promise<Outcome>): Promise<Outcome> =>
  whileHeadMoves(attempt, {
    attemptsMax: ATTEMPTS_MAX,
    message: `Other changes kept coming in while this was ${verb}. Nothing was written; try again.`,
  })
