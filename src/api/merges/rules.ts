// Merge rules: what has to be true before a change request may be merged. Their input is passed in; nothing is read
// here.
//
// Where the specification is silent: everybody's current review counts, whatever revision it was made on; the author's
// does not count as the required review or approval, but a rule may name the author as a reviewer.
import type { Static } from 'typebox'
import type { Json } from '../../base/canonical.ts'
import { evaluateExpression } from '../../engines/expressions/evaluate.ts'
import type { MergeRule as MergeRuleSchema } from '../organizations/schema.ts'
import type { RuleOutcome } from './schema.ts'

export type MergeRule = Static<typeof MergeRuleSchema>
type RuleName = MergeRule['rule']
type Values = NonNullable<RuleOutcome['values']>

/** A review that no newer one has replaced. */
export type CurrentReview = { readonly id: string; readonly reviewer: string; readonly status: string }

/** The input of rules: the state that would be merged. */
export type RuleContext = {
  readonly actor: string
  readonly author: string
  readonly subject: string
  readonly hasDescription: boolean
  readonly isOutdated: boolean
  readonly reviews: readonly CurrentReview[]
  /** The names of people that rules list, by id. */
  readonly names: ReadonlyMap<string, string>
  /** What expressions are evaluated over; null when no rule has one. */
  readonly values: Readonly<Record<'space' | 'changeRequest' | 'reviews' | 'actor', Json>> | null
}

type RuleVerdict = Omit<RuleOutcome, 'rule'>

/** Every rule in order, each on its own. */
export async function evaluateRules(
  rules: readonly MergeRule[],
  context: RuleContext,
): Promise<RuleOutcome[]> {
  const outcomes: RuleOutcome[] = []
  for (const rule of rules) outcomes.push({ rule: rule.rule, ...(await evaluateRule(rule, context)) })
  return outcomes
}

/** The first rule that prevents a merge, in the order of the rules. */
export async function findObstacle(
  rules: readonly MergeRule[],
  context: RuleContext,
): Promise<RuleOutcome | undefined> {
  if (mayBypass(rules, context.actor)) return undefined
  for (const rule of rules) {
    const verdict = await evaluateRule(rule, context)
    if (!verdict.passed) return { rule: rule.rule, ...verdict }
  }
  return undefined
}

/** Whether a rule lets this person bypass the other rules. */
export const mayBypass = (rules: readonly MergeRule[], actor: string): boolean =>
  rules.some(rule => rule.rule === 'allow_bypass' && rule.users.includes(actor))

/** The users that the rules list. */
export const listedUsers = (rules: readonly MergeRule[]): string[] => [
  ...new Set(rules.flatMap(rule => ('users' in rule ? rule.users : []))),
]

async function evaluateRule(rule: MergeRule, context: RuleContext): Promise<RuleVerdict> {
  switch (rule.rule) {
    case 'allow_bypass':
      return pass(
        rule.users.includes(context.actor)
          ? 'You may merge although other rules fail.'
          : `${nameAll(rule.users, context)} may merge although other rules fail.`,
        { ...listNames(rule.users, context), isYou: rule.users.includes(context.actor) },
      )
    case 'require_specific_reviewers': {
      const absent = rule.users.filter(user => !isApprovedBy(context, user))
      return absent.length === 0
        ? pass('Everybody whose approval is required has approved.')
        : block(
            rule.rule,
            `Still to approve: ${nameAll(absent, context)}. Ask for their review.`,
            listNames(absent, context),
          )
    }
    case 'require_one_of_specific_reviewers':
      return rule.users.some(user => isApprovedBy(context, user))
        ? pass('One of those whose approval is required has approved.')
        : block(
            rule.rule,
            `One of these has to approve: ${nameAll(rule.users, context)}. Ask for their review.`,
            listNames(rule.users, context),
          )
    case 'require_at_least_one_review':
      return byOthers(context).length > 0
        ? pass('It was reviewed.')
        : block(rule.rule, 'Somebody other than the author has to review it. Ask for a review.')
    case 'require_at_least_one_approved_review':
      return byOthers(context).some(isApproval)
        ? pass('It was approved.')
        : block(rule.rule, 'Somebody other than the author has to approve it. Ask for a review.')
    case 'require_all_reviews_approved':
      return context.reviews.every(isApproval)
        ? pass('Nobody asks for changes.')
        : block(rule.rule, 'A reviewer asks for changes. Make them, and ask for another review.')
    case 'require_agent_review':
      return block(
        rule.rule,
        'This version has no agent that reviews. Remove the rule, or have someone merge who may bypass the rules.',
      )
    case 'require_up_to_date_change_request':
      return context.isOutdated
        ? block(rule.rule, 'The space has changed since. Update the change request first.')
        : pass('It is up to date with the space.')
    case 'require_change_request_subject':
      return context.subject.trim() === ''
        ? block(rule.rule, 'Give the change request a subject.')
        : pass('It has a subject.')
    case 'require_change_request_description':
      return context.hasDescription
        ? pass('It has a description.')
        : block(rule.rule, 'Give the change request a description.')
    case 'require_author_to_merge':
      return context.actor === context.author
        ? pass('You are the author.')
        : block(rule.rule, 'Only its author may merge it.')
    case 'custom':
      return judgeExpression(rule, context)
  }
}

const pass = (message: string, values?: Values): RuleVerdict => ({
  passed: true,
  message,
  ...(values === undefined ? {} : { values }),
})
const block = (rule: RuleName, message: string, values?: Values): RuleVerdict => ({
  ...pass(`The merge rule ${rule} does not allow it: ${message}`, values),
  passed: false,
})

const isApproval = (review: CurrentReview): boolean => review.status === 'approved'
const isApprovedBy = (context: RuleContext, user: string): boolean =>
  context.reviews.some(review => review.reviewer === user && isApproval(review))
const byOthers = ({ reviews, author }: RuleContext): CurrentReview[] =>
  reviews.filter(review => review.reviewer !== author)

// Messages are for people; the rule itself lists everybody.
const NAMES_MAX = 10

const listNames = (users: readonly string[], { names }: RuleContext) => ({
  people: users.slice(0, NAMES_MAX).map(user => names.get(user) ?? user),
  more: Math.max(users.length - NAMES_MAX, 0),
})

function nameAll(users: readonly string[], context: RuleContext): string {
  const { people, more } = listNames(users, context)
  return more > 0 ? `${people.join(', ')} and ${more} more` : people.join(', ')
}

const RESULT_CHARACTERS_MAX = 100

/** Only `true` passes: an expression that fails or has another value must not let anything through. */
async function judgeExpression(
  rule: Extract<MergeRule, { expression: string }>,
  { values }: RuleContext,
): Promise<RuleVerdict> {
  const { expression, message } = rule
  const outcome = await evaluateExpression(expression, values ?? {})
  const own = { expression, ...(message === undefined ? {} : { text: message }) }
  if (outcome.kind === 'value' && outcome.value === true)
    return pass(message ?? `It is true: ${expression}`, own)
  if (outcome.kind === 'failed')
    return block(rule.rule, `${message ?? expression} (${outcome.message})`, {
      ...own,
      thrown: outcome.message,
    })
  const result = JSON.stringify(outcome.value).slice(0, RESULT_CHARACTERS_MAX)
  return block(rule.rule, `${message ?? expression} (It is ${result}, but must be true.)`, { ...own, result })
}
