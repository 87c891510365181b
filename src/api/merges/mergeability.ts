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
import { MERGE_SCOPE, type Mergeability, type Obstacle, type RuleOutcome } from './schema.ts'
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
  const obstacles: Obstacle[] = [
    ...(forbidden === undefined ? [] : [forbidden]),
    ...(isClosed ? [closedObstacle(changeRequest.status)] : []),
    ...(bypass ? [] : outcomes.filter(({ passed }) => !passed).map(toObstacle)),
    ...(refusal === undefined ? [] : [refusal]),
    ...(conflicts.length === 0 ? [] : [countObstacle(conflicts.length)]),
  ]
  return {
    mergeable: obstacles.length === 0,
    reasons: obstacles.map(({ message }) => message),
    obstacles,
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

type Compared = Pick<Outcome, 'comparison' | 'conflicts'> & { readonly refusal?: Obstacle }

/** The codes of contents that `compare` does not merge. */
const REFUSALS = ['page_too_large', 'merge_too_large'] as const

const NOT_COMPARED: Compared = { comparison: null, conflicts: [] }

/** The conflicts of a merge. Contents that it would refuse are reported as a reason, not thrown. */
async function tryCompare(context: Context, state: State): Promise<Compared> {
  const versions = await mergeVersions(context, state)
  try {
    return await compare(context, state.space.id, versions, NOTHING_SETTLED)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = REFUSALS.find(code => code === error.code)
    if (reason === undefined) throw error
    return { ...NOT_COMPARED, refusal: { reason, message: error.message } }
  }
}

/** Why admission would refuse a merge, if it would. */
function findRefusal({ principal }: SignedInContext, { role }: ChangeRequestAt): Obstacle | undefined {
  if (!allows('space', 'merge', role)) {
    const needed = weakestRole('space', 'merge')
    const message = `Your role does not allow merging: it needs the role ${needed}.`
    return { reason: 'role_too_weak', message, values: { role: String(role), needed } }
  }
  if (coversScope(principal.scopes, MERGE_SCOPE)) return undefined
  const message = `Your token lacks the scope ${MERGE_SCOPE}.`
  return { reason: 'scope_missing', message, values: { scope: MERGE_SCOPE } }
}

const NOTHING_SETTLED = { resolutions: undefined, compared: undefined, isDryRun: true } as const

const toObstacle = ({ rule, message, values }: RuleOutcome): Obstacle => ({
  reason: 'merge_rule_failed',
  message,
  values: { ...values, rule },
})

const closedObstacle = (status: string): Obstacle =>
  status === 'merged'
    ? { reason: 'change_request_merged', message: 'It is merged already.' }
    : {
        reason: 'change_request_archived',
        message: 'It is archived. Set its status to draft or open to merge it.',
      }

const countObstacle = (count: number): Obstacle => ({
  reason: 'conflicts_open',
  message:
    count === 1
      ? 'It has a conflict with the space. Settle it by updating the change request, or with the merge.'
      : `It has ${count} conflicts with the space. Settle them by updating the change request, or with the merge.`,
  values: { count },
})
