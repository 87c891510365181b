// The label, target and audience of each event type in the audit. An event type without a line here does not compile.
import { type RawBuilder, sql } from 'kysely'
import type { EventType } from '../../platform/events/append.ts'

/** All events but those of tests. */
type Audited = Exclude<EventType, `test.${string}`>

/** The target of an event: where it happened, who did it, or the id in a field of the payload. */
export type TargetKind = 'organization' | 'space' | 'actor' | readonly [type: string, field: string]

export type Described = {
  readonly label: string
  readonly target: TargetKind
  /**
   * For events of a person, which have no organization. `membership`: shown to every organization that the person is a
   * member of, as it concerns access to that organization too; `nobody`: not shown.
   */
  readonly shownTo?: 'membership' | 'nobody'
}

const user = ['user', 'user'] as const
const team = ['team', 'team'] as const
const collection = ['collection', 'collection'] as const
const changeRequest = ['change-request', 'changeRequest'] as const
const comment = ['comment', 'comment'] as const
const reply = ['comment-reply', 'reply'] as const
const invite = ['invite', 'invite'] as const
const shareLink = ['share-link', 'link'] as const
const provider = ['saml-provider', 'provider'] as const
const integration = ['integration', 'integration'] as const
const installation = ['installation', 'installation'] as const
const webhook = ['webhook', 'webhook'] as const
const agentTask = ['agent-task', 'task'] as const

const described = {
  'organization.created': { label: 'Organization created', target: 'organization' },
  'organization.changed': { label: 'Organization changed', target: 'organization' },
  'member.joined': { label: 'Member joined', target: user },
  'member.changed': { label: 'Member changed', target: user },
  'member.sso_set': { label: 'Member set to single sign-on', target: user },
  'member.removed': { label: 'Member removed', target: user },
  'team.created': { label: 'Team created', target: team },
  'team.changed': { label: 'Team renamed', target: team },
  'team.deleted': { label: 'Team deleted', target: team },
  'team.members_changed': { label: 'Members of a team changed', target: team },
  'invite.created': { label: 'Invitation link created', target: invite },
  'invite.changed': { label: 'Invitation link changed', target: invite },
  'invite.deleted': { label: 'Invitation link deleted', target: invite },
  'invite.accepted': { label: 'Invitation accepted', target: invite },
  'sso.provider_created': { label: 'Identity provider created', target: provider },
  'sso.provider_changed': { label: 'Identity provider changed', target: provider },
  'sso.provider_deleted': { label: 'Identity provider deleted', target: provider },
  'session.begun': { label: 'Signed in', target: 'actor', shownTo: 'membership' },
  'session.ended': { label: 'Session ended', target: 'actor', shownTo: 'membership' },
  'sign_in.locked': { label: 'Sign-in locked after wrong passwords', target: user, shownTo: 'membership' },
  'password.changed': { label: 'Password changed', target: 'actor', shownTo: 'membership' },
  'password_link.created': { label: 'Link to choose a password made', target: user, shownTo: 'membership' },
  'token.created': { label: 'Personal token created', target: ['token', 'token'], shownTo: 'membership' },
  'token.deleted': { label: 'Personal token deleted', target: ['token', 'token'], shownTo: 'membership' },
  'user.changed': { label: 'Profile changed', target: 'actor', shownTo: 'nobody' },
  'user.verified': { label: 'Mail address verified', target: user, shownTo: 'membership' },
  'collection.created': { label: 'Collection created', target: collection },
  'collection.changed': { label: 'Collection changed', target: collection },
  'collection.moved': { label: 'Collection moved', target: collection },
  'collection.leaving': { label: 'Collection handed to another organization', target: collection },
  'collection.transferred': { label: 'Collection taken over from another organization', target: collection },
  'collection.deleted': { label: 'Collection deleted', target: collection },
  'collection.permission_changed': { label: 'Permissions of a collection changed', target: collection },
  'space.created': { label: 'Space created', target: 'space' },
  'space.changed': { label: 'Space changed', target: 'space' },
  'space.duplicated': { label: 'Space duplicated', target: 'space' },
  'space.moved': { label: 'Space moved', target: 'space' },
  'space.leaving': { label: 'Space handed to another organization', target: 'space' },
  'space.transferred': { label: 'Space taken over from another organization', target: 'space' },
  'space.deleted': { label: 'Space deleted', target: 'space' },
  'space.restored': { label: 'Space restored', target: 'space' },
  'space.purged': { label: 'Space removed for good', target: 'space' },
  'space.repository_disconnected': { label: 'Repository of a space disconnected', target: 'space' },
  'space.git_sync_set': { label: 'Repository of a space set', target: 'space' },
  'space.git_sync_started': { label: 'Commit of a repository imported or exported: begun', target: 'space' },
  'space.git_sync_completed': {
    label: 'Commit of a repository imported or exported: ended',
    target: 'space',
  },
  'space.git_sync_removed': { label: 'Repository of a space removed', target: 'space' },
  'space.permission_changed': { label: 'Permissions of a space changed', target: 'space' },
  'space.published': { label: 'Content of a space changed', target: 'space' },
  'space.rolled_back': { label: 'Change to a space taken back', target: 'space' },
  'share_link.created': { label: 'Share link created', target: shareLink },
  'share_link.changed': { label: 'Share link changed', target: shareLink },
  'share_link.deleted': { label: 'Share link deleted', target: shareLink },
  'visitor_key.rotated': { label: 'Visitor key rotated', target: 'space' },
  'content_token.created': { label: 'Content token created', target: 'space' },
  'change_request.created': { label: 'Change request created', target: changeRequest },
  'change_request.changed': { label: 'Change request changed', target: changeRequest },
  'change_request.edited': { label: 'Content of a change request changed', target: changeRequest },
  'change_request.review_requested': { label: 'Review requested', target: changeRequest },
  'change_request.review_request_withdrawn': {
    label: 'Request for a review withdrawn',
    target: changeRequest,
  },
  'change_request.reviewed': { label: 'Change request reviewed', target: changeRequest },
  'change_request.merged': { label: 'Change request merged', target: changeRequest },
  'comment.created': { label: 'Comment created', target: comment },
  'comment.changed': { label: 'Comment changed', target: comment },
  'comment.resolved': { label: 'Comment resolved', target: comment },
  'comment.reopened': { label: 'Comment reopened', target: comment },
  'comment.deleted': { label: 'Comment deleted', target: comment },
  'comment_reply.created': { label: 'Reply created', target: reply },
  'comment_reply.changed': { label: 'Reply changed', target: reply },
  'comment_reply.deleted': { label: 'Reply deleted', target: reply },
  'integration.published': { label: 'Integration published', target: integration },
  'integration.unpublished': { label: 'Integration unpublished', target: integration },
  'integration_token.created': { label: 'Token of an integration created', target: integration },
  'integration_token.deleted': { label: 'Token of an integration deleted', target: integration },
  'installation.created': { label: 'Integration installed', target: installation },
  'installation.changed': { label: 'Installation changed', target: installation },
  'installation.deleted': { label: 'Integration uninstalled', target: installation },
  'installation_space.created': { label: 'Integration installed on a space', target: installation },
  'installation_space.changed': { label: 'Installation on a space changed', target: installation },
  'installation_space.deleted': { label: 'Integration uninstalled from a space', target: installation },
  'installation_token.created': { label: 'Token of an installation created', target: installation },
  'conversations.ingested': { label: 'Conversations ingested', target: 'organization' },
  'conversation.deleted': { label: 'Conversation deleted', target: ['conversation', 'conversation'] },
  'template.created': { label: 'Template made', target: 'organization' },
  'template.changed': { label: 'Template changed', target: 'organization' },
  'template.deleted': { label: 'Template deleted', target: 'organization' },
  'openapi_spec.created': { label: 'OpenAPI specification added', target: 'organization' },
  'openapi_spec.replaced': { label: 'OpenAPI specification replaced', target: 'organization' },
  'openapi_spec.changed': { label: 'OpenAPI specification changed', target: 'organization' },
  'openapi_spec.deleted': { label: 'OpenAPI specification deleted', target: 'organization' },
  'openapi_spec.published': { label: 'OpenAPI specification has a new version', target: 'organization' },
  'webhook.created': { label: 'Webhook created', target: webhook },
  'webhook.changed': { label: 'Webhook changed', target: webhook },
  'webhook.secret_changed': { label: 'Secret of a webhook changed', target: webhook },
  'webhook.paused': { label: 'Webhook paused by the server', target: webhook },
  'webhook.deleted': { label: 'Webhook deleted', target: webhook },
  'glossary.changed': { label: 'Glossary changed', target: 'organization' },
  'agent_task.created': { label: 'Agent task created', target: agentTask },
  'agent_task.changed': { label: 'Agent task changed', target: agentTask },
} as const satisfies Readonly<Record<Audited, Described>>

const DESCRIBED: ReadonlyMap<string, Described> = new Map(Object.entries(described))

/** An unknown event, of another version of this program, has its type as label. */
export const describedAs = (type: string): Described =>
  DESCRIBED.get(type) ?? { label: type, target: 'organization' }

/** All event types that an audit shows, sorted. */
export const ACTIONS: readonly { readonly id: string; readonly label: string }[] = [...DESCRIBED]
  .filter(([, { shownTo }]) => shownTo !== 'nobody')
  .map(([id, { label }]) => ({ id, label }))
  .sort((a, b) => (a.id < b.id ? -1 : 1))

export const PERSONAL_TYPES: readonly string[] = [...DESCRIBED]
  .filter(([, { shownTo }]) => shownTo === 'membership')
  .map(([type]) => type)

const COLUMNS = {
  organization: 'events.organization_id',
  space: 'events.space_id',
  actor: 'events.actor_id',
} as const

const columnOf = (target: TargetKind): string =>
  typeof target === 'string' ? COLUMNS[target] : `events.payload->>'${target[1]}'`

/** The id of an event's target, of a row `events`. */
export const TARGET_ID: RawBuilder<string | null> = sql<string | null>`case ${sql.join(
  [...Map.groupBy(DESCRIBED, ([, { target }]) => columnOf(target))].map(([column, group]) => {
    const types = sql.join(group.map(([type]) => sql.lit(type)))
    return sql`when events.type in (${types}) then ${sql.raw(column)}`
  }),
  sql` `,
)} else events.organization_id end`
