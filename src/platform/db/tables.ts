// Made by tools/tables.ts from the migrations. Do not edit.
import type { Bytes, Filled, Jsonb, Timestamp } from './column-types.ts'

/**
 * What a column holds where its type in the database says less: JSON of some shape, text that is one of some words.
 * The owner of the table declares it, and tools/tables.ts finds the names:
 *
 *     declare module '../../platform/db/tables.ts' {
 *       interface ColumnValues { 'spaces.merge_rules': SpaceMergeRules }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the owners, as shown above
export interface ColumnValues {}

export interface AccessVersions {
  organization_id: string
  version: number
}

export interface AgentTasks {
  id: string
  space_id: string
  cluster_id: string | null
  change_request_id: string | null
  title: string
  description: string
  instructions: Jsonb<ColumnValues['agent_tasks.instructions']>
  status: Filled<'backlog' | 'started' | 'completed' | 'canceled'>
  created_by: string | null
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface AnsweredChallenges {
  challenge_hash: Bytes
  expires_at: Timestamp
}

export interface BlobHolds {
  id: string
  ends_at: Timestamp
}

export interface Blobs {
  hash: Bytes
  due_at: Timestamp | null
  removed_by: string | null
  removed_until: Timestamp | null
  failures: Filled<number>
  is_new: Filled<boolean>
}

export interface ChangeRequests {
  id: string
  space_id: string
  number: number
  status: Filled<'draft' | 'open' | 'archived' | 'merged'>
  subject: Filled<string>
  description: Jsonb<ColumnValues['change_requests.description']> | null
  revision_id: string
  revision_initial_id: string
  revision_merged_ancestor_id: string | null
  revision_merged_id: string | null
  conversations_issues_cluster: string | null
  created_by: string
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
  merged_by: string | null
  merged_at: Timestamp | null
}

export interface Collections {
  id: string
  organization_id: string
  parent_id: string | null
  position: string
  title: string
  description: Filled<string>
  default_level: Filled<'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | 'none' | 'inherit'>
  level_rank: Filled<number | null>
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface CommentReplies {
  id: string
  comment_id: string
  body: string
  posted_by: string
  posted_at: Filled<Timestamp>
  edited_at: Timestamp | null
}

export interface Comments {
  id: string
  space_id: string
  change_request_id: string | null
  review_id: string | null
  revision_id: string
  page_id: string | null
  node: string | null
  table_record: string | null
  table_definition: string | null
  outdated: Filled<boolean>
  body: string
  posted_by: string
  posted_at: Filled<Timestamp>
  edited_at: Timestamp | null
  resolved_at: Timestamp | null
  resolved_by: string | null
  range_quote: string | null
  range_prefix: string | null
  range_suffix: string | null
  suggestion_before: string | null
  suggestion_after: string | null
  applied_at: Timestamp | null
}

export interface ConversationClusters {
  id: string
  organization_id: string
  label: string
  summary: string
  icon: string
  state: 'pending' | 'analysing' | 'described'
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface ConversationIssues {
  id: string
  organization_id: string
  conversation_id: string
  cluster_id: string | null
  position: number
  title: string
  summary: string
  body: string
  created_at: Timestamp
  ingested_at: Filled<Timestamp>
}

export interface Conversations {
  id: string
  organization_id: string
  source: string
  external_id: string
  subject: string | null
  url: string | null
  attributes: Jsonb<ColumnValues['conversations.attributes']> | null
  parts: Jsonb<ColumnValues['conversations.parts']>
  characters: number
  created_at: Timestamp
  is_dated: boolean
  processed_at: Timestamp | null
  version: Filled<number>
}

export interface DocumentLinks {
  document_hash: Bytes
  links: string
  making: number
}

export interface DocumentWords {
  document_hash: Bytes
  words: string
  making: number
}

export interface EmbeddedSections {
  document_hash: Bytes
  ordinal: number
  model: string
  text_hash: Bytes
  making: Filled<number>
}

export interface Embeddings {
  model: string
  text_hash: Bytes
  vector: Bytes
  created_at: Filled<Timestamp>
}

export interface Erasures {
  user_id: string
  begun_at: Filled<Timestamp>
  name: string | null
  completed_at: Timestamp | null
}

export interface EventArrivals {
  event_id: string
  number: Filled<number>
  organization_id: string
  space_id: string | null
  type: string
}

export interface EventPositions {
  organization_id: string
  position: number
  event_id: string
  space_id: string | null
  type: string
}

export interface Events {
  id: string
  type: string
  organization_id: string | null
  space_id: string | null
  actor_id: string | null
  payload: Jsonb<ColumnValues['events.payload']>
  occurred_at: Filled<Timestamp>
  actor_kind: 'user' | 'integration' | 'installation' | null
  source: Filled<'ui' | 'api' | 'integration' | 'script'>
  address: string | null
  token_id: string | null
  request_id: string | null
}

export interface FirstSignIns {
  user_id: string
  signed_in_at: Filled<Timestamp>
}

export interface GitBranches {
  change_request_id: string
  space_id: string
  name: string
}

export interface GitCommits {
  revision_id: string
  space_id: string
  oid: string
  author_name: string
  author_email: string
  message: string
  summary_root: Bytes
  is_pushed: Filled<boolean>
  onto: string | null
}

export interface GitHistories {
  space_id: string
  oid: string
  url: string
  blob_hash: Bytes | null
  left_out: string | null
  created_at: Filled<Timestamp>
}

export interface GitKnownCommits {
  space_id: string
  project_directory: string
  oid: string
}

export interface GitLinks {
  space_id: string
  provider: string | null
  url: string | null
  repo_name: string | null
  ref: string
  project_directory: Filled<string>
  commit_oid: string | null
  revision_id: string | null
  event_at: Timestamp | null
  updated_at: Filled<Timestamp>
}

export interface GitOperations {
  id: string
  space_id: string
  direction: 'import' | 'export'
  state: 'running' | 'failure' | 'success'
  stage: ColumnValues['git_operations.stage']
  dispatched_tasks: Filled<number>
  completed_tasks: Filled<number>
  url: string
  ref: string
  commit_oid: string | null
  revision_id: string | null
  is_skipped: Filled<boolean>
  error_code: string | null
  error: string | null
  problems: Filled<Jsonb<ColumnValues['git_operations.problems']>>
  created_by: string | null
  started_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
  completed_at: Timestamp | null
  is_disconnected: Filled<boolean>
  layout: ColumnValues['git_operations.layout'] | null
  change_request_id: string | null
}

export interface GitPacks {
  space_id: string
  blob_hash: Bytes
  created_at: Filled<Timestamp>
}

export interface GitSyncProposals {
  space_id: string
  change_request_id: string
}

export interface GitSyncs {
  space_id: string
  url: string
  ref: string
  project_directory: Filled<string>
  secrets: Bytes
  owner_id: string | null
  pull_every_minutes: number | null
  pushes: boolean
  pull_due_at: Filled<Timestamp | null>
  push_due_at: Timestamp | null
  locked_by: string | null
  locked_until: Timestamp | null
  failures: Filled<number>
  error_code: string | null
  error: string | null
  pulled_at: Timestamp | null
  pushed_at: Timestamp | null
  change_request_id: string | null
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface GitTips {
  space_id: string
  address: string
  ref: string
  project_directory: string
  commit_oid: string | null
  revision_id: string
  event_at: Timestamp | null
  change_request_id: string | null
  is_forgotten: Filled<boolean>
  updated_at: Filled<Timestamp>
}

export interface Glossaries {
  organization_id: string
  version: Filled<number>
}

export interface GlossaryEntries {
  id: string
  organization_id: string
  translations: Jsonb<ColumnValues['glossary_entries.translations']>
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface GonePaths {
  projection_id: string
  file: string
  kind: 'page' | 'file' | 'reusable-content'
  id: string
  record: string
  path: Filled<string>
  gone_at: Filled<Timestamp>
}

export interface Grants {
  id: string
  organization_id: string
  space_id: string | null
  collection_id: string | null
  user_id: string | null
  team_id: string | null
  role: 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | 'none'
  rank: Filled<number>
  created_at: Filled<Timestamp>
}

export interface IdempotencyKeys {
  user_id: string
  key_hash: Bytes
  request_hash: Bytes
  state: Filled<'running' | 'committed' | 'answered' | 'withheld'>
  claim_id: string
  claimed_until: Timestamp
  status: number | null
  headers: Jsonb | null
  body: Bytes | null
  created_at: Filled<Timestamp>
}

export interface InstallationSpaces {
  installation_id: string
  space_id: string
  external_ids: Filled<string[]>
  configuration: Filled<Jsonb<ColumnValues['installation_spaces.configuration']>>
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface Installations {
  id: string
  integration: string
  organization_id: string
  status: Filled<'active' | 'pending' | 'paused'>
  scopes: ColumnValues['installations.scopes']
  space_selection: Filled<'all' | 'selected'>
  external_ids: Filled<string[]>
  configuration: Filled<Jsonb<ColumnValues['installations.configuration']>>
  created_by: string | null
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface IntegrationEvents {
  id: string
  integration: string
  installation_id: string
  payload: Jsonb<ColumnValues['integration_events.payload']>
  created_at: Filled<Timestamp>
}

export interface IntegrationVersions {
  integration: string
  version: number
  runtime: 'v1' | 'v2'
  script: string
  secrets: Bytes | null
  icon: Bytes | null
  previews: Filled<Buffer[]>
  published_by: string | null
  published_at: Filled<Timestamp>
}

export interface Integrations {
  name: string
  organization_id: string
  title: string
  description: string
  visibility: Filled<'public' | 'private' | 'unlisted'>
  target: Filled<'all' | 'site' | 'space' | 'organization'>
  scopes: ColumnValues['integrations.scopes']
  manifest: Jsonb<ColumnValues['integrations.manifest']>
  version: Filled<number>
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface Jobs {
  id: string
  name: string
  key: string | null
  data: Jsonb
  run_at: Filled<Timestamp>
  attempts: Filled<number>
  locked_by: string | null
  locked_until: Timestamp | null
  error: string | null
  failed_at: Timestamp | null
  created_at: Filled<Timestamp>
  for_organization: string | null
  for_person: string | null
}

export interface KnownConflicts {
  change_request_id: string
  space_revision_id: string
  revision_id: string
  count: number
}

export interface LinkInvites {
  id: string
  organization_id: string
  role: 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | null
  space_id: string | null
  collection_id: string | null
  created_by: string | null
  created_at: Filled<Timestamp>
  expires_at: Timestamp | null
  uses: Filled<number>
  uses_max: number | null
}

export interface LiveAnchors {
  projection_id: string
  id: string
  anchors: string[]
}

export interface LiveLinks {
  projection_id: string
  from_id: string
  ordinal: number
  kind: 'url' | 'path' | 'anchor' | 'space' | 'openapi' | 'user' | 'collection' | 'broken'
  relation: 'reference' | 'dependsOn'
  destination: string
  candidates: Filled<string[]>
  anchor: string | null
  usage: Filled<'link' | 'image' | 'include' | 'openapi'>
  place: string | null
}

export interface LivePages {
  projection_id: string
  page_id: string
  type: string
  title: string
  description: Filled<string>
  path: string
  title_tsv: string
  hidden: Filled<boolean>
  no_index: Filled<boolean>
  document_hash: Bytes | null
}

export interface LivePaths {
  projection_id: string
  file: string
  kind: 'page' | 'file' | 'reusable-content'
  id: string
}

export interface MailLanguages {
  user_id: string
  language: ColumnValues['mail_languages.language']
}

export interface Members {
  organization_id: string
  user_id: string
  role: 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | null
  disabled: Filled<boolean>
  sso: Filled<boolean>
  joined_at: Filled<Timestamp>
  last_seen_at: Timestamp | null
  rank: Filled<number>
}

export interface Migrations {
  name: string
  checksum: string
  breaking: boolean
  applied_at: Filled<Timestamp>
}

export interface ModelUse {
  organization_id: string
  hour: Timestamp
  tokens: number
}

export interface NotificationSettings {
  user_id: string
  kind: string
  app: boolean
  mail: boolean
}

export interface Notifications {
  id: string
  user_id: string
  event_id: string
  kind: ColumnValues['notifications.kind']
  actor_id: string | null
  space_id: string
  change_request_id: string | null
  comment_id: string | null
  reply_id: string | null
  page_id: string | null
  in_app: boolean
  to_mail: boolean
  created_at: Filled<Timestamp>
  read_at: Timestamp | null
}

export interface OauthClients {
  id: string
  kind: 'registered' | 'document'
  name: string
  redirect_uris: string[]
  network: string | null
  created_at: Filled<Timestamp>
  used_at: Timestamp | null
}

export interface OauthGrants {
  id: string
  user_id: string
  client_id: string
  scopes: string[]
  organization_id: string | null
  resource: string
  expires_at: Timestamp | null
  created_at: Filled<Timestamp>
  used_at: Timestamp | null
  code_hash: Bytes
  code_expires_at: Timestamp
  code_redirect_uri: string
  code_challenge: string
  family_hash: Bytes | null
  refresh_hash: Bytes | null
  refresh_expires_at: Timestamp | null
}

export interface ObjectBlobs {
  object_hash: Bytes
  blob_hash: Bytes
}

export interface Objects {
  hash: Bytes
  kind: 'document' | 'node'
  body: Bytes
  touched_at: Filled<Timestamp>
}

export interface OpenapiParts {
  version_id: string
  key: Bytes
  body: Bytes
}

export interface OpenapiSpecs {
  id: string
  organization_id: string
  slug: string
  source_url: string | null
  source_body: Bytes | null
  visibility: Filled<ColumnValues['openapi_specs.visibility']>
  state: Filled<ColumnValues['openapi_specs.state']>
  last_version: string | null
  last_processed_at: Timestamp | null
  last_error_code: ColumnValues['openapi_specs.last_error_code'] | null
  last_errors: Filled<Jsonb<ColumnValues['openapi_specs.last_errors']>>
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
  source_number: Filled<number>
  is_deflated: Filled<boolean>
  unanswered: Filled<number>
  next_attempt_at: Timestamp | null
}

export interface OpenapiVersions {
  id: string
  spec_id: string
  hash: Bytes
  raw: Bytes
  format: string
  document: Bytes
  created_at: Filled<Timestamp>
  is_deflated: Filled<boolean>
}

export interface OpenidProviders {
  issuer: string
  last_signed_in_at: Timestamp | null
  last_failed_at: Timestamp | null
  last_failure_code: string | null
  last_failure_reason: string | null
}

export interface Organizations {
  id: string
  title: string
  email_domains: Filled<string[]>
  hostname: string | null
  default_role: ColumnValues['organizations.default_role'] | null
  default_content: Jsonb<ColumnValues['organizations.default_content']> | null
  logo_url: string | null
  sso: Filled<boolean>
  ai: Filled<boolean>
  invite_links: Filled<boolean>
  merge_rules: Filled<Jsonb<ColumnValues['organizations.merge_rules']>>
  created_at: Filled<Timestamp>
  second_factor: Filled<boolean>
  audit_days: number | null
  conversation_days: number | null
}

export interface PageRevisions {
  space_id: string
  page_id: string
  revision_id: string
}

export interface Passkeys {
  id: string
  user_id: string
  name: string
  credential_id: Bytes
  public_key: Bytes
  signatures: number
  transports: string[]
  created_at: Filled<Timestamp>
  last_used_at: Timestamp | null
}

export interface PasswordLinks {
  id: string
  user_id: string
  secret_hash: Bytes
  is_mailed: boolean
  created_at: Filled<Timestamp>
  expires_at: Timestamp
  used_at: Timestamp | null
  organization_id: string | null
  created_by: string | null
}

export interface Passwords {
  user_id: string
  hash: string
  changed_at: Filled<Timestamp>
  organization_id: string | null
}

export interface Projections {
  id: string
  making: Filled<number>
  unused_since: Timestamp | null
}

export interface PublishedReferences {
  space_id: string
  source_id: string
  kind: string
  name: string
}

export interface Reactions {
  comment_id: string | null
  reply_id: string | null
  emoji: string
  user_id: string
  reacted_at: Filled<Timestamp>
}

export interface RecoveryCodes {
  user_id: string
  code_hash: Bytes
  used_at: Timestamp | null
  key_id: string | null
}

export interface RequestedReviewers {
  change_request_id: string
  user_id: string | null
  revision_id: string
  requested_by: string
  requested_at: Filled<Timestamp>
  team_id: string | null
}

export interface Reviews {
  id: string
  change_request_id: string
  revision_id: string
  reviewer_id: string
  requested_by: string | null
  status: 'approved' | 'changes-requested'
  outdated: Filled<boolean>
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface Revisions {
  id: string
  space_id: string
  root_hash: Bytes
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed'
  parents: string[]
  created_at: Filled<Timestamp>
  created_by: string | null
  merged_from: string | null
  git: Jsonb<ColumnValues['revisions.git']> | null
  change_request_id: string | null
  is_standalone: Filled<boolean>
}

export interface SamlAssertions {
  provider_id: string
  assertion_id: string
  expires_at: Timestamp
}

export interface SamlProviders {
  id: string
  organization_id: string
  label: string
  entity_id: Filled<string>
  certificate: Filled<string>
  sso_url: Filled<string>
  default_team_id: string | null
  default_role: 'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | null
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
  attributes: Filled<Jsonb<ColumnValues['saml_providers.attributes']>>
  last_signed_in_at: Timestamp | null
  last_failed_at: Timestamp | null
  last_failure_code: string | null
  last_failure_reason: string | null
}

export interface ScimGroups {
  team_id: string
  organization_id: string
  external_id: string | null
  changed_at: Filled<Timestamp>
}

export interface ScimPeople {
  organization_id: string
  user_id: string
  user_name: string
  external_id: string | null
  email: string
  display_name: string
  given_name: string | null
  family_name: string | null
  made_account: boolean
  changed_at: Filled<Timestamp>
}

export interface Sections {
  document_hash: Bytes
  ordinal: number
  anchor: string
  heading: string
  body: string
}

export interface Sessions {
  id: string
  user_id: string
  secret_hash: Bytes
  method: 'password' | 'passkey' | 'token' | 'saml' | 'oidc'
  organization_id: string | null
  token_id: string | null
  address: string | null
  user_agent: string | null
  created_at: Filled<Timestamp>
  last_used_at: Filled<Timestamp>
  expires_at: Timestamp
  confirmed_at: Timestamp | null
  provider_id: string | null
  factor: 'totp' | 'passkey' | 'recovery_code' | null
}

export interface Settings {
  name: string
  value: Jsonb
}

export interface ShareLinks {
  id: string
  space_id: string
  name: string
  is_active: Filled<boolean>
  created_by: string | null
  created_at: Filled<Timestamp>
  last_used_at: Timestamp | null
}

export interface SignInFailures {
  key: Bytes
  failures: number
  last_failed_at: Timestamp
  locked_until: Timestamp | null
}

export interface SignInSteps {
  secret_hash: Bytes
  user_id: string
  expires_at: Timestamp
}

export interface SigningKeys {
  id: string
  secret: string
  created_at: Filled<Timestamp>
  retires_at: Timestamp | null
  revoked: Filled<boolean>
}

export interface Spaces {
  id: string
  organization_id: string
  parent_id: string | null
  position: Filled<string>
  title: string
  emoji: string
  icon_url: string | null
  visibility: Filled<'public' | 'unlisted' | 'share-link' | 'visitor-auth' | 'in-collection' | 'private'>
  edit_mode: Filled<'live' | 'locked'>
  language: ColumnValues['spaces.language'] | null
  default_level: Filled<'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | 'none' | 'inherit'>
  merge_rules: Filled<Jsonb<ColumnValues['spaces.merge_rules']>>
  revision_id: string
  projection_id: string
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
  deleted_at: Timestamp | null
  level_rank: Filled<number | null>
  visitor_fallback_url: string | null
  search_scope: Filled<'organization' | 'space'>
}

export interface SsoBindings {
  provider_id: string | null
  issuer: string
  subject: string
  user_id: string
  created_at: Filled<Timestamp>
}

export interface SsoRequests {
  id: string
  provider_id: string | null
  next: string
  browser_hash: Bytes
  verifier: string | null
  nonce: string | null
  created_at: Filled<Timestamp>
  answer: Jsonb<ColumnValues['sso_requests.answer']> | null
  session_id: string | null
}

export interface TeamMembers {
  organization_id: string
  team_id: string
  user_id: string
  role: Filled<'owner' | 'member'>
  joined_at: Filled<Timestamp>
}

export interface Teams {
  id: string
  organization_id: string
  title: string
  created_at: Filled<Timestamp>
}

export interface TemplateFiles {
  template_id: string
  ref: string
  name: string
  content_type: string
  size: number
  dimensions: Jsonb<ColumnValues['template_files.dimensions']> | null
  blob_hash: Bytes
}

export interface Templates {
  id: string
  organization_id: string
  title: string
  description: Filled<string>
  space_id: string | null
  pages: number
  content_refs: string[]
  content: Bytes
  created_by: string | null
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface Tokens {
  id: string
  user_id: string | null
  label: string
  secret_hash: Bytes
  scopes: string[] | null
  created_at: Filled<Timestamp>
  expires_at: Timestamp | null
  last_used_at: Timestamp | null
  kind: Filled<'user' | 'integration' | 'installation' | 'content' | 'scim'>
  integration: string | null
  installation_id: string | null
  space_id: string | null
  organization_id: string | null
  created_by: string | null
  made_with: string | null
  oauth_grant_id: string | null
}

export interface TotpSecrets {
  user_id: string
  secret: Bytes
  created_at: Filled<Timestamp>
  confirmed_at: Timestamp | null
  last_period: Filled<number>
  last_used_at: Timestamp | null
}

export interface UnnoticedEvents {
  organization_id: string
  position: number
  event_id: string
}

export interface UnreadObjects {
  object_hash: Bytes
  tried_at: Filled<Timestamp>
}

export interface Uploads {
  space_id: string
  user_id: string
  id: string
  blob_hash: Bytes
  content_type: string | null
  created_at: Filled<Timestamp>
  used_at: Timestamp | null
}

export interface Users {
  id: string
  email: string
  display_name: string
  photo_url: string | null
  created_at: Filled<Timestamp>
  email_verified_at: Timestamp | null
}

export interface ViewedPages {
  change_request_id: string
  user_id: string
  page_id: string
  hash: string
  viewed_at: Filled<Timestamp>
}

export interface VisitorKeys {
  id: string
  space_id: string
  created_by: string | null
  created_at: Filled<Timestamp>
  retires_at: Timestamp | null
}

export interface Watches {
  user_id: string
  space_id: string
  page_id: string | null
  change_request_id: string | null
  watched_at: Filled<Timestamp>
}

export interface WebhookDeliveries {
  webhook_id: string
  event_id: string
  type: string
  position: number | null
  status: Filled<'waiting' | 'delivered' | 'failed'>
  body: string | null
  attempts: Filled<number>
  log: Filled<Jsonb<ColumnValues['webhook_deliveries.log']>>
  created_at: Filled<Timestamp>
  due_at: Filled<Timestamp>
  expires_at: Filled<Timestamp>
  locked_until: Timestamp | null
  completed_at: Timestamp | null
}

export interface Webhooks {
  id: string
  organization_id: string
  space_id: string | null
  url: string
  receiver: string
  description: Filled<string>
  types: Filled<string[]>
  secret: Bytes
  owner_id: string | null
  paused_because: 'asked' | 'failing' | 'gone' | 'owner' | null
  failures: Filled<number>
  failing_since: Timestamp | null
  resting_until: Timestamp | null
  delivered_at: Timestamp | null
  created_at: Filled<Timestamp>
  updated_at: Filled<Timestamp>
}

export interface Tables {
  access_versions: AccessVersions
  agent_tasks: AgentTasks
  answered_challenges: AnsweredChallenges
  blob_holds: BlobHolds
  blobs: Blobs
  change_requests: ChangeRequests
  collections: Collections
  comment_replies: CommentReplies
  comments: Comments
  conversation_clusters: ConversationClusters
  conversation_issues: ConversationIssues
  conversations: Conversations
  document_links: DocumentLinks
  document_words: DocumentWords
  embedded_sections: EmbeddedSections
  embeddings: Embeddings
  erasures: Erasures
  event_arrivals: EventArrivals
  event_positions: EventPositions
  events: Events
  first_sign_ins: FirstSignIns
  git_branches: GitBranches
  git_commits: GitCommits
  git_histories: GitHistories
  git_known_commits: GitKnownCommits
  git_links: GitLinks
  git_operations: GitOperations
  git_packs: GitPacks
  git_sync_proposals: GitSyncProposals
  git_syncs: GitSyncs
  git_tips: GitTips
  glossaries: Glossaries
  glossary_entries: GlossaryEntries
  gone_paths: GonePaths
  grants: Grants
  idempotency_keys: IdempotencyKeys
  installation_spaces: InstallationSpaces
  installations: Installations
  integration_events: IntegrationEvents
  integration_versions: IntegrationVersions
  integrations: Integrations
  jobs: Jobs
  known_conflicts: KnownConflicts
  link_invites: LinkInvites
  live_anchors: LiveAnchors
  live_links: LiveLinks
  live_pages: LivePages
  live_paths: LivePaths
  mail_languages: MailLanguages
  members: Members
  migrations: Migrations
  model_use: ModelUse
  notification_settings: NotificationSettings
  notifications: Notifications
  oauth_clients: OauthClients
  oauth_grants: OauthGrants
  object_blobs: ObjectBlobs
  objects: Objects
  openapi_parts: OpenapiParts
  openapi_specs: OpenapiSpecs
  openapi_versions: OpenapiVersions
  openid_providers: OpenidProviders
  organizations: Organizations
  page_revisions: PageRevisions
  passkeys: Passkeys
  password_links: PasswordLinks
  passwords: Passwords
  projections: Projections
  published_references: PublishedReferences
  reactions: Reactions
  recovery_codes: RecoveryCodes
  requested_reviewers: RequestedReviewers
  reviews: Reviews
  revisions: Revisions
  saml_assertions: SamlAssertions
  saml_providers: SamlProviders
  scim_groups: ScimGroups
  scim_people: ScimPeople
  sections: Sections
  sessions: Sessions
  settings: Settings
  share_links: ShareLinks
  sign_in_failures: SignInFailures
  sign_in_steps: SignInSteps
  signing_keys: SigningKeys
  spaces: Spaces
  sso_bindings: SsoBindings
  sso_requests: SsoRequests
  team_members: TeamMembers
  teams: Teams
  template_files: TemplateFiles
  templates: Templates
  tokens: Tokens
  totp_secrets: TotpSecrets
  unnoticed_events: UnnoticedEvents
  unread_objects: UnreadObjects
  uploads: Uploads
  users: Users
  viewed_pages: ViewedPages
  visitor_keys: VisitorKeys
  watches: Watches
  webhook_deliveries: WebhookDeliveries
  webhooks: Webhooks
}
