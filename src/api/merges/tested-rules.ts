// What rules would say of a change request, before a space has them.
import type { SignedInContext } from '../../http/operation.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { checkMergeRules } from '../organizations/merge-rules.ts'
import { evaluateRules, mayBypass } from './rules.ts'
import type { TestedMergeRules, TestMergeRules } from './schema.ts'
import { readState, readStateUnder } from './state.ts'

/**
 * For a merge by the caller now; without rules, those that apply. Writes nothing. Throws `invalid` for rules that could
 * not be saved.
 */
export async function testMergeRules(
  context: SignedInContext,
  at: ChangeRequestAt,
  { mergeRules }: TestMergeRules,
): Promise<TestedMergeRules> {
  await checkMergeRules(context.db, at.space.organization_id, mergeRules)
  const { rules, ruleContext } =
    mergeRules === undefined
      ? await readState(context.db, context, at)
      : await readStateUnder(context.db, context, at, mergeRules)
  return { rules: await evaluateRules(rules, ruleContext), bypass: mayBypass(rules, ruleContext.actor) }
}
