// What is known of a person, table by table: what an export of theirs shows, and what erasing them does to it. A test
// holds this against the schema, so that a new column is decided on.

/**
 * What erasing a person does to a row that names them.
 *
 * `removed`: the row goes, by its foreign key. `follows`: it goes with another row of theirs, or stays without them.
 * `kept`: it is what they wrote or did, and stays under the id of their account, which is called "Deleted person"
 * from then on.
 */
export type Fate = 'removed' | 'follows' | 'kept'

export type Section = {
  readonly name: string
  readonly table: string
  /** The column with the person's id. */
  readonly by: string
  readonly fate: Fate
  /** Texts that, with `by`, name a row. Expressions of SQL. */
  readonly key: readonly string[]
  /** Of which rows, if not of all; SQL. */
  readonly where?: string
  /** The fields that are exported: the column of that name, or an expression of SQL. No secrets and no hashes. */
  readonly fields: readonly (string | readonly [name: string, expression: string])[]
}

const id = ['id'] as const

export const SECTIONS: readonly Section[] = [
  {
    ...{ name: 'memberships', table: 'members', by: 'user_id', fate: 'removed', key: ['organization_id'] },
    fields: [
      'organization_id',
      ['title', '(select title from organizations where organizations.id = members.organization_id)'],
      ...['role', 'disabled', 'sso', 'joined_at', 'last_seen_at'],
    ],
  },
  {
    ...{ name: 'teams', table: 'team_members', by: 'user_id', fate: 'follows', key: ['team_id'] },
    fields: [
      ...['organization_id', 'team_id', 'role', 'joined_at'],
      ['title', '(select title from teams where teams.id = team_members.team_id)'],
    ],
  },
  {
    ...{ name: 'permissions', table: 'grants', by: 'user_id', fate: 'follows', key: id },
    // By its index: who has a grant is a member of its organization.
    where:
      'exists (select from members where members.organization_id = grants.organization_id and members.user_id = grants.user_id)',
    fields: ['organization_id', 'space_id', 'collection_id', 'role', 'created_at'],
  },
  {
    ...{ name: 'password', table: 'passwords', by: 'user_id', fate: 'removed', key: ['user_id'] },
    fields: ['changed_at', 'organization_id'],
  },
  {
    ...{ name: 'authenticatorApp', table: 'totp_secrets', by: 'user_id', fate: 'removed' },
    key: ['user_id'],
    fields: ['created_at', 'confirmed_at', 'last_used_at'],
  },
  {
    ...{ name: 'passkeys', table: 'passkeys', by: 'user_id', fate: 'removed', key: id },
    fields: ['id', 'name', 'transports', 'created_at', 'last_used_at'],
  },
  {
    ...{ name: 'recoveryCodes', table: 'recovery_codes', by: 'user_id', fate: 'removed' },
    key: ["encode(code_hash, 'hex')"],
    fields: ['used_at'],
  },
  {
    ...{ name: 'secondSteps', table: 'sign_in_steps', by: 'user_id', fate: 'removed' },
    key: ["encode(secret_hash, 'hex')"],
    fields: ['expires_at'],
  },
  {
    ...{ name: 'passwordLinks', table: 'password_links', by: 'user_id', fate: 'removed', key: id },
    fields: ['is_mailed', 'created_at', 'expires_at', 'used_at'],
  },
  {
    ...{ name: 'identities', table: 'sso_bindings', by: 'user_id', fate: 'removed' },
    key: ["coalesce(provider_id, '')", 'issuer', 'subject'],
    fields: ['provider_id', 'issuer', 'subject', 'created_at'],
  },
  {
    ...{ name: 'directories', table: 'scim_people', by: 'user_id', fate: 'removed' },
    key: ['organization_id'],
    fields: [
      ...['organization_id', 'user_name', 'external_id', 'email', 'display_name', 'given_name'],
      ...['family_name', 'changed_at'],
    ],
  },
  {
    ...{ name: 'sessions', table: 'sessions', by: 'user_id', fate: 'removed', key: id },
    fields: [
      ...['id', 'method', 'factor', 'organization_id', 'address', 'user_agent', 'created_at', 'last_used_at'],
      ...['expires_at', 'confirmed_at'],
    ],
  },
  {
    ...{ name: 'firstSignIn', table: 'first_sign_ins', by: 'user_id', fate: 'removed', key: ['user_id'] },
    fields: ['signed_in_at'],
  },
  {
    ...{ name: 'tokens', table: 'tokens', by: 'user_id', fate: 'removed', key: id },
    fields: ['id', 'label', 'scopes', 'organization_id', 'created_at', 'expires_at', 'last_used_at'],
  },
  {
    ...{ name: 'contentTokens', table: 'tokens', by: 'created_by', fate: 'removed', key: id },
    fields: ['id', 'space_id', 'created_at', 'expires_at', 'last_used_at'],
  },
  {
    ...{ name: 'programs', table: 'oauth_grants', by: 'user_id', fate: 'removed', key: id },
    fields: [
      ['program', '(select name from oauth_clients where oauth_clients.id = oauth_grants.client_id)'],
      ...['client_id', 'scopes', 'organization_id', 'created_at', 'used_at', 'expires_at'],
    ],
  },
  {
    ...{ name: 'mailLanguage', table: 'mail_languages', by: 'user_id', fate: 'removed', key: ['user_id'] },
    fields: ['language'],
  },
  {
    ...{ name: 'notificationSettings', table: 'notification_settings', by: 'user_id', fate: 'removed' },
    key: ['kind'],
    fields: ['kind', 'app', 'mail'],
  },
  {
    ...{ name: 'notifications', table: 'notifications', by: 'user_id', fate: 'removed', key: id },
    fields: [
      ...['id', 'kind', 'space_id', 'change_request_id', 'comment_id', 'reply_id', 'page_id'],
      ...['created_at', 'read_at'],
    ],
  },
  {
    ...{ name: 'watches', table: 'watches', by: 'user_id', fate: 'removed' },
    key: ['space_id', "coalesce(page_id, '')", "coalesce(change_request_id, '')"],
    fields: ['space_id', 'page_id', 'change_request_id', 'watched_at'],
  },
  {
    ...{ name: 'viewedPages', table: 'viewed_pages', by: 'user_id', fate: 'removed' },
    key: ['change_request_id', 'page_id'],
    fields: ['change_request_id', 'page_id', 'viewed_at'],
  },
  {
    ...{ name: 'uploads', table: 'uploads', by: 'user_id', fate: 'removed', key: ['space_id', 'id'] },
    fields: [
      ...['space_id', 'id', 'content_type', 'created_at', 'used_at'],
      ['sha256', "encode(blob_hash, 'hex')"],
    ],
  },
  {
    ...{ name: 'changeRequests', table: 'change_requests', by: 'created_by', fate: 'kept', key: id },
    fields: [
      ...['id', 'space_id', 'number', 'status', 'subject', 'description', 'created_at', 'updated_at'],
      'merged_at',
    ],
  },
  {
    ...{ name: 'comments', table: 'comments', by: 'posted_by', fate: 'kept', key: id },
    fields: [
      ...['id', 'space_id', 'change_request_id', 'review_id', 'page_id', 'body', 'range_quote'],
      ...['suggestion_before', 'suggestion_after', 'posted_at', 'edited_at', 'resolved_at'],
    ],
  },
  {
    ...{ name: 'replies', table: 'comment_replies', by: 'posted_by', fate: 'kept', key: id },
    fields: ['id', 'comment_id', 'body', 'posted_at', 'edited_at'],
  },
  {
    ...{ name: 'reactions', table: 'reactions', by: 'user_id', fate: 'kept' },
    key: ['coalesce(comment_id, reply_id)', 'emoji'],
    fields: ['comment_id', 'reply_id', 'emoji', 'reacted_at'],
  },
  {
    ...{ name: 'reviews', table: 'reviews', by: 'reviewer_id', fate: 'kept', key: id },
    fields: ['id', 'change_request_id', 'revision_id', 'status', 'outdated', 'created_at', 'updated_at'],
  },
  {
    ...{ name: 'requestedReviews', table: 'requested_reviewers', by: 'user_id', fate: 'follows' },
    key: ['change_request_id'],
    fields: ['change_request_id', 'revision_id', 'requested_at'],
  },
  {
    ...{ name: 'revisions', table: 'revisions', by: 'created_by', fate: 'kept', key: id },
    fields: ['id', 'space_id', 'change_request_id', 'type', 'created_at', 'git'],
  },
  {
    ...{ name: 'gitOperations', table: 'git_operations', by: 'created_by', fate: 'kept', key: id },
    fields: ['id', 'space_id', 'direction', 'state', 'url', 'ref', 'started_at', 'completed_at'],
  },
  {
    ...{ name: 'repositories', table: 'git_syncs', by: 'owner_id', fate: 'kept', key: ['space_id'] },
    fields: ['space_id', 'url', 'ref', 'project_directory', 'created_at'],
  },
  {
    ...{ name: 'templates', table: 'templates', by: 'created_by', fate: 'kept', key: id },
    fields: ['id', 'organization_id', 'title', 'description', 'created_at'],
  },
  {
    ...{ name: 'agentTasks', table: 'agent_tasks', by: 'created_by', fate: 'kept', key: id },
    fields: ['id', 'space_id', 'title', 'description', 'status', 'created_at'],
  },
  {
    ...{ name: 'shareLinks', table: 'share_links', by: 'created_by', fate: 'kept', key: id },
    fields: ['id', 'space_id', 'name', 'is_active', 'created_at'],
  },
  {
    ...{ name: 'visitorKeys', table: 'visitor_keys', by: 'created_by', fate: 'kept', key: id },
    fields: ['space_id', 'created_at', 'retires_at'],
  },
  {
    ...{ name: 'inviteLinks', table: 'link_invites', by: 'created_by', fate: 'kept', key: id },
    fields: ['organization_id', 'role', 'space_id', 'collection_id', 'created_at', 'expires_at', 'uses'],
  },
  {
    ...{ name: 'passwordLinksMade', table: 'password_links', by: 'created_by', fate: 'removed', key: id },
    fields: ['organization_id', 'created_at', 'expires_at', 'used_at'],
  },
  {
    ...{ name: 'installations', table: 'installations', by: 'created_by', fate: 'kept', key: id },
    fields: ['id', 'integration', 'organization_id', 'status', 'created_at'],
  },
  {
    ...{ name: 'integrationVersions', table: 'integration_versions', by: 'published_by', fate: 'kept' },
    key: ['integration', "lpad(version::text, 10, '0')"],
    fields: ['integration', 'version', 'published_at'],
  },
  {
    ...{ name: 'webhooks', table: 'webhooks', by: 'owner_id', fate: 'kept', key: id },
    fields: ['id', 'organization_id', 'space_id', 'url', 'description', 'types', 'created_at'],
  },
]

/** What else names a person, or holds something of theirs, by `table.column`, and what erasing and exporting do. */
export const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  'users.id': 'Stays as the name of a deleted person. Exported as `account`.',
  'users.email': 'Replaced by an address that nobody has. Exported as `account`.',
  'users.display_name': 'Replaced by "Deleted person". Exported as `account`.',
  'users.photo_url': 'Emptied. Exported as `account`.',
  'users.email_verified_at': 'Emptied. Exported as `account`.',
  'users.created_at': 'Stays. Exported as `account`.',
  'sessions.address': 'Goes with its row. Exported as `sessions`.',
  'sessions.user_agent': 'Goes with its row. Exported as `sessions`.',
  'scim_people.user_name': 'Goes with its row. Exported as `directories`.',
  'scim_people.external_id': 'Goes with its row. Exported as `directories`.',
  'scim_people.email': 'Goes with its row. Exported as `directories`.',
  'scim_people.display_name': 'Goes with its row. Exported as `directories`.',
  'scim_people.given_name': 'Goes with its row. Exported as `directories`.',
  'scim_people.family_name': 'Goes with its row. Exported as `directories`.',
  'erasures.user_id': 'Stays: that the person was erased. There is nobody left to export it for.',
  'erasures.name': 'Emptied when the erasing is complete.',
  'events.actor_id': 'Stays as the name of a deleted person. Exported as `auditEvents`.',
  'events.address': 'Emptied. Exported as `auditEvents`.',
  'events.token_id': 'Emptied. Exported as `auditEvents`.',
  'events.request_id': 'Emptied. It finds a line of the log, which the operator keeps.',
  'events.payload': 'Holds ids; labels that they gave their tokens are removed. Exported as `auditEvents`.',
  'comments.body': 'The name in a mention of them is replaced. What they wrote is exported as `comments`.',
  'comment_replies.body':
    'The name in a mention of them is replaced. What they wrote is exported as `replies`.',
  'comments.resolved_by': 'Stays. The event that says so is in `auditEvents`.',
  'change_requests.merged_by': 'Stays. The event that says so is in `auditEvents`.',
  'requested_reviewers.requested_by': 'Stays. The event that says so is in `auditEvents`.',
  'reviews.requested_by': 'Stays. The event that says so is in `auditEvents`.',
  'notifications.actor_id':
    'Stays until the notification of somebody else ages. The event is in `auditEvents`.',
  'revisions.git':
    'Their name as the author of a commit that they imported is replaced. Exported as `revisions`.',
  'git_commits.author_name':
    'Stays where a commit was made from a revision, as its id is a hash of it; replaced where a commit was pushed.',
  'git_commits.author_email': 'Stays where a commit was made from a revision, as its id is a hash of it.',
  'idempotency_keys.user_id': 'Goes within a day. Kept to answer repeated requests.',
  'idempotency_keys.body': 'Goes with its row.',
  'jobs.for_person': 'Goes when the job is done.',
  'jobs.data': 'Goes when the job is done.',
  'sign_in_failures.key': 'Removed. A hash of the address that was tried.',
  'spaces.merge_rules': 'May name them by their id, which stays.',
  'organizations.merge_rules': 'May name them by their id, which stays.',
  'live_links.destination': 'Links to people by their ids, which stay.',
  'webhook_deliveries.body': 'Holds ids. Goes when it is swept.',
  'integration_events.payload': 'Holds ids. Goes when it is swept.',
  'sso_requests.answer': 'Goes within an hour.',
  'sso_requests.browser_hash': 'Goes within an hour.',
}
