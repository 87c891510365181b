// Predicts whether a merge would succeed, using the functions that decide it.
import { allows, weakestRole } from '../../access/policy.ts'
import { coversScope } from '../../access/scopes.ts'
import { Failure } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { isOutdated } from '../change-requests/state.ts'
import { mergeVersions, type Outcome } from './actions.ts'
import { compare } from './comparison.ts'
import { listPublishing } from './publishing.ts'
import { evaluateRules, mayBypass } from './rules.ts'
import { MERGE_SCOPE, type Mergeability } from './schema.ts'
import { readState, type State } from './state.ts'
import { toConflictList } from './wire.ts'

/** For a merge by the caller. Writes nothing; merged and archived change requests are not compared. */
export async function readMergeability(context: SignedInContext, at: ChangeRequestAt): Promise<Mergeability> {
  const state = await readState(context.db, context, at)
  const { space, changeRequest, rules, ruleContext } = state
  const forbidden = findRefusal(context, at)
  const isClosed = changeRequest.status === 'merged' || changeRequest.status === 'archived'
  const outcomes = await evaluateRules(rules, ruleContext)
  const bypass = mayBypass(rules, ruleContext.actor)
  const { conflicts, comparison, refusal } = isClosed ? NOT_COMPARED : await tryCompare(context, state)
  const reasons = [
    ...(forbidden === undefined ? [] : [forbidden]),
    ...(isClosed ? [closedReason(changeRequest.status)] : []),
    ...(bypass ? [] : outcomes.filter(({ passed }) => !passed).map(({ message }) => message)),
    ...(refusal === undefined ? [] : [refusal]),
    ...(conflicts.length === 0 ? [] : [countReason(conflicts.length)]),
  ]
  return {
    mergeable: reasons.length === 0,
    reasons,
    outdated: isOutdated(changeRequest),
    permitted: forbidden === undefined,
    bypass,
    rules: outcomes,
    conflictCount: conflicts.length,
    publishes: isClosed ? [] : await readPublished(context, state),
    ...(await toConflictList(
      context,
      space.id,
      { ours: 'space', theirs: 'change-request' },
      { comparison, conflicts },
    )),
  }
}

async function readPublished(context: SignedInContext, state: State): Promise<Mergeability['publishes']> {
  const { base, theirs } = await mergeVersions(context, state)
  const roots = { base: base.root, theirs: theirs.root }
  const specs = await listPublishing(context, context.principal, state.space, roots)
  return specs.map(({ id, slug }) => ({ kind: 'openapi', id, slug }))
}

type Compared = Pick<Outcome, 'comparison' | 'conflicts'> & { readonly refusal?: string }

/** The codes of contents that `compare` does not merge. */
const REFUSALS: ReadonlySet<string> = new Set(['page_too_large', 'merge_too_large'])

const NOT_COMPARED: Compared = { comparison: null, conflicts: [] }

/** The conflicts of a merge. Contents that it would refuse are reported as a reason, not thrown. */
async function tryCompare(context: Context, state: State): Promise<Compared> {
  const versions = await mergeVersions(context, state)
  try {
    return await compare(context, state.space.id, versions, NOTHING_SETTLED)
  } catch (error) {
    if (!(error instanceof Failure) || !REFUSALS.has(error.code)) throw error
    return { ...NOT_COMPARED, refusal: error.message }
  }
}

/** Why admission would refuse a merge, if it would. */
function findRefusal({ principal }: SignedInContext, { role }: ChangeRequestAt): string | undefined {
  if (!allows('space', 'merge', role))
    return `Your role does not allow merging: it needs the role ${weakestRole('space', 'merge')}.`
  return coversScope(principal.scopes, MERGE_SCOPE) ? undefined : `Your token lacks the scope ${MERGE_SCOPE}.`
}

const NOTHING_SETTLED = { resolutions: undefined, compared: undefined, isDryRun: true } as const

const closedReason = (status: string): string =>
  status === 'merged'
    ? 'It is merged already.'
    : 'It is archived. Set its status to draft or open to merge it.'

const countReason = (count: number): string =>
  count === 1
    ? 'It has a conflict with the space. Settle it by updating the change request, or with the merge.'
    : `It has ${count} conflicts with the space. Settle them by updating the change request, or with the merge.`
