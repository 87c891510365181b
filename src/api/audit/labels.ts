// The label, target and audience of each event type in the audit. An event type without a line here does not compile.
import { type RawBuilder, sql } from 'kysely'
import type { EventType } from '../../platform/events/append.ts'

/** All events but those of tests. */
type Audited = Exclude<EventType, `test.${string}`>

/**
 * The target of an event: where it happened, the person whom the payload names as `user` or else who did it, or the id
 * in a field of the payload.
 */
export type TargetKind = 'organization' | 'space' | 'person' | readonly [type: string, field: string]

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
const scimToken = ['scim-token', 'token'] as const
const provider = ['saml-provider', 'provider'] as const
const integration = ['integration', 'integration'] as const
const installation = ['installation', 'installation'] as const
const webhook = ['webhook', 'webhook'] as const
const agentTask = ['agent-task', 'task'] as const

type Labels<Type extends Audited> = Readonly<Record<Type, string>>

const withLabels = <Type extends Audited>(
  kind: Omit<Described, 'label'>,
  labels: Labels<Type>,
): Record<Type, Described> => {
  const described = Object.entries<string>(labels).map(([type, label]) => [type, { label, ...kind }])
  return Object.fromEntries(described)
}

/** Events of an organization. */
const about = <Type extends Audited>(target: TargetKind, labels: Labels<Type>) =>
  withLabels({ target }, labels)

/** Events of a person. */
const personal = <Type extends Audited>(
  shownTo: NonNullable<Described['shownTo']>,
  target: TargetKind,
  labels: Labels<Type>,
) => withLabels({ target, shownTo }, labels)

const described = {
  ...about('organization', {
    'organization.created': 'Organization created',
    'organization.changed': 'Organization changed',
    'organization.let_go': 'Old events and conversations deleted',
  }),
  ...about(user, {
    'member.joined': 'Member joined',
    'member.changed': 'Member changed',
    'member.sso_set': 'Member set to single sign-on',
    'member.removed': 'Member removed',
  }),
  ...about(team, {
    'team.created': 'Team created',
    'team.changed': 'Team renamed',
    'team.deleted': 'Team deleted',
    'team.members_changed': 'Members of a team changed',
  }),
  ...about(invite, {
    'invite.created': 'Invitation link created',
    'invite.changed': 'Invitation link changed',
    'invite.deleted': 'Invitation link deleted',
    'invite.accepted': 'Invitation accepted',
  }),
  ...about(provider, {
    'sso.provider_created': 'Identity provider created',
    'sso.provider_changed': 'Identity provider changed',
    'sso.provider_deleted': 'Identity provider deleted',
  }),
  ...about(scimToken, {
    'scim_token.created': 'SCIM token created',
    'scim_token.deleted': 'SCIM token revoked',
  }),
  ...about(user, {
    'scim_person.changed': 'Member changed by the directory',
  }),
  ...about(team, {
    'scim_group.changed': 'Team changed by the directory',
  }),
  ...personal('membership', 'person', {
    'session.begun': 'Signed in',
    'session.confirmed': 'Identity confirmed',
    'session.ended': 'Session ended',
    'password.changed': 'Password changed',
  }),
  ...personal('membership', user, {
    'sign_in.locked': 'Sign-in locked after wrong passwords',
    'second_factor.added': 'Second factor added',
    'second_factor.removed': 'Second factor removed',
    'second_factor.codes_renewed': 'Recovery codes renewed',
    'second_factor.code_used': 'Signed in with a recovery code',
    'second_factor.locked': 'Sign-in locked after wrong codes',
    'second_factor.reset': 'Second factor reset',
    'password_link.created': 'Link to choose a password made',
    'password_link.deleted': 'Link to choose a password ended',
    'user.verified': 'Email address verified',
    'user.unbound': 'Account released from an identity provider',
  }),
  ...personal('membership', ['token', 'token'], {
    'token.created': 'Personal token created',
    'token.deleted': 'Personal token deleted',
  }),
  ...personal('membership', ['authorization', 'authorization'], {
    'authorization.created': 'Program allowed to act for a person',
    'authorization.deleted': 'Program no longer allowed to act for a person',
  }),
  ...personal('nobody', 'person', {
    'user.changed': 'Profile changed',
    'user.erased': 'Account erased',
  }),
  ...about(collection, {
    'collection.created': 'Collection created',
    'collection.changed': 'Collection changed',
    'collection.moved': 'Collection moved',
    'collection.leaving': 'Collection handed to another organization',
    'collection.transferred': 'Collection taken over from another organization',
    'collection.deleted': 'Collection deleted',
    'collection.permission_changed': 'Permissions of a collection changed',
  }),
  ...about('space', {
    'space.created': 'Space created',
    'space.changed': 'Space changed',
    'space.duplicated': 'Space duplicated',
    'space.moved': 'Space moved',
    'space.leaving': 'Space handed to another organization',
    'space.transferred': 'Space taken over from another organization',
    'space.deleted': 'Space deleted',
    'space.restored': 'Space restored',
    'space.purged': 'Space removed for good',
    'space.repository_disconnected': 'Repository of a space disconnected',
    'space.git_sync_set': 'Repository of a space set',
    'space.git_sync_started': 'Commit of a repository imported or exported: begun',
    'space.git_sync_completed': 'Commit of a repository imported or exported: ended',
    'space.git_sync_removed': 'Repository of a space removed',
    'space.permission_changed': 'Permissions of a space changed',
    'space.published': 'Content of a space changed',
    'space.rolled_back': 'Change to a space taken back',
  }),
  ...about(shareLink, {
    'share_link.created': 'Share link created',
    'share_link.changed': 'Share link changed',
    'share_link.deleted': 'Share link deleted',
  }),
  ...about('space', {
    'visitor_key.rotated': 'Visitor key rotated',
    'content_token.created': 'Content token created',
    'content_token.deleted': 'Content token deleted',
  }),
  ...about(changeRequest, {
    'change_request.created': 'Change request created',
    'change_request.changed': 'Change request changed',
    'change_request.edited': 'Content of a change request changed',
    'change_request.review_requested': 'Review requested',
    'change_request.review_request_withdrawn': 'Request for a review withdrawn',
    'change_request.reviewed': 'Change request reviewed',
    'change_request.merged': 'Change request merged',
    'change_request.conflicts_changed': 'Conflicts of a change request counted',
  }),
  ...about(comment, {
    'comment.created': 'Comment created',
    'comment.changed': 'Comment changed',
    'comment.resolved': 'Comment resolved',
    'comment.reopened': 'Comment reopened',
    'comment.deleted': 'Comment deleted',
  }),
  ...about(reply, {
    'comment_reply.created': 'Reply created',
    'comment_reply.changed': 'Reply changed',
    'comment_reply.deleted': 'Reply deleted',
  }),
  ...about(integration, {
    'integration.published': 'Integration published',
    'integration.unpublished': 'Integration unpublished',
    'integration_token.created': 'Token of an integration created',
    'integration_token.deleted': 'Token of an integration deleted',
  }),
  ...about(installation, {
    'installation.created': 'Integration installed',
    'installation.changed': 'Installation changed',
    'installation.deleted': 'Integration uninstalled',
    'installation_space.created': 'Integration installed on a space',
    'installation_space.changed': 'Installation on a space changed',
    'installation_space.deleted': 'Integration uninstalled from a space',
    'installation_token.created': 'Token of an installation created',
  }),
  ...about('organization', {
    'conversations.ingested': 'Conversations ingested',
  }),
  ...about(['conversation', 'conversation'], {
    'conversation.deleted': 'Conversation deleted',
  }),
  ...about('organization', {
    'template.created': 'Template made',
    'template.changed': 'Template changed',
    'template.deleted': 'Template deleted',
    'openapi_spec.created': 'OpenAPI specification added',
    'openapi_spec.replaced': 'OpenAPI specification replaced',
    'openapi_spec.changed': 'OpenAPI specification changed',
    'openapi_spec.deleted': 'OpenAPI specification deleted',
    'openapi_spec.published': 'OpenAPI specification has a new version',
  }),
  ...about(webhook, {
    'webhook.created': 'Webhook created',
    'webhook.changed': 'Webhook changed',
    'webhook.secret_changed': 'Secret of a webhook changed',
    'webhook.paused': 'Webhook paused by the server',
    'webhook.deleted': 'Webhook deleted',
  }),
  ...about('organization', {
    'glossary.changed': 'Glossary changed',
  }),
  ...about(agentTask, {
    'agent_task.created': 'Agent task created',
    'agent_task.changed': 'Agent task changed',
  }),
} satisfies Readonly<Record<Audited, Described>>

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
  person: `coalesce(events.payload->>'user', events.actor_id)`,
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
