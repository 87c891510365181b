// Who may see each event type, by the action that they must be allowed where it happened. An event type without a line
// here does not compile.
import { type Action, allows, type RoleOn, weakestRole } from '../../access/policy.ts'
import { rankOf } from '../../access/roles.ts'
import type { EventType } from '../../platform/events/append.ts'

/** All events but those of tests. */
type Shown = Exclude<EventType, `test.${string}`>

/** The required action on the space of an event; without a space, on the organization. */
type Audience = { readonly space: Action<'space'>; readonly organization: Action<'organization'> }

const ADMINS: Audience = { space: 'admin', organization: 'admin' }
const READERS: Audience = { space: 'access', organization: 'admin' }
const members = (organization: Action<'organization'>): Audience => ({ space: 'admin', organization })

const AUDIENCES = {
  'organization.created': ADMINS,
  'organization.changed': ADMINS,
  'organization.let_go': ADMINS,
  'member.joined': members('listMembers'),
  'member.changed': members('listMembers'),
  'member.sso_set': ADMINS,
  'member.removed': members('listMembers'),
  'team.created': members('listTeams'),
  'team.changed': members('listTeams'),
  'team.deleted': members('listTeams'),
  'team.members_changed': members('listTeams'),
  'invite.created': ADMINS,
  'invite.changed': ADMINS,
  'invite.deleted': ADMINS,
  'invite.accepted': ADMINS,
  'sso.provider_created': ADMINS,
  'sso.provider_changed': ADMINS,
  'sso.provider_deleted': ADMINS,
  'scim_token.created': ADMINS,
  'scim_token.deleted': ADMINS,
  'scim_person.changed': ADMINS,
  'scim_group.changed': ADMINS,
  'session.begun': ADMINS,
  'session.confirmed': ADMINS,
  'session.ended': ADMINS,
  'sign_in.locked': ADMINS,
  'second_factor.added': ADMINS,
  'second_factor.removed': ADMINS,
  'second_factor.codes_renewed': ADMINS,
  'second_factor.code_used': ADMINS,
  'second_factor.locked': ADMINS,
  'second_factor.reset': ADMINS,
  'password.changed': ADMINS,
  'password_link.created': ADMINS,
  'password_link.deleted': ADMINS,
  'token.created': ADMINS,
  'token.deleted': ADMINS,
  'authorization.created': ADMINS,
  'authorization.deleted': ADMINS,
  'user.changed': ADMINS,
  'user.erased': ADMINS,
  'user.verified': ADMINS,
  'user.unbound': ADMINS,
  'collection.created': ADMINS,
  'collection.changed': ADMINS,
  'collection.moved': ADMINS,
  'collection.leaving': ADMINS,
  'collection.transferred': ADMINS,
  'collection.deleted': ADMINS,
  'collection.permission_changed': ADMINS,
  'space.created': READERS,
  'space.changed': READERS,
  'space.duplicated': READERS,
  'space.moved': READERS,
  'space.leaving': READERS,
  'space.transferred': READERS,
  'space.deleted': READERS,
  'space.restored': READERS,
  'space.purged': READERS,
  'space.repository_disconnected': READERS,
  'space.git_sync_set': ADMINS,
  'space.git_sync_removed': ADMINS,
  'space.git_sync_started': READERS,
  'space.git_sync_completed': READERS,
  'space.permission_changed': ADMINS,
  'space.published': READERS,
  'space.rolled_back': READERS,
  'share_link.created': ADMINS,
  'share_link.changed': ADMINS,
  'share_link.deleted': ADMINS,
  'visitor_key.rotated': ADMINS,
  'content_token.created': ADMINS,
  'content_token.deleted': ADMINS,
  'change_request.created': READERS,
  'change_request.changed': READERS,
  'change_request.edited': READERS,
  'change_request.review_requested': READERS,
  'change_request.review_request_withdrawn': READERS,
  'change_request.reviewed': READERS,
  'change_request.merged': READERS,
  'change_request.conflicts_changed': READERS,
  'comment.created': READERS,
  'comment.changed': READERS,
  'comment.resolved': READERS,
  'comment.reopened': READERS,
  'comment.deleted': READERS,
  'comment_reply.created': READERS,
  'comment_reply.changed': READERS,
  'comment_reply.deleted': READERS,
  'integration.published': members('listIntegrations'),
  'integration.unpublished': members('listIntegrations'),
  'integration_token.created': ADMINS,
  'integration_token.deleted': ADMINS,
  'installation.created': ADMINS,
  'installation.changed': ADMINS,
  'installation.deleted': ADMINS,
  'installation_space.created': ADMINS,
  'installation_space.changed': ADMINS,
  'installation_space.deleted': ADMINS,
  'installation_token.created': ADMINS,
  'conversations.ingested': members('viewConversations'),
  'conversation.deleted': members('viewConversations'),
  'template.created': members('viewTemplates'),
  'template.changed': members('viewTemplates'),
  'template.deleted': members('viewTemplates'),
  'openapi_spec.created': members('viewOpenAPISpecs'),
  'openapi_spec.replaced': members('viewOpenAPISpecs'),
  'openapi_spec.changed': members('viewOpenAPISpecs'),
  'openapi_spec.deleted': members('viewOpenAPISpecs'),
  'openapi_spec.published': members('viewOpenAPISpecs'),
  'glossary.changed': members('view'),
  'agent_task.created': READERS,
  'agent_task.changed': READERS,
  'webhook.created': ADMINS,
  'webhook.changed': ADMINS,
  'webhook.secret_changed': ADMINS,
  'webhook.paused': ADMINS,
  'webhook.deleted': ADMINS,
} as const satisfies Readonly<Record<Shown, Audience>>

const BY_TYPE: ReadonlyMap<string, Audience> = new Map(Object.entries(AUDIENCES))

/** All event types, sorted. */
export const EVENT_TYPES: readonly string[] = [...BY_TYPE.keys()].sort()

/** Events without a space that this role in the organization may see. */
export const typesInOrganization = (role: RoleOn<'organization'>): string[] =>
  [...BY_TYPE]
    .filter(([, { organization }]) => allows('organization', organization, role))
    .map(([type]) => type)

/** Whether this role on its space may see an event. */
export function isSeenOnSpace(type: string, role: RoleOn<'space'> | null): boolean {
  const audience = BY_TYPE.get(type)
  return audience !== undefined && allows('space', audience.space, role)
}

function rankNeeded(action: Action<'space'>): number {
  const role = weakestRole('space', action)
  return role === 'visitor' ? 0 : rankOf(role)
}

/** Event types by the rank on the space that they require. */
export const TYPES_BY_RANK: ReadonlyMap<number, readonly string[]> = new Map(
  [...Map.groupBy(BY_TYPE, ([, { space }]) => rankNeeded(space))].map(([rank, group]) => [
    rank,
    group.map(([type]) => type),
  ]),
)
