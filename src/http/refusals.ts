// How the API refuses: the status, a message in English, and for what a person may meet in the workspace a reason with
// values, from which the workspace says it in the person's language. Its types ask it for a sentence for each of them.
import { type Static, Type } from 'typebox'
import { model, OneOf } from './list.ts'

/** The codes of failures that programs tell apart. */
export const REASONS = [
  'session_expired',
  'origin_foreign',
  'other_person',
  'confirm_identity',
  'confirm_at_provider',
  'credentials_wrong',
  'sign_in_locked',
  'second_factor_needed',
  'second_factor_own',
  'member_elsewhere',
  'role_too_weak',
  'scope_missing',
  'body_invalid',
  'head_moved',
  'edit_conflicts',
  'changed_meanwhile',
  'space_locked',
  'change_request_merged',
  'change_request_archived',
  'merge_rule_failed',
  'compared_moved',
  'merge_too_large',
  'page_too_large',
  'resolution_invalid',
  'revision_first',
  'revision_proposed',
  'revision_standalone',
  'description_too_large',
  'reviewer_unknown',
  'team_unknown',
  'team_cannot_review',
  'reviewers_too_many',
  'body_empty',
  'body_too_long',
  'page_unknown',
  'node_unknown',
  'suggestion_unknown',
  'reactions_full',
  'suggestion_empty',
  'suggestion_applied',
  'suggestion_overtaken',
  'share_links_full',
  'text_invalid',
  'body_too_costly',
  'suggestion_missing',
  'revision_unknown',
  'visibility_without_collection',
  'git_url_invalid',
  'git_ref_invalid',
  'git_unauthorized',
  'git_repository_missing',
  'git_repository_empty',
  'git_ref_missing',
  'git_redirect_refused',
  'git_unreachable',
  'git_certificate_refused',
  'git_interrupted',
  'git_host_failed',
  'git_unsupported',
  'git_too_large',
  'git_timeout',
  'host_unresolved',
  'address_refused',
  'directory_missing',
  'project_directory_invalid',
  'markdown_missing',
  'too_many_files',
  'last_admin',
  'only_admin',
  'invite_links_off',
  'request_in_progress',
  'answer_not_kept',
] as const

/** What a value that settles a conflict has to be. */
const VALUE_RULES = [
  'line',
  'file_name',
  'slug',
  'boolean',
  'one_of',
  'variable',
  'description',
  'text',
] as const

export const MessageValues = model(
  'MessageValues',
  {
    role: Type.Optional(Type.String({ description: 'The role that you have.' })),
    needed: Type.Optional(Type.String({ description: 'The role that it needs.' })),
    scope: Type.Optional(Type.String({ description: 'The scope that it needs.' })),
    max: Type.Optional(Type.Integer({ description: 'The most there may be.' })),
    minutes: Type.Optional(Type.Integer({ description: 'How long to wait.' })),
    count: Type.Optional(Type.Integer({ description: 'How many there are.' })),
    resolution: Type.Optional(
      Type.Integer({ description: 'Which of the resolutions that were sent, from 0.' }),
    ),
    valueRule: Type.Optional(OneOf(VALUE_RULES, 'What the value of a resolution has to be.')),
    example: Type.Optional(Type.String({ description: 'A value that is possible.' })),
    rule: Type.Optional(Type.String({ description: 'A merge rule.' })),
    people: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Names of those that a merge rule is about, the first of them.',
      }),
    ),
    organizations: Type.Optional(
      Type.Array(Type.String(), { description: 'Titles of the organizations that it is about.' }),
    ),
    more: Type.Optional(Type.Integer({ description: 'How many people there are besides `people`.' })),
    isYou: Type.Optional(Type.Boolean({ description: 'It is about you.' })),
    expression: Type.Optional(Type.String({ description: 'That of a `custom` merge rule.' })),
    text: Type.Optional(
      Type.String({ description: 'The `message` of a `custom` merge rule, as it was set.' }),
    ),
    result: Type.Optional(Type.String({ description: 'What the expression is instead of `true`, as JSON.' })),
    thrown: Type.Optional(Type.String({ description: 'Why the expression failed.' })),
  },
  { description: 'What a message says besides its words, to say it in another language.' },
)
type Values = Static<typeof MessageValues>

declare module '../base/errors.ts' {
  interface FailureValues extends Values {}
}

export const ErrorBody = model('Error', {
  error: Type.Object({
    code: Type.Integer({ description: 'The HTTP status.' }),
    reason: Type.Optional(OneOf(REASONS, 'What is wrong, for programs, where the status does not say.')),
    values: Type.Optional(MessageValues),
    message: Type.String({ description: 'What is wrong and what to do.' }),
  }),
})
export type ErrorBody = Static<typeof ErrorBody>
