// Why the server refuses something, in the language of the person: from the reason and its values, and in the words of
// the server where there is no sentence for the reason.
import { ApiError, type Model } from '../data/client.ts'
import type { GitReason } from '../data/git.ts'
import { language, t } from '../messages/messages.ts'
import { type RuleOutcome, sayRule } from './rules.ts'

type Obstacle = Model<'MergeObstacle'>
type Reason = NonNullable<Model<'Error'>['error']['reason']> | Obstacle['reason']
type Values = Model<'MessageValues'>
type Refusal = { readonly reason?: string | undefined; readonly values?: Values; readonly message: string }

export function sayWhy(error: unknown): string {
  if (!(error instanceof ApiError)) return t('state.bug')
  const { status, message } = error
  if (status === 0) return t('state.offline')
  return sentenceOf(error) ?? SENTENCES_OF_STATUSES[status]?.() ?? inEnglish(message, status)
}

/** What prevents a merge. */
export const sayObstacle = (obstacle: Obstacle): string => sentenceOf(obstacle) ?? obstacle.message

/** What is left is a mistake of ours, which its message finds; to others it says nothing in their language. */
const inEnglish = (message: string, status: number): string =>
  language === 'en' && message !== '' ? message : t('state.refused', { status })

function sentenceOf({ reason = '', values = {}, message }: Refusal): string | undefined {
  return Object.hasOwn(SENTENCES, reason)
    ? SENTENCES[reason as keyof typeof SENTENCES](values, message)
    : undefined
}

/** For whatever else has this status. */
const SENTENCES_OF_STATUSES: Readonly<Record<number, () => string>> = {
  401: () => t('refusal.session_expired'),
  403: () => t('refusal.forbidden'),
  404: () => t('refusal.missing'),
  409: () => t('refusal.changed_meanwhile'),
  413: () => t('refusal.too_large'),
  429: () => t('refusal.throttled'),
  500: () => t('refusal.broken'),
  503: () => t('refusal.busy'),
  507: () => t('refusal.disk_full'),
}

/** `message` is that of the server. */
type Sentence = (values: Values, message: string) => string

const tooLong = (max: number): string => t('refusal.too_long', { count: max })

const SENTENCES: Readonly<Record<Exclude<Reason, GitReason>, Sentence>> = {
  session_expired: () => t('refusal.session_expired'),
  origin_foreign: () => t('refusal.origin_foreign'),
  other_person: () => t('refusal.other_person'),
  confirm_identity: () => t('refusal.confirm_identity'),
  confirm_at_provider: () => t('refusal.confirm_at_provider'),
  credentials_wrong: () => t('refusal.credentials_wrong'),
  second_factor_needed: () => t('refusal.second_factor_needed'),
  second_factor_own: () => t('refusal.second_factor_own'),
  member_elsewhere: () => t('refusal.member_elsewhere'),
  sign_in_locked: ({ minutes = 0 }) => t('refusal.sign_in_locked', { count: minutes }),
  role_too_weak: ({ needed }) => t('refusal.role_too_weak', { needed }),
  scope_missing: ({ scope }) => t('refusal.scope_missing', { scope }),
  body_invalid: ({ max }, message) => (max === undefined ? inEnglish(message, 400) : tooLong(max)),
  head_moved: () => t('refusal.head_moved'),
  edit_conflicts: () => t('refusal.edit_conflicts'),
  changed_meanwhile: () => t('refusal.changed_meanwhile'),
  space_locked: () => t('refusal.space_locked'),
  change_request_merged: () => t('refusal.change_request_merged'),
  change_request_archived: () => t('refusal.change_request_archived'),
  merge_rule_failed: ({ rule, ...values }, message) =>
    t('refusal.merge_rule_failed', {
      why: sayRule({ rule: rule as RuleOutcome['rule'], passed: false, values, message }),
    }),
  conflicts_open: ({ count = 0 }) => t('refusal.conflicts_open', { count }),
  compared_moved: () => t('refusal.compared_moved'),
  merge_too_large: () => t('refusal.merge_too_large'),
  page_too_large: () => t('refusal.page_too_large'),
  resolution_invalid: ({ valueRule, max, example }) =>
    valueRule === undefined
      ? t('refusal.resolution_invalid')
      : t(`refusal.value.${valueRule}`, { max, example }),
  revision_first: () => t('refusal.revision_first'),
  revision_proposed: () => t('refusal.revision_proposed'),
  revision_standalone: () => t('refusal.revision_standalone'),
  description_too_large: () => t('refusal.description_too_large'),
  reviewer_unknown: () => t('refusal.reviewer_unknown'),
  team_unknown: () => t('refusal.team_unknown'),
  team_cannot_review: () => t('refusal.team_cannot_review'),
  reviewers_too_many: ({ max }) => t('refusal.reviewers_too_many', { max }),
  body_empty: () => t('refusal.body_empty'),
  body_too_long: ({ max = 0 }) => tooLong(max),
  page_unknown: () => t('refusal.page_unknown'),
  node_unknown: () => t('refusal.node_unknown'),
  suggestion_unknown: () => t('refusal.suggestion_unknown'),
  reactions_full: ({ max }) => t('refusal.reactions_full', { max }),
  suggestion_empty: () => t('refusal.suggestion_empty'),
  suggestion_applied: () => t('refusal.suggestion_applied'),
  suggestion_overtaken: () => t('refusal.suggestion_overtaken'),
  share_links_full: ({ max }) => t('refusal.share_links_full', { max }),
  text_invalid: () => t('refusal.text_invalid'),
  body_too_costly: () => t('refusal.too_large'),
  suggestion_missing: () => t('refusal.suggestion_missing'),
  revision_unknown: () => t('refusal.changed_meanwhile'),
  visibility_without_collection: () => t('refusal.visibility_without_collection'),
  last_admin: () => t('refusal.last_admin'),
  only_admin: ({ organizations = [] }) =>
    t('refusal.only_admin', { organizations: organizations.join(', ') }),
  invite_links_off: () => t('refusal.invite_links_off'),
  request_in_progress: () => t('refusal.busy'),
  answer_not_kept: () => t('refusal.answer_not_kept'),
}
