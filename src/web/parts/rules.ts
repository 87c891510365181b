// What a merge rule says of a change request, in the language of the person. The words that the author of a rule gave it
// stay as they are.
import type { Model } from '../data/client.ts'
import { isolated, language, t } from '../messages/messages.ts'

export type RuleOutcome = Model<'MergeRuleOutcome'>
type Values = Model<'MessageValues'>
type Sentence = (values: Values, passed: boolean) => string

/** The outcome as the server says it, for a rule that is not known here. */
export function sayRule({ rule, passed, message, values = {} }: RuleOutcome): string {
  return Object.hasOwn(SENTENCES, rule) ? SENTENCES[rule](values, passed) : message
}

const SENTENCES: Readonly<Record<RuleOutcome['rule'], Sentence>> = {
  allow_bypass: values =>
    values.isYou
      ? t('rule.bypassYou')
      : t('rule.bypass', { people: namesIn(values), count: countOf(values) }),
  require_specific_reviewers: (values, passed) =>
    passed ? t('rule.allApproved') : t('rule.stillToApprove', { people: namesIn(values) }),
  require_one_of_specific_reviewers: (values, passed) =>
    passed ? t('rule.oneApproved') : t('rule.oneToApprove', { people: namesIn(values) }),
  require_at_least_one_review: (_, passed) => t(passed ? 'rule.reviewed' : 'rule.toReview'),
  require_at_least_one_approved_review: (_, passed) => t(passed ? 'rule.approved' : 'rule.toApprove'),
  require_all_reviews_approved: (_, passed) =>
    t(passed ? 'rule.nobodyRequestsChanges' : 'rule.changesRequested'),
  require_agent_review: () => t('rule.noAgent'),
  require_up_to_date_change_request: (_, passed) => t(passed ? 'rule.upToDate' : 'rule.outdated'),
  require_change_request_subject: (_, passed) => t(passed ? 'rule.hasSubject' : 'rule.noSubject'),
  require_change_request_description: (_, passed) => t(passed ? 'rule.hasDescription' : 'rule.noDescription'),
  require_author_to_merge: (_, passed) => t(passed ? 'rule.isAuthor' : 'rule.notAuthor'),
  custom: sayCustom,
}

function sayCustom({ expression = '', text, result, thrown }: Values, passed: boolean): string {
  if (passed) return text ?? t('rule.true', { expression })
  const own = text ?? expression
  return thrown === undefined
    ? t('rule.notTrue', { text: own, result })
    : t('rule.thrown', { text: own, thrown })
}

const names = new Intl.ListFormat(language)

function namesIn({ people = [], more = 0 }: Values): string {
  const shown = people.map(isolated)
  return more === 0 ? names.format(shown) : t('rule.andMore', { people: shown.join(', '), count: more })
}

const countOf = ({ people = [], more = 0 }: Values): number => people.length + more
