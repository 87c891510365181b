// Columns that neither name a person nor hold what identifies one, by table: each was looked at. A column that does is in
// `src/api/people/sections.ts`, with what erasing and exporting a person do to it.

export const IMPERSONAL: Readonly<Record<string, string>> = {
  access_versions: 'organization_id version',
  agent_tasks:
    'id space_id cluster_id change_request_id title description instructions status created_at updated_at',
  blob_holds: 'id ends_at',
  blobs: 'hash due_at removed_by removed_until failures is_new',
  change_requests:
    'id space_id number status subject description revision_id revision_initial_id revision_merged_ancestor_id revision_merged_id conversations_issues_cluster created_at updated_at merged_at',
  collections:
    'id organization_id parent_id position title description default_level level_rank created_at updated_at',
  comment_replies: 'id comment_id posted_at edited_at',
  comments:
    'id space_id change_request_id review_id revision_id page_id node table_record table_definition outdated posted_at edited_at resolved_at range_quote range_prefix range_suffix suggestion_before suggestion_after applied_at',
  conversation_clusters: 'id organization_id label summary icon state created_at updated_at',
  conversation_issues:
    'id organization_id conversation_id cluster_id position title summary body created_at ingested_at',
  conversations:
    'id organization_id source external_id subject url attributes parts characters created_at is_dated processed_at version',
  document_links: 'document_hash links making',
  document_words: 'document_hash words making',
  embedded_sections: 'document_hash ordinal model text_hash making',
  embeddings: 'model text_hash vector created_at',
  erasures: 'begun_at completed_at',
  event_arrivals: 'event_id number organization_id space_id type',
  event_positions: 'organization_id position event_id space_id type',
  events: 'id type organization_id space_id occurred_at actor_kind source',
  first_sign_ins: 'signed_in_at',
  git_branches: 'change_request_id space_id name',
  git_commits: 'revision_id space_id oid message summary_root is_pushed onto',
  git_histories: 'space_id oid url blob_hash left_out created_at',
  git_known_commits: 'space_id project_directory oid',
  git_links:
    'space_id provider url repo_name ref project_directory commit_oid revision_id event_at updated_at',
  git_operations:
    'id space_id direction state stage dispatched_tasks completed_tasks url ref commit_oid revision_id is_skipped error_code error problems started_at updated_at completed_at is_disconnected layout change_request_id',
  git_packs: 'space_id blob_hash created_at',
  git_sync_proposals: 'space_id change_request_id',
  git_syncs:
    'space_id url ref project_directory secrets pull_every_minutes pushes pull_due_at push_due_at locked_by locked_until failures error_code error pulled_at pushed_at change_request_id created_at updated_at',
  git_tips:
    'space_id address ref project_directory commit_oid revision_id event_at change_request_id is_forgotten updated_at',
  glossaries: 'organization_id version',
  glossary_entries: 'id organization_id translations created_at updated_at',
  gone_paths: 'projection_id file kind id record path gone_at',
  grants: 'id organization_id space_id collection_id team_id role rank created_at',
  idempotency_keys: 'key_hash request_hash state claim_id claimed_until status headers created_at',
  installation_spaces: 'installation_id space_id external_ids configuration created_at updated_at',
  installations:
    'id integration organization_id status scopes space_selection external_ids configuration created_at updated_at',
  integration_events: 'id integration installation_id created_at',
  integration_versions: 'integration version runtime script secrets icon previews published_at',
  integrations:
    'name organization_id title description visibility target scopes manifest version created_at updated_at',
  jobs: 'id name key run_at attempts locked_by locked_until error failed_at created_at for_organization',
  known_conflicts: 'change_request_id space_revision_id revision_id count',
  link_invites: 'id organization_id role space_id collection_id created_at expires_at uses uses_max',
  live_anchors: 'projection_id id anchors',
  live_links: 'projection_id from_id ordinal kind relation candidates anchor usage place',
  live_pages: 'projection_id page_id type title description path title_tsv hidden no_index document_hash',
  live_paths: 'projection_id file kind id',
  mail_languages: 'language',
  members: 'organization_id role disabled sso joined_at last_seen_at rank',
  migrations: 'name checksum breaking applied_at',
  model_use: 'organization_id hour tokens',
  notification_settings: 'kind app mail',
  notifications:
    'id event_id kind space_id change_request_id comment_id reply_id page_id in_app to_mail created_at read_at',
  oauth_clients: 'id kind name redirect_uris network created_at used_at',
  oauth_grants:
    'id client_id scopes organization_id resource expires_at created_at used_at code_hash code_expires_at code_redirect_uri code_challenge family_hash refresh_hash refresh_expires_at',
  object_blobs: 'object_hash blob_hash',
  objects: 'hash kind body touched_at',
  openapi_parts: 'version_id key body',
  openapi_specs:
    'id organization_id slug source_url source_body visibility state last_version last_processed_at last_error_code last_errors created_at updated_at source_number is_deflated unanswered next_attempt_at',
  openapi_versions: 'id spec_id hash raw format document created_at is_deflated',
  openid_providers: 'issuer last_signed_in_at last_failed_at last_failure_code last_failure_reason',
  organizations:
    'id title email_domains hostname default_role default_content logo_url sso ai invite_links created_at audit_days conversation_days second_factor',
  page_revisions: 'space_id page_id revision_id',
  password_links: 'id secret_hash is_mailed created_at expires_at used_at organization_id',
  passwords: 'hash changed_at organization_id',
  projections: 'id making unused_since',
  published_references: 'space_id source_id kind name',
  reactions: 'comment_id reply_id emoji reacted_at',
  requested_reviewers: 'change_request_id revision_id requested_at team_id',
  reviews: 'id change_request_id revision_id status outdated created_at updated_at',
  revisions: 'id space_id root_hash type parents created_at merged_from change_request_id is_standalone',
  saml_assertions: 'provider_id assertion_id expires_at',
  saml_providers:
    'id organization_id label entity_id certificate sso_url default_team_id default_role created_at updated_at attributes last_signed_in_at last_failed_at last_failure_code last_failure_reason',
  scim_groups: 'team_id organization_id external_id changed_at',
  scim_people: 'organization_id made_account changed_at',
  passkeys: 'id name credential_id public_key signatures transports created_at last_used_at',
  totp_secrets: 'secret created_at confirmed_at last_period last_used_at',
  recovery_codes: 'code_hash used_at key_id',
  sign_in_steps: 'secret_hash expires_at',
  answered_challenges: 'challenge_hash expires_at',
  sections: 'document_hash ordinal anchor heading body',
  sessions:
    'id secret_hash method organization_id token_id created_at last_used_at expires_at confirmed_at provider_id factor',
  settings: 'name value',
  share_links: 'id space_id name is_active created_at last_used_at',
  sign_in_failures: 'failures last_failed_at locked_until',
  signing_keys: 'id secret created_at retires_at revoked',
  spaces:
    'id organization_id parent_id position title emoji icon_url visibility edit_mode language default_level revision_id projection_id created_at updated_at deleted_at level_rank visitor_fallback_url search_scope',
  sso_bindings: 'provider_id issuer subject created_at',
  sso_requests: 'id provider_id next verifier nonce created_at session_id',
  team_members: 'organization_id team_id role joined_at',
  teams: 'id organization_id title created_at',
  template_files: 'template_id ref name content_type size dimensions blob_hash',
  templates: 'id organization_id title description space_id pages content_refs content created_at updated_at',
  tokens:
    'id label secret_hash scopes created_at expires_at last_used_at kind integration installation_id space_id organization_id made_with oauth_grant_id',
  unnoticed_events: 'organization_id position event_id',
  unread_objects: 'object_hash tried_at',
  uploads: 'space_id id blob_hash content_type created_at used_at',
  viewed_pages: 'change_request_id page_id hash viewed_at',
  visitor_keys: 'id space_id created_at retires_at',
  watches: 'space_id page_id change_request_id watched_at',
  webhook_deliveries:
    'webhook_id event_id type position status attempts log created_at due_at expires_at locked_until completed_at',
  webhooks:
    'id organization_id space_id url receiver description types secret paused_because failures failing_since resting_until delivered_at created_at updated_at',
}
