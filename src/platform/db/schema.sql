-- Made by tools/tables.ts from the migrations, to be read. Do not edit.

create table access_versions (
  organization_id text not null,
  version bigint not null,
  constraint access_versions_pkey PRIMARY KEY (organization_id)
);
CREATE TRIGGER access_versions_announced AFTER INSERT OR DELETE OR UPDATE ON access_versions FOR EACH ROW EXECUTE FUNCTION announce_change('organization_id');

create table agent_tasks (
  id text not null,
  space_id text not null,
  cluster_id text,
  change_request_id text,
  title text not null,
  description text not null,
  instructions jsonb not null,
  status text not null default 'backlog'::text,
  created_by text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint agent_tasks_pkey PRIMARY KEY (id),
  constraint agent_tasks_status_check CHECK ((status = ANY (ARRAY['backlog'::text, 'started'::text, 'completed'::text, 'canceled'::text]))),
  constraint agent_tasks_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE SET NULL,
  constraint agent_tasks_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES conversation_clusters(id) ON DELETE SET NULL,
  constraint agent_tasks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint agent_tasks_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX agent_tasks_change_request ON agent_tasks USING btree (change_request_id) WHERE (change_request_id IS NOT NULL);
CREATE INDEX agent_tasks_cluster ON agent_tasks USING btree (cluster_id) WHERE (cluster_id IS NOT NULL);
CREATE INDEX agent_tasks_space ON agent_tasks USING btree (space_id, updated_at DESC, id DESC);

create table answered_challenges (
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint answered_challenges_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX answered_challenges_expired ON answered_challenges USING btree (expires_at);

create table blob_holds (
  id text not null,
  ends_at timestamp with time zone not null,
  constraint blob_holds_pkey PRIMARY KEY (id)
);

create table blobs (
  hash bytea not null,
  due_at timestamp with time zone,
  removed_by text,
  removed_until timestamp with time zone,
  failures smallint not null default 0,
  is_new boolean not null default false,
  constraint blobs_pkey PRIMARY KEY (hash),
  constraint blobs_check CHECK (((removed_by IS NULL) = (removed_until IS NULL)))
);
CREATE INDEX blobs_due ON blobs USING btree (due_at) WHERE (due_at IS NOT NULL);

create table change_requests (
  id text not null,
  space_id text not null,
  number integer not null,
  status text not null default 'draft'::text,
  subject text not null default ''::text,
  description jsonb,
  revision_id text not null,
  revision_initial_id text not null,
  revision_merged_ancestor_id text,
  revision_merged_id text,
  conversations_issues_cluster text,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  merged_by text,
  merged_at timestamp with time zone,
  constraint change_requests_pkey PRIMARY KEY (id),
  constraint change_requests_number_key UNIQUE (space_id, number),
  constraint change_requests_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'archived'::text, 'merged'::text]))),
  constraint change_requests_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint change_requests_merged_by_fkey FOREIGN KEY (merged_by) REFERENCES users(id),
  constraint change_requests_revision_fkey FOREIGN KEY (revision_id) REFERENCES revisions(id) DEFERRABLE INITIALLY DEFERRED,
  constraint change_requests_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX change_requests_cluster ON change_requests USING btree (conversations_issues_cluster) WHERE (conversations_issues_cluster IS NOT NULL);
CREATE INDEX change_requests_creator ON change_requests USING btree (created_by);
CREATE INDEX change_requests_revision ON change_requests USING btree (revision_id);
CREATE INDEX change_requests_space ON change_requests USING btree (space_id, status, updated_at DESC, id DESC);
CREATE TRIGGER change_requests_announced AFTER DELETE OR UPDATE ON change_requests FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table collections (
  id text not null,
  organization_id text not null,
  parent_id text,
  position text not null,
  title text not null,
  description text not null default ''::text,
  default_level text not null default 'inherit'::text,
  level_rank smallint generated always as (
CASE default_level
    WHEN 'inherit'::text THEN NULL::integer
    WHEN 'none'::text THEN 0
    ELSE (rank_of(default_level))::integer
END) stored,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint collections_pkey PRIMARY KEY (id),
  constraint collections_organization_key UNIQUE (organization_id, id),
  constraint collections_default_level_check CHECK ((default_level = ANY (ARRAY['admin'::text, 'create'::text, 'review'::text, 'edit'::text, 'comment'::text, 'read'::text, 'none'::text, 'inherit'::text]))),
  constraint collections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint collections_parent_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES collections(organization_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX collections_parent ON collections USING btree (parent_id, organization_id, "position", id);
CREATE INDEX collections_position ON collections USING btree (organization_id, "position", id);
CREATE TRIGGER collections_access_delete AFTER DELETE ON collections REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER collections_access_insert AFTER INSERT ON collections REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER collections_access_update AFTER UPDATE ON collections FOR EACH ROW WHEN ((((old.organization_id IS DISTINCT FROM new.organization_id) OR (old.parent_id IS DISTINCT FROM new.parent_id)) OR (old.default_level IS DISTINCT FROM new.default_level))) EXECUTE FUNCTION move_access_versions_of_row();

create table comment_replies (
  id text not null,
  comment_id text not null,
  body text not null,
  posted_by text not null,
  posted_at timestamp with time zone not null default now(),
  edited_at timestamp with time zone,
  constraint comment_replies_pkey PRIMARY KEY (id),
  constraint comment_replies_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comment_replies_posted_by_fkey FOREIGN KEY (posted_by) REFERENCES users(id)
);
CREATE INDEX comment_replies_comment ON comment_replies USING btree (comment_id, posted_at, id);
CREATE INDEX comment_replies_contributor ON comment_replies USING btree (posted_by, comment_id);

create table comments (
  id text not null,
  space_id text not null,
  change_request_id text,
  review_id text,
  revision_id text not null,
  page_id text,
  node text,
  table_record text,
  table_definition text,
  outdated boolean not null default false,
  body text not null,
  posted_by text not null,
  posted_at timestamp with time zone not null default now(),
  edited_at timestamp with time zone,
  resolved_at timestamp with time zone,
  resolved_by text,
  range_quote text,
  range_prefix text,
  range_suffix text,
  suggestion_before text,
  suggestion_after text,
  applied_at timestamp with time zone,
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_range CHECK ((num_nonnulls(range_quote, range_prefix, range_suffix) = ANY (ARRAY[0, 3]))),
  constraint comments_suggestion CHECK ((num_nonnulls(suggestion_before, suggestion_after) = ANY (ARRAY[0, 2]))),
  constraint comments_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint comments_posted_by_fkey FOREIGN KEY (posted_by) REFERENCES users(id),
  constraint comments_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES users(id),
  constraint comments_review_id_fkey FOREIGN KEY (review_id) REFERENCES reviews(id) ON DELETE CASCADE,
  constraint comments_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX comments_anchored ON comments USING btree (space_id, change_request_id, page_id) WHERE (page_id IS NOT NULL);
CREATE INDEX comments_author ON comments USING btree (posted_by, id);
CREATE INDEX comments_change_request ON comments USING btree (change_request_id, posted_at DESC, id DESC) WHERE (change_request_id IS NOT NULL);
CREATE INDEX comments_contributor ON comments USING btree (posted_by, change_request_id) WHERE (change_request_id IS NOT NULL);
CREATE INDEX comments_in_space ON comments USING btree (space_id);
CREATE INDEX comments_open ON comments USING btree (space_id, change_request_id) WHERE (resolved_at IS NULL);
CREATE INDEX comments_review ON comments USING btree (review_id) WHERE (review_id IS NOT NULL);
CREATE INDEX comments_space ON comments USING btree (space_id, posted_at DESC, id DESC) WHERE (change_request_id IS NULL);
CREATE TRIGGER comments_announced AFTER INSERT OR DELETE OR UPDATE OF change_request_id, resolved_at ON comments FOR EACH ROW EXECUTE FUNCTION announce_change('change_request_id');

create table conversation_clusters (
  id text not null,
  organization_id text not null,
  label text not null,
  summary text not null,
  icon text not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint conversation_clusters_pkey PRIMARY KEY (id),
  constraint conversation_clusters_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'analysing'::text, 'described'::text]))),
  constraint conversation_clusters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX conversation_clusters_newest ON conversation_clusters USING btree (organization_id, updated_at DESC, id DESC);

create table conversation_issues (
  id text not null,
  organization_id text not null,
  conversation_id text not null,
  cluster_id text,
  position integer not null,
  title text not null,
  summary text not null,
  body text not null,
  created_at timestamp with time zone not null,
  ingested_at timestamp with time zone not null default now(),
  constraint conversation_issues_pkey PRIMARY KEY (id),
  constraint conversation_issues_position_key UNIQUE (conversation_id, "position"),
  constraint conversation_issues_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES conversation_clusters(id) ON DELETE SET NULL,
  constraint conversation_issues_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint conversation_issues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX conversation_issues_cluster ON conversation_issues USING btree (cluster_id, created_at DESC) WHERE (cluster_id IS NOT NULL);
CREATE INDEX conversation_issues_newest ON conversation_issues USING btree (organization_id, created_at DESC, id DESC);

create table conversations (
  id text not null,
  organization_id text not null,
  source text not null,
  external_id text not null,
  subject text,
  url text,
  attributes jsonb,
  parts jsonb not null,
  characters integer not null,
  created_at timestamp with time zone not null,
  is_dated boolean not null,
  processed_at timestamp with time zone,
  version integer not null default 1,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_source_key UNIQUE (organization_id, source, external_id),
  constraint conversations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX conversations_newest ON conversations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX conversations_oldest ON conversations USING btree (organization_id, created_at, id);
CREATE INDEX conversations_waiting ON conversations USING btree (organization_id, id) WHERE (processed_at IS NULL);

create table document_links (
  document_hash bytea not null,
  links text not null,
  making smallint not null,
  constraint document_links_pkey PRIMARY KEY (document_hash)
);

create table document_words (
  document_hash bytea not null,
  words tsvector not null,
  making smallint not null,
  constraint document_words_pkey PRIMARY KEY (document_hash)
);
CREATE INDEX document_words_making ON document_words USING btree (making);
CREATE INDEX document_words_words ON document_words USING gin (words);

create table embedded_sections (
  document_hash bytea not null,
  ordinal integer not null,
  model text not null,
  text_hash bytea not null,
  making smallint not null default 0,
  constraint embedded_sections_pkey PRIMARY KEY (document_hash, ordinal, model),
  constraint embedded_sections_document_hash_ordinal_fkey FOREIGN KEY (document_hash, ordinal) REFERENCES sections(document_hash, ordinal) ON DELETE CASCADE,
  constraint embedded_sections_model_text_hash_fkey FOREIGN KEY (model, text_hash) REFERENCES embeddings(model, text_hash)
);
CREATE INDEX embedded_sections_texts ON embedded_sections USING btree (model, text_hash);

create table embeddings (
  model text not null,
  text_hash bytea not null,
  vector bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint embeddings_pkey PRIMARY KEY (model, text_hash)
);

create table erasures (
  user_id text not null,
  begun_at timestamp with time zone not null default now(),
  name text,
  completed_at timestamp with time zone,
  constraint erasures_pkey PRIMARY KEY (user_id),
  constraint erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table event_arrivals (
  event_id text not null,
  number bigint not null generated by default as identity,
  organization_id text not null,
  space_id text,
  type text not null,
  constraint event_arrivals_pkey PRIMARY KEY (event_id)
);
CREATE TRIGGER event_arrivals_announced AFTER INSERT ON event_arrivals FOR EACH ROW EXECUTE FUNCTION announce_arrival();

create table event_positions (
  organization_id text not null,
  position bigint not null,
  event_id text not null,
  space_id text,
  type text not null,
  constraint event_positions_pkey PRIMARY KEY (organization_id, "position")
);

create table events (
  id text not null,
  type text not null,
  organization_id text,
  space_id text,
  actor_id text,
  payload jsonb not null,
  occurred_at timestamp with time zone not null default now(),
  actor_kind text,
  source text not null default 'api'::text,
  address text,
  token_id text,
  request_id text,
  constraint events_pkey PRIMARY KEY (id),
  constraint events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'integration'::text, 'installation'::text]))),
  constraint events_source_check CHECK ((source = ANY (ARRAY['ui'::text, 'api'::text, 'integration'::text, 'script'::text])))
);
CREATE INDEX events_about ON events USING btree (((payload ->> 'user'::text)), occurred_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND ((payload ->> 'user'::text) IS NOT NULL));
CREATE INDEX events_actor ON events USING btree (organization_id, actor_id, occurred_at DESC, id DESC);
CREATE INDEX events_change_request ON events USING btree (((payload ->> 'changeRequest'::text)), occurred_at, id) WHERE ((payload ->> 'changeRequest'::text) IS NOT NULL);
CREATE INDEX events_organization ON events USING btree (organization_id, occurred_at DESC, id DESC);
CREATE INDEX events_person ON events USING btree (COALESCE((payload ->> 'user'::text), actor_id), occurred_at DESC, id DESC) WHERE (organization_id IS NULL);
CREATE INDEX events_type ON events USING btree (organization_id, type, occurred_at DESC, id DESC);
CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();

create table first_sign_ins (
  user_id text not null,
  signed_in_at timestamp with time zone not null default now(),
  constraint first_sign_ins_pkey PRIMARY KEY (user_id),
  constraint first_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table git_branches (
  change_request_id text not null,
  space_id text not null,
  name text not null,
  constraint git_branches_pkey PRIMARY KEY (change_request_id),
  constraint git_branches_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint git_branches_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX git_branches_space ON git_branches USING btree (space_id);

create table git_commits (
  revision_id text not null,
  space_id text not null,
  oid text not null,
  author_name text not null,
  author_email text not null,
  message text not null,
  summary_root bytea not null,
  is_pushed boolean not null default false,
  onto text,
  constraint git_commits_pkey PRIMARY KEY (revision_id),
  constraint git_commits_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES revisions(id) ON DELETE CASCADE,
  constraint git_commits_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX git_commits_oid ON git_commits USING btree (space_id, oid);
CREATE INDEX git_commits_space ON git_commits USING btree (space_id);

create table git_histories (
  space_id text not null,
  oid text not null,
  url text not null,
  blob_hash bytea,
  left_out text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint git_histories_pkey PRIMARY KEY (space_id, oid),
  constraint git_histories_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX git_histories_blob ON git_histories USING btree (blob_hash);
CREATE TRIGGER git_histories_changed AFTER UPDATE ON git_histories REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();
CREATE TRIGGER git_histories_deleted AFTER DELETE ON git_histories REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();

create table git_known_commits (
  space_id text not null,
  project_directory text not null,
  oid text not null,
  constraint git_known_commits_pkey PRIMARY KEY (space_id, project_directory, oid),
  constraint git_known_commits_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);

create table git_links (
  space_id text not null,
  provider text,
  url text,
  repo_name text,
  ref text not null,
  project_directory text not null default ''::text,
  commit_oid text,
  revision_id text,
  event_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint git_links_pkey PRIMARY KEY (space_id),
  constraint git_links_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE TRIGGER git_links_announced AFTER INSERT OR DELETE OR UPDATE ON git_links FOR EACH ROW EXECUTE FUNCTION announce_change('space_id');

create table git_operations (
  id text not null,
  space_id text not null,
  direction text not null,
  state text not null,
  stage text not null,
  dispatched_tasks integer not null default 0,
  completed_tasks integer not null default 0,
  url text not null,
  ref text not null,
  commit_oid text,
  revision_id text,
  is_skipped boolean not null default false,
  error_code text,
  error text,
  problems jsonb not null default '[]'::jsonb,
  created_by text,
  started_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  is_disconnected boolean not null default false,
  layout text,
  change_request_id text,
  constraint git_operations_pkey PRIMARY KEY (id),
  constraint git_operations_direction_check CHECK ((direction = ANY (ARRAY['import'::text, 'export'::text]))),
  constraint git_operations_state_check CHECK ((state = ANY (ARRAY['running'::text, 'failure'::text, 'success'::text]))),
  constraint git_operations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint git_operations_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX git_operations_creator ON git_operations USING btree (created_by, id) WHERE (created_by IS NOT NULL);
CREATE INDEX git_operations_running ON git_operations USING btree (updated_at) WHERE (state = 'running'::text);
CREATE INDEX git_operations_space ON git_operations USING btree (space_id, started_at DESC, id DESC);

create table git_packs (
  space_id text not null,
  blob_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint git_packs_pkey PRIMARY KEY (space_id, blob_hash),
  constraint git_packs_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX git_packs_blob ON git_packs USING btree (blob_hash);
CREATE TRIGGER git_packs_changed AFTER UPDATE ON git_packs REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();
CREATE TRIGGER git_packs_deleted AFTER DELETE ON git_packs REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();

create table git_sync_proposals (
  space_id text not null,
  change_request_id text not null,
  constraint git_sync_proposals_pkey PRIMARY KEY (space_id, change_request_id),
  constraint git_sync_proposals_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint git_sync_proposals_space_id_fkey FOREIGN KEY (space_id) REFERENCES git_syncs(space_id) ON DELETE CASCADE
);
CREATE INDEX git_sync_proposals_change_request ON git_sync_proposals USING btree (change_request_id);

create table git_syncs (
  space_id text not null,
  url text not null,
  ref text not null,
  project_directory text not null default ''::text,
  secrets bytea not null,
  owner_id text,
  pull_every_minutes integer,
  pushes boolean not null,
  pull_due_at timestamp with time zone default now(),
  push_due_at timestamp with time zone,
  locked_by text,
  locked_until timestamp with time zone,
  failures integer not null default 0,
  error_code text,
  error text,
  pulled_at timestamp with time zone,
  pushed_at timestamp with time zone,
  change_request_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint git_syncs_pkey PRIMARY KEY (space_id),
  constraint git_syncs_pull_every_minutes_check CHECK ((pull_every_minutes > 0)),
  constraint git_syncs_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE SET NULL,
  constraint git_syncs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint git_syncs_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX git_syncs_change_request ON git_syncs USING btree (change_request_id) WHERE (change_request_id IS NOT NULL);
CREATE INDEX git_syncs_due ON git_syncs USING btree (LEAST(pull_due_at, push_due_at));
CREATE INDEX git_syncs_owner ON git_syncs USING btree (owner_id) WHERE (owner_id IS NOT NULL);

create table git_tips (
  space_id text not null,
  address text not null,
  ref text not null,
  project_directory text not null,
  commit_oid text,
  revision_id text not null,
  event_at timestamp with time zone,
  change_request_id text,
  is_forgotten boolean not null default false,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint git_tips_pkey PRIMARY KEY (space_id, address, ref, project_directory),
  constraint git_tips_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);

create table glossaries (
  organization_id text not null,
  version bigint not null default 1,
  constraint glossaries_pkey PRIMARY KEY (organization_id),
  constraint glossaries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE TRIGGER glossaries_announced AFTER INSERT OR DELETE OR UPDATE ON glossaries FOR EACH ROW EXECUTE FUNCTION announce_change('organization_id');

create table glossary_entries (
  id text not null,
  organization_id text not null,
  translations jsonb not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint glossary_entries_pkey PRIMARY KEY (id),
  constraint glossary_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX glossary_entries_newest ON glossary_entries USING btree (organization_id, created_at DESC, id DESC);

create table gone_paths (
  projection_id text not null,
  file text not null,
  kind text not null,
  id text not null,
  record text not null,
  path text not null default ''::text,
  gone_at timestamp with time zone not null default now(),
  constraint gone_paths_kind_check CHECK ((kind = ANY (ARRAY['page'::text, 'file'::text, 'reusable-content'::text]))),
  constraint gone_paths_projection_id_fkey FOREIGN KEY (projection_id) REFERENCES projections(id) ON DELETE CASCADE
);
CREATE INDEX gone_paths_oldest ON gone_paths USING btree (projection_id, gone_at);
CREATE UNIQUE INDEX gone_paths_file ON gone_paths USING btree (projection_id, md5(file));

create table grants (
  id text not null,
  organization_id text not null,
  space_id text,
  collection_id text,
  user_id text,
  team_id text,
  role text not null,
  rank smallint not null generated always as (COALESCE((rank_of(role))::integer, 0)) stored,
  created_at timestamp with time zone not null default now(),
  constraint grants_pkey PRIMARY KEY (id),
  constraint grants_check CHECK ((num_nonnulls(space_id, collection_id) = 1)),
  constraint grants_check1 CHECK ((num_nonnulls(user_id, team_id) = 1)),
  constraint grants_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'create'::text, 'review'::text, 'edit'::text, 'comment'::text, 'read'::text, 'none'::text]))),
  constraint grants_collection_fkey FOREIGN KEY (organization_id, collection_id) REFERENCES collections(organization_id, id) ON DELETE CASCADE,
  constraint grants_space_fkey FOREIGN KEY (organization_id, space_id) REFERENCES spaces(organization_id, id) ON DELETE CASCADE,
  constraint grants_team_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE,
  constraint grants_user_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX grants_collection ON grants USING btree (collection_id) WHERE (collection_id IS NOT NULL);
CREATE INDEX grants_space ON grants USING btree (space_id) WHERE (space_id IS NOT NULL);
CREATE INDEX grants_team ON grants USING btree (organization_id, team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX grants_user ON grants USING btree (organization_id, user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX grants_collection_team ON grants USING btree (collection_id, team_id) WHERE ((collection_id IS NOT NULL) AND (team_id IS NOT NULL));
CREATE UNIQUE INDEX grants_collection_user ON grants USING btree (collection_id, user_id) WHERE ((collection_id IS NOT NULL) AND (user_id IS NOT NULL));
CREATE UNIQUE INDEX grants_space_team ON grants USING btree (space_id, team_id) WHERE ((space_id IS NOT NULL) AND (team_id IS NOT NULL));
CREATE UNIQUE INDEX grants_space_user ON grants USING btree (space_id, user_id) WHERE ((space_id IS NOT NULL) AND (user_id IS NOT NULL));
CREATE TRIGGER grants_access_delete AFTER DELETE ON grants REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER grants_access_insert AFTER INSERT ON grants REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER grants_access_update AFTER UPDATE ON grants REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();

create table idempotency_keys (
  user_id text not null,
  key_hash bytea not null,
  request_hash bytea not null,
  state text not null default 'running'::text,
  claim_id text not null,
  claimed_until timestamp with time zone not null,
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key_hash),
  constraint idempotency_keys_state_check CHECK ((state = ANY (ARRAY['running'::text, 'committed'::text, 'answered'::text, 'withheld'::text])))
);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);

create table installation_spaces (
  installation_id text not null,
  space_id text not null,
  external_ids text[] not null default '{}'::text[],
  configuration jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint installation_spaces_pkey PRIMARY KEY (installation_id, space_id),
  constraint installation_spaces_installation_id_fkey FOREIGN KEY (installation_id) REFERENCES installations(id) ON DELETE CASCADE,
  constraint installation_spaces_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX installation_spaces_space ON installation_spaces USING btree (space_id);
CREATE TRIGGER installation_spaces_announced AFTER INSERT OR DELETE OR UPDATE OF installation_id, space_id ON installation_spaces FOR EACH ROW EXECUTE FUNCTION announce_change('installation_id');

create table installations (
  id text not null,
  integration text not null,
  organization_id text not null,
  status text not null default 'active'::text,
  scopes text[] not null,
  space_selection text not null default 'all'::text,
  external_ids text[] not null default '{}'::text[],
  configuration jsonb not null default '{}'::jsonb,
  created_by text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint installations_pkey PRIMARY KEY (id),
  constraint installations_integration_key UNIQUE (integration, organization_id),
  constraint installations_space_selection_check CHECK ((space_selection = ANY (ARRAY['all'::text, 'selected'::text]))),
  constraint installations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'pending'::text, 'paused'::text]))),
  constraint installations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint installations_integration_fkey FOREIGN KEY (integration) REFERENCES integrations(name) ON DELETE CASCADE,
  constraint installations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX installations_organization ON installations USING btree (organization_id, id);
CREATE TRIGGER installations_announced AFTER DELETE OR UPDATE ON installations FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table integration_events (
  id text not null,
  integration text not null,
  installation_id text not null,
  payload jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint integration_events_pkey PRIMARY KEY (id),
  constraint integration_events_integration_fkey FOREIGN KEY (integration) REFERENCES integrations(name) ON DELETE CASCADE
);
CREATE INDEX integration_events_listed ON integration_events USING btree (integration, created_at DESC, id DESC);

create table integration_versions (
  integration text not null,
  version integer not null,
  runtime text not null,
  script text not null,
  secrets bytea,
  icon bytea,
  previews bytea[] not null default '{}'::bytea[],
  published_by text,
  published_at timestamp with time zone not null default now(),
  constraint integration_versions_pkey PRIMARY KEY (integration, version),
  constraint integration_versions_runtime_check CHECK ((runtime = ANY (ARRAY['v1'::text, 'v2'::text]))),
  constraint integration_versions_integration_fkey FOREIGN KEY (integration) REFERENCES integrations(name) ON DELETE CASCADE,
  constraint integration_versions_published_by_fkey FOREIGN KEY (published_by) REFERENCES users(id) ON DELETE SET NULL
);

create table integrations (
  name text not null,
  organization_id text not null,
  title text not null,
  description text not null,
  visibility text not null default 'private'::text,
  target text not null default 'all'::text,
  scopes text[] not null,
  manifest jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint integrations_pkey PRIMARY KEY (name),
  constraint integrations_target_check CHECK ((target = ANY (ARRAY['all'::text, 'site'::text, 'space'::text, 'organization'::text]))),
  constraint integrations_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text, 'unlisted'::text]))),
  constraint integrations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX integrations_organization ON integrations USING btree (organization_id, name);
CREATE TRIGGER integrations_announced AFTER DELETE OR UPDATE ON integrations FOR EACH ROW EXECUTE FUNCTION announce_change('name');

create table jobs (
  id text not null,
  name text not null,
  key text,
  data jsonb not null,
  run_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  locked_by text,
  locked_until timestamp with time zone,
  error text,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  for_organization text,
  for_person text,
  constraint jobs_pkey PRIMARY KEY (id)
);
CREATE INDEX jobs_due ON jobs USING btree (run_at) WHERE (failed_at IS NULL);
CREATE INDEX jobs_failed ON jobs USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE UNIQUE INDEX jobs_waiting_key ON jobs USING btree (name, key) WHERE ((locked_until IS NULL) AND (failed_at IS NULL));

create table known_conflicts (
  change_request_id text not null,
  space_revision_id text not null,
  revision_id text not null,
  count integer not null,
  constraint known_conflicts_pkey PRIMARY KEY (change_request_id),
  constraint known_conflicts_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE
);

create table link_invites (
  id text not null,
  organization_id text not null,
  role text,
  space_id text,
  collection_id text,
  created_by text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  uses integer not null default 0,
  uses_max integer,
  constraint link_invites_pkey PRIMARY KEY (id),
  constraint link_invites_check CHECK ((num_nonnulls(space_id, collection_id) <= 1)),
  constraint link_invites_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'create'::text, 'review'::text, 'edit'::text, 'comment'::text, 'read'::text]))),
  constraint link_invites_uses_max_check CHECK ((uses_max > 0)),
  constraint link_invites_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint link_invites_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint link_invites_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint link_invites_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX link_invites_collection ON link_invites USING btree (collection_id) WHERE (collection_id IS NOT NULL);
CREATE INDEX link_invites_organization ON link_invites USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX link_invites_space ON link_invites USING btree (space_id) WHERE (space_id IS NOT NULL);

create table live_anchors (
  projection_id text not null,
  id text not null,
  anchors text[] not null,
  constraint live_anchors_pkey PRIMARY KEY (projection_id, id),
  constraint live_anchors_projection_id_fkey FOREIGN KEY (projection_id) REFERENCES projections(id) ON DELETE CASCADE
);

create table live_links (
  projection_id text not null,
  from_id text not null,
  ordinal integer not null,
  kind text not null,
  relation text not null,
  destination text not null,
  candidates text[] not null default '{}'::text[],
  anchor text,
  usage text not null default 'link'::text,
  place text,
  constraint live_links_pkey PRIMARY KEY (projection_id, from_id, ordinal),
  constraint live_links_kind_check CHECK ((kind = ANY (ARRAY['url'::text, 'path'::text, 'anchor'::text, 'space'::text, 'openapi'::text, 'user'::text, 'collection'::text, 'broken'::text]))),
  constraint live_links_relation_check CHECK ((relation = ANY (ARRAY['reference'::text, 'dependsOn'::text]))),
  constraint live_links_usage_check CHECK ((usage = ANY (ARRAY['link'::text, 'image'::text, 'include'::text, 'openapi'::text]))),
  constraint live_links_projection_id_fkey FOREIGN KEY (projection_id) REFERENCES projections(id) ON DELETE CASCADE
);
CREATE INDEX live_links_candidates ON live_links USING gin (candidates);
CREATE INDEX live_links_includes ON live_links USING btree (projection_id, from_id) WHERE (usage = 'include'::text);

create table live_pages (
  projection_id text not null,
  page_id text not null,
  type text not null,
  title text not null,
  description text not null default ''::text,
  path text not null,
  title_tsv tsvector not null,
  hidden boolean not null default false,
  no_index boolean not null default false,
  document_hash bytea,
  constraint live_pages_pkey PRIMARY KEY (projection_id, page_id),
  constraint live_pages_projection_id_fkey FOREIGN KEY (projection_id) REFERENCES projections(id) ON DELETE CASCADE
);
CREATE INDEX live_pages_computed ON live_pages USING btree (projection_id) WHERE (type = 'computed'::text);
CREATE INDEX live_pages_document ON live_pages USING btree (document_hash, projection_id);
CREATE INDEX live_pages_title ON live_pages USING gin (title_tsv);

create table live_paths (
  projection_id text not null,
  file text not null,
  kind text not null,
  id text not null,
  constraint live_paths_pkey PRIMARY KEY (projection_id, id),
  constraint live_paths_kind_check CHECK ((kind = ANY (ARRAY['page'::text, 'file'::text, 'reusable-content'::text]))),
  constraint live_paths_projection_id_fkey FOREIGN KEY (projection_id) REFERENCES projections(id) ON DELETE CASCADE
);
CREATE INDEX live_paths_file ON live_paths USING btree (projection_id, md5(file));

create table mail_languages (
  user_id text not null,
  language text not null,
  constraint mail_languages_pkey PRIMARY KEY (user_id),
  constraint mail_languages_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint mail_languages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table members (
  organization_id text not null,
  user_id text not null,
  role text,
  disabled boolean not null default false,
  sso boolean not null default false,
  joined_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone,
  rank smallint not null generated always as (COALESCE((rank_of(role))::integer, 0)) stored,
  constraint members_pkey PRIMARY KEY (organization_id, user_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'create'::text, 'review'::text, 'edit'::text, 'comment'::text, 'read'::text]))),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX members_joined ON members USING btree (organization_id, joined_at, user_id);
CREATE INDEX members_user ON members USING btree (user_id);
CREATE TRIGGER members_access_delete AFTER DELETE ON members REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER members_access_insert AFTER INSERT ON members REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER members_access_update AFTER UPDATE ON members FOR EACH ROW WHEN ((((old.role IS DISTINCT FROM new.role) OR (old.disabled IS DISTINCT FROM new.disabled)) OR (old.sso IS DISTINCT FROM new.sso))) EXECUTE FUNCTION move_access_versions_of_row();
CREATE TRIGGER members_announced AFTER INSERT OR DELETE OR UPDATE OF role, disabled, sso ON members FOR EACH ROW EXECUTE FUNCTION announce_change('user_id');

create table migrations (
  name text not null,
  checksum text not null,
  breaking boolean not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table model_use (
  organization_id text not null,
  hour timestamp with time zone not null,
  tokens bigint not null,
  constraint model_use_pkey PRIMARY KEY (organization_id, hour),
  constraint model_use_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX model_use_hour ON model_use USING btree (hour);

create table notification_settings (
  user_id text not null,
  kind text not null,
  app boolean not null,
  mail boolean not null,
  constraint notification_settings_pkey PRIMARY KEY (user_id, kind),
  constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table notifications (
  id text not null,
  user_id text not null,
  event_id text not null,
  kind text not null,
  actor_id text,
  space_id text not null,
  change_request_id text,
  comment_id text,
  reply_id text,
  page_id text,
  in_app boolean not null,
  to_mail boolean not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  read_at timestamp with time zone,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_event UNIQUE (event_id, user_id),
  constraint notifications_kind_check CHECK ((kind = ANY (ARRAY['mention'::text, 'review-requested'::text, 'review-given'::text, 'comment'::text, 'merged'::text, 'conflict'::text, 'import-failed'::text]))),
  constraint notifications_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint notifications_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint notifications_reply_id_fkey FOREIGN KEY (reply_id) REFERENCES comment_replies(id) ON DELETE CASCADE,
  constraint notifications_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notifications_age ON notifications USING btree (created_at);
CREATE INDEX notifications_change_request ON notifications USING btree (change_request_id) WHERE (change_request_id IS NOT NULL);
CREATE INDEX notifications_comment ON notifications USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX notifications_reply ON notifications USING btree (reply_id) WHERE (reply_id IS NOT NULL);
CREATE INDEX notifications_space ON notifications USING btree (space_id);
CREATE INDEX notifications_to_mail ON notifications USING btree (user_id) WHERE to_mail;
CREATE INDEX notifications_unread ON notifications USING btree (user_id) WHERE (read_at IS NULL);
CREATE INDEX notifications_user ON notifications USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER notifications_announced AFTER INSERT OR UPDATE OF read_at ON notifications FOR EACH ROW EXECUTE FUNCTION announce_notification();

create table oauth_clients (
  id text not null,
  kind text not null,
  name text not null,
  redirect_uris text[] not null,
  network text,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_kind_check CHECK ((kind = ANY (ARRAY['registered'::text, 'document'::text]))),
  constraint oauth_clients_network_check CHECK (((kind = 'registered'::text) = (network IS NOT NULL)))
);
CREATE INDEX oauth_clients_unused ON oauth_clients USING btree (network) WHERE (used_at IS NULL);

create table oauth_grants (
  id text not null,
  user_id text not null,
  client_id text not null,
  scopes text[] not null,
  organization_id text,
  resource text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  code_hash bytea not null,
  code_expires_at timestamp with time zone not null,
  code_redirect_uri text not null,
  code_challenge text not null,
  family_hash bytea,
  refresh_hash bytea,
  refresh_expires_at timestamp with time zone,
  constraint oauth_grants_pkey PRIMARY KEY (id),
  constraint oauth_grants_code UNIQUE (code_hash),
  constraint oauth_grants_family UNIQUE (family_hash),
  constraint oauth_grants_refresh_check CHECK ((num_nulls(family_hash, refresh_hash, refresh_expires_at) = ANY (ARRAY[0, 3]))),
  constraint oauth_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id) ON DELETE CASCADE,
  constraint oauth_grants_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_grants_client ON oauth_grants USING btree (client_id);
CREATE INDEX oauth_grants_organization ON oauth_grants USING btree (organization_id) WHERE (organization_id IS NOT NULL);
CREATE INDEX oauth_grants_user ON oauth_grants USING btree (user_id, created_at DESC, id DESC);

create table object_blobs (
  object_hash bytea not null,
  blob_hash bytea not null,
  constraint object_blobs_pkey PRIMARY KEY (object_hash, blob_hash),
  constraint object_blobs_object_hash_fkey FOREIGN KEY (object_hash) REFERENCES objects(hash) ON DELETE CASCADE
);
CREATE INDEX object_blobs_blob ON object_blobs USING btree (blob_hash);
CREATE TRIGGER object_blobs_changed AFTER UPDATE ON object_blobs REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();
CREATE TRIGGER object_blobs_deleted AFTER DELETE ON object_blobs REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();

create table objects (
  hash bytea not null,
  kind text not null,
  body bytea not null,
  touched_at timestamp with time zone not null default now(),
  constraint objects_pkey PRIMARY KEY (hash),
  constraint objects_kind_check CHECK ((kind = ANY (ARRAY['document'::text, 'node'::text])))
);

create table openapi_parts (
  version_id text not null,
  key bytea not null,
  body bytea not null,
  constraint openapi_parts_pkey PRIMARY KEY (version_id, key),
  constraint openapi_parts_version_id_fkey FOREIGN KEY (version_id) REFERENCES openapi_versions(id) ON DELETE CASCADE
);

create table openapi_specs (
  id text not null,
  organization_id text not null,
  slug text not null,
  source_url text,
  source_body bytea,
  visibility text not null default 'private'::text,
  state text not null default 'pending'::text,
  last_version text,
  last_processed_at timestamp with time zone,
  last_error_code text,
  last_errors jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  source_number integer not null default 1,
  is_deflated boolean not null default false,
  unanswered integer not null default 0,
  next_attempt_at timestamp with time zone,
  constraint openapi_specs_pkey PRIMARY KEY (id),
  constraint openapi_specs_organization_id_slug_key UNIQUE (organization_id, slug),
  constraint openapi_specs_check CHECK (((source_url IS NULL) <> (source_body IS NULL))),
  constraint openapi_specs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX openapi_specs_fetched ON openapi_specs USING btree (COALESCE(last_processed_at, updated_at)) WHERE (source_url IS NOT NULL);
CREATE INDEX openapi_specs_newest ON openapi_specs USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX openapi_specs_retried ON openapi_specs USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

create table openapi_versions (
  id text not null,
  spec_id text not null,
  hash bytea not null,
  raw bytea not null,
  format text not null,
  document bytea not null,
  created_at timestamp with time zone not null default now(),
  is_deflated boolean not null default false,
  constraint openapi_versions_pkey PRIMARY KEY (id),
  constraint openapi_versions_spec_id_fkey FOREIGN KEY (spec_id) REFERENCES openapi_specs(id) ON DELETE CASCADE
);
CREATE INDEX openapi_versions_newest ON openapi_versions USING btree (spec_id, created_at DESC, id DESC);

create table openid_providers (
  issuer text not null,
  last_signed_in_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_failure_code text,
  last_failure_reason text,
  constraint openid_providers_pkey PRIMARY KEY (issuer)
);

create table organizations (
  id text not null,
  title text not null,
  email_domains text[] not null default '{}'::text[],
  hostname text,
  default_role text,
  default_content jsonb,
  logo_url text,
  sso boolean not null default false,
  ai boolean not null default true,
  invite_links boolean not null default true,
  merge_rules jsonb not null default '{"type": "none"}'::jsonb,
  created_at timestamp with time zone not null default now(),
  second_factor boolean not null default false,
  audit_days integer,
  conversation_days integer,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_hostname_key UNIQUE (hostname),
  constraint organizations_audit_days_check CHECK ((audit_days > 0)),
  constraint organizations_conversation_days_check CHECK ((conversation_days > 0))
);
CREATE TRIGGER organizations_announced AFTER DELETE OR UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table page_revisions (
  space_id text not null,
  page_id text not null,
  revision_id text not null,
  constraint page_revisions_pkey PRIMARY KEY (space_id, page_id, revision_id),
  constraint page_revisions_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);

create table passkeys (
  id text not null,
  user_id text not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  signatures bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id, created_at, id);

create table password_links (
  id text not null,
  user_id text not null,
  secret_hash bytea not null,
  is_mailed boolean not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  organization_id text,
  created_by text,
  constraint password_links_pkey PRIMARY KEY (id),
  constraint password_links_secret_key UNIQUE (secret_hash),
  constraint password_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint password_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_links_created_by ON password_links USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX password_links_organization ON password_links USING btree (organization_id, user_id) WHERE (organization_id IS NOT NULL);
CREATE INDEX password_links_user ON password_links USING btree (user_id);

create table passwords (
  user_id text not null,
  hash text not null,
  changed_at timestamp with time zone not null default now(),
  organization_id text,
  constraint passwords_pkey PRIMARY KEY (user_id),
  constraint passwords_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passwords_organization ON passwords USING btree (organization_id) WHERE (organization_id IS NOT NULL);

create table projections (
  id text not null,
  making smallint not null default 0,
  unused_since timestamp with time zone,
  constraint projections_pkey PRIMARY KEY (id)
);
CREATE INDEX projections_unused ON projections USING btree (unused_since) WHERE (unused_since IS NOT NULL);

create table published_references (
  space_id text not null,
  source_id text not null,
  kind text not null,
  name text not null,
  constraint published_references_pkey PRIMARY KEY (space_id, source_id, kind, name),
  constraint published_references_kind_check CHECK ((kind = 'openapi'::text)),
  constraint published_references_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX published_references_name ON published_references USING btree (space_id, kind, name);

create table reactions (
  comment_id text,
  reply_id text,
  emoji text not null,
  user_id text not null,
  reacted_at timestamp with time zone not null default now(),
  constraint reactions_check CHECK (((comment_id IS NULL) <> (reply_id IS NULL))),
  constraint reactions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint reactions_reply_id_fkey FOREIGN KEY (reply_id) REFERENCES comment_replies(id) ON DELETE CASCADE,
  constraint reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX reactions_person ON reactions USING btree (user_id, COALESCE(comment_id, reply_id), emoji);
CREATE UNIQUE INDEX reactions_comment ON reactions USING btree (comment_id, emoji, user_id) WHERE (comment_id IS NOT NULL);
CREATE UNIQUE INDEX reactions_reply ON reactions USING btree (reply_id, emoji, user_id) WHERE (reply_id IS NOT NULL);

create table recovery_codes (
  user_id text not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  key_id text,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_keys(id) ON DELETE CASCADE,
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_key ON recovery_codes USING btree (key_id);

create table requested_reviewers (
  change_request_id text not null,
  user_id text,
  revision_id text not null,
  requested_by text not null,
  requested_at timestamp with time zone not null default now(),
  team_id text,
  constraint requested_reviewers_teams UNIQUE (change_request_id, team_id),
  constraint requested_reviewers_users UNIQUE (change_request_id, user_id),
  constraint requested_reviewers_one CHECK ((num_nonnulls(user_id, team_id) = 1)),
  constraint requested_reviewers_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint requested_reviewers_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint requested_reviewers_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE,
  constraint requested_reviewers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX requested_reviewers_team ON requested_reviewers USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX requested_reviewers_user ON requested_reviewers USING btree (user_id);

create table reviews (
  id text not null,
  change_request_id text not null,
  revision_id text not null,
  reviewer_id text not null,
  requested_by text,
  status text not null,
  outdated boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_status_check CHECK ((status = ANY (ARRAY['approved'::text, 'changes-requested'::text]))),
  constraint reviews_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint reviews_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint reviews_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES users(id)
);
CREATE INDEX reviews_change_request ON reviews USING btree (change_request_id, created_at DESC, id DESC);
CREATE INDEX reviews_reviewer ON reviews USING btree (reviewer_id, id);
CREATE UNIQUE INDEX reviews_current_key ON reviews USING btree (change_request_id, reviewer_id) WHERE (NOT outdated);

create table revisions (
  id text not null,
  space_id text not null,
  root_hash bytea not null,
  type text not null,
  parents text[] not null,
  created_at timestamp with time zone not null default now(),
  created_by text,
  merged_from text,
  git jsonb,
  change_request_id text,
  is_standalone boolean not null default false,
  constraint revisions_pkey PRIMARY KEY (id),
  constraint revisions_type_check CHECK ((type = ANY (ARRAY['edits'::text, 'merge'::text, 'rollback'::text, 'update'::text, 'computed'::text]))),
  constraint revisions_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint revisions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint revisions_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX revisions_change_request ON revisions USING btree (change_request_id, created_at DESC) WHERE (change_request_id IS NOT NULL);
CREATE INDEX revisions_contributor ON revisions USING btree (created_by, change_request_id) WHERE (change_request_id IS NOT NULL);
CREATE INDEX revisions_creator ON revisions USING btree (created_by, id) WHERE (created_by IS NOT NULL);
CREATE INDEX revisions_history ON revisions USING btree (space_id, created_at DESC, id DESC) WHERE ((change_request_id IS NULL) AND (NOT is_standalone));
CREATE INDEX revisions_space ON revisions USING btree (space_id, created_at DESC, id DESC);

create table saml_assertions (
  provider_id text not null,
  assertion_id text not null,
  expires_at timestamp with time zone not null,
  constraint saml_assertions_pkey PRIMARY KEY (provider_id, assertion_id),
  constraint saml_assertions_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES saml_providers(id) ON DELETE CASCADE
);
CREATE INDEX saml_assertions_expired ON saml_assertions USING btree (expires_at);

create table saml_providers (
  id text not null,
  organization_id text not null,
  label text not null,
  entity_id text not null default ''::text,
  certificate text not null default ''::text,
  sso_url text not null default ''::text,
  default_team_id text,
  default_role text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  attributes jsonb not null default '{}'::jsonb,
  last_signed_in_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_failure_code text,
  last_failure_reason text,
  constraint saml_providers_pkey PRIMARY KEY (id),
  constraint saml_providers_default_role_check CHECK ((default_role = ANY (ARRAY['admin'::text, 'create'::text, 'review'::text, 'edit'::text, 'comment'::text, 'read'::text]))),
  constraint saml_providers_default_team_id_fkey FOREIGN KEY (default_team_id) REFERENCES teams(id) ON DELETE SET NULL,
  constraint saml_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX saml_providers_organization ON saml_providers USING btree (organization_id, created_at, id);
CREATE INDEX saml_providers_team ON saml_providers USING btree (default_team_id) WHERE (default_team_id IS NOT NULL);

create table scim_groups (
  team_id text not null,
  organization_id text not null,
  external_id text,
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint scim_groups_pkey PRIMARY KEY (team_id),
  constraint scim_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint scim_groups_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE
);
CREATE INDEX scim_groups_external_id ON scim_groups USING btree (organization_id, external_id);

create table scim_people (
  organization_id text not null,
  user_id text not null,
  user_name text not null,
  external_id text,
  email text not null,
  display_name text not null,
  given_name text,
  family_name text,
  made_account boolean not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint scim_people_pkey PRIMARY KEY (organization_id, user_id),
  constraint scim_people_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint scim_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX scim_people_external_id ON scim_people USING btree (external_id, organization_id) WHERE (external_id IS NOT NULL);
CREATE INDEX scim_people_user ON scim_people USING btree (user_id);
CREATE UNIQUE INDEX scim_people_email ON scim_people USING btree (lower(email), organization_id);
CREATE UNIQUE INDEX scim_people_user_name ON scim_people USING btree (lower(user_name), organization_id);

create table sections (
  document_hash bytea not null,
  ordinal integer not null,
  anchor text not null,
  heading text not null,
  body text not null,
  constraint sections_pkey PRIMARY KEY (document_hash, ordinal)
);

create table sessions (
  id text not null,
  user_id text not null,
  secret_hash bytea not null,
  method text not null,
  organization_id text,
  token_id text,
  address text,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  provider_id text,
  factor text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_secret_key UNIQUE (secret_hash),
  constraint sessions_factor_check CHECK ((factor = ANY (ARRAY['totp'::text, 'passkey'::text, 'recovery_code'::text]))),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'passkey'::text, 'token'::text, 'saml'::text, 'oidc'::text]))),
  constraint sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint sessions_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES saml_providers(id) ON DELETE SET NULL,
  constraint sessions_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id) ON DELETE CASCADE,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expired ON sessions USING btree (expires_at);
CREATE INDEX sessions_provider ON sessions USING btree (provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX sessions_token ON sessions USING btree (token_id) WHERE (token_id IS NOT NULL);
CREATE INDEX sessions_user ON sessions USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER sessions_announced AFTER DELETE OR UPDATE OF user_id, method, organization_id, token_id, expires_at, confirmed_at, factor ON sessions FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table settings (
  name text not null,
  value jsonb not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table share_links (
  id text not null,
  space_id text not null,
  name text not null,
  is_active boolean not null default true,
  created_by text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint share_links_pkey PRIMARY KEY (id),
  constraint share_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint share_links_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX share_links_space ON share_links USING btree (space_id, created_at, id);
CREATE TRIGGER share_links_announced AFTER DELETE OR UPDATE OF space_id, name, is_active ON share_links FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table sign_in_failures (
  key bytea not null,
  failures integer not null,
  last_failed_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  constraint sign_in_failures_pkey PRIMARY KEY (key)
);

create table sign_in_steps (
  secret_hash bytea not null,
  user_id text not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_steps_pkey PRIMARY KEY (secret_hash),
  constraint sign_in_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_steps_expired ON sign_in_steps USING btree (expires_at);
CREATE INDEX sign_in_steps_user ON sign_in_steps USING btree (user_id);

create table signing_keys (
  id text not null,
  secret text not null,
  created_at timestamp with time zone not null default now(),
  retires_at timestamp with time zone,
  revoked boolean not null default false,
  constraint signing_keys_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX signing_keys_current ON signing_keys USING btree ((true)) WHERE (retires_at IS NULL);
CREATE TRIGGER signing_keys_announced AFTER INSERT OR DELETE OR UPDATE ON signing_keys FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table spaces (
  id text not null,
  organization_id text not null,
  parent_id text,
  position text not null default ''::text,
  title text not null,
  emoji text not null,
  icon_url text,
  visibility text not null default 'private'::text,
  edit_mode text not null default 'live'::text,
  language text,
  default_level text not null default 'inherit'::text,
  merge_rules jsonb not null default '{"type": "inherit"}'::jsonb,
  revision_id text not null,
  projection_id text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  level_rank smallint generated always as (
CASE default_level
    WHEN 'inherit'::text THEN NULL::integer
    WHEN 'none'::text THEN 0
    ELSE (rank_of(default_level))::integer
END) stored,
  visitor_fallback_url text,
  search_scope text not null default 'organization'::text,
  constraint spaces_pkey PRIMARY KEY (id),
  constraint spaces_organization_key UNIQUE (organization_id, id),
  constraint spaces_default_level_check CHECK ((default_level = ANY (ARRAY['admin'::text, 'create'::text, 'review'::text, 'edit'::text, 'comment'::text, 'read'::text, 'none'::text, 'inherit'::text]))),
  constraint spaces_edit_mode_check CHECK ((edit_mode = ANY (ARRAY['live'::text, 'locked'::text]))),
  constraint spaces_search_scope_check CHECK ((search_scope = ANY (ARRAY['organization'::text, 'space'::text]))),
  constraint spaces_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'unlisted'::text, 'share-link'::text, 'visitor-auth'::text, 'in-collection'::text, 'private'::text]))),
  constraint spaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint spaces_parent_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES collections(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint spaces_projection_id_fkey FOREIGN KEY (projection_id) REFERENCES projections(id),
  constraint spaces_revision_fkey FOREIGN KEY (revision_id) REFERENCES revisions(id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX spaces_deleted ON spaces USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX spaces_organization ON spaces USING btree (organization_id, "position", id);
CREATE INDEX spaces_parent ON spaces USING btree (parent_id, organization_id, "position", id);
CREATE INDEX spaces_projection ON spaces USING btree (projection_id);
CREATE INDEX spaces_public ON spaces USING btree (id, revision_id) WHERE ((visibility = 'public'::text) AND (deleted_at IS NULL));
CREATE INDEX spaces_revision ON spaces USING btree (revision_id);
CREATE INDEX spaces_standing ON spaces USING btree (organization_id, "position", id) INCLUDE (parent_id, level_rank, visibility) WHERE (deleted_at IS NULL);
CREATE TRIGGER spaces_access_delete AFTER DELETE ON spaces REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER spaces_access_insert AFTER INSERT ON spaces REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER spaces_access_update AFTER UPDATE ON spaces FOR EACH ROW WHEN ((((((old.organization_id IS DISTINCT FROM new.organization_id) OR (old.parent_id IS DISTINCT FROM new.parent_id)) OR (old.default_level IS DISTINCT FROM new.default_level)) OR (old.visibility IS DISTINCT FROM new.visibility)) OR ((old.deleted_at IS NULL) IS DISTINCT FROM (new.deleted_at IS NULL)))) EXECUTE FUNCTION move_access_versions_of_row();
CREATE TRIGGER spaces_announced AFTER DELETE OR UPDATE ON spaces FOR EACH ROW EXECUTE FUNCTION announce_change('id');
CREATE TRIGGER spaces_projection_left AFTER DELETE ON spaces FOR EACH ROW EXECUTE FUNCTION mark_unused_projection();
CREATE TRIGGER spaces_projection_moved AFTER UPDATE OF projection_id ON spaces FOR EACH ROW WHEN ((old.projection_id <> new.projection_id)) EXECUTE FUNCTION mark_unused_projection();

create table sso_bindings (
  provider_id text,
  issuer text not null,
  subject text not null,
  user_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint sso_bindings_subject UNIQUE NULLS NOT DISTINCT (provider_id, issuer, subject),
  constraint sso_bindings_user UNIQUE NULLS NOT DISTINCT (provider_id, issuer, user_id),
  constraint sso_bindings_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES saml_providers(id) ON DELETE CASCADE,
  constraint sso_bindings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sso_bindings_account ON sso_bindings USING btree (user_id);

create table sso_requests (
  id text not null,
  provider_id text,
  next text not null,
  browser_hash bytea not null,
  verifier text,
  nonce text,
  created_at timestamp with time zone not null default now(),
  answer jsonb,
  session_id text,
  constraint sso_requests_pkey PRIMARY KEY (id),
  constraint sso_requests_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES saml_providers(id) ON DELETE CASCADE,
  constraint sso_requests_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX sso_requests_created ON sso_requests USING btree (created_at);
CREATE INDEX sso_requests_provider ON sso_requests USING btree (provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX sso_requests_session ON sso_requests USING btree (session_id) WHERE (session_id IS NOT NULL);

create table team_members (
  organization_id text not null,
  team_id text not null,
  user_id text not null,
  role text not null default 'member'::text,
  joined_at timestamp with time zone not null default now(),
  constraint team_members_pkey PRIMARY KEY (team_id, user_id),
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text]))),
  constraint team_members_member_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id) ON DELETE CASCADE,
  constraint team_members_organization_id_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX team_members_person ON team_members USING btree (user_id, team_id);
CREATE INDEX team_members_user ON team_members USING btree (organization_id, user_id);
CREATE TRIGGER team_members_access_delete AFTER DELETE ON team_members REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();
CREATE TRIGGER team_members_access_insert AFTER INSERT ON team_members REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION move_access_version();

create table teams (
  id text not null,
  organization_id text not null,
  title text not null,
  created_at timestamp with time zone not null default now(),
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_organization_key UNIQUE (organization_id, id),
  constraint teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX teams_name ON teams USING btree (lower(title), organization_id);
CREATE INDEX teams_title ON teams USING btree (organization_id, title, id);

create table template_files (
  template_id text not null,
  ref text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  dimensions jsonb,
  blob_hash bytea not null,
  constraint template_files_pkey PRIMARY KEY (template_id, ref),
  constraint template_files_template_id_fkey FOREIGN KEY (template_id) REFERENCES templates(id) ON DELETE CASCADE
);
CREATE INDEX template_files_blob ON template_files USING btree (blob_hash);
CREATE TRIGGER template_files_changed AFTER UPDATE ON template_files REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();
CREATE TRIGGER template_files_deleted AFTER DELETE ON template_files REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();

create table templates (
  id text not null,
  organization_id text not null,
  title text not null,
  description text not null default ''::text,
  space_id text,
  pages integer not null,
  content_refs text[] not null,
  content bytea not null,
  created_by text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint templates_pkey PRIMARY KEY (id),
  constraint templates_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint templates_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE SET NULL
);
CREATE INDEX templates_creator ON templates USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX templates_newest ON templates USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX templates_space ON templates USING btree (space_id) WHERE (space_id IS NOT NULL);

create table tokens (
  id text not null,
  user_id text,
  label text not null,
  secret_hash bytea not null,
  scopes text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  kind text not null default 'user'::text,
  integration text,
  installation_id text,
  space_id text,
  organization_id text,
  created_by text,
  made_with text,
  oauth_grant_id text,
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_secret_key UNIQUE (secret_hash),
  constraint tokens_creator_check CHECK (((kind = 'content'::text) = (created_by IS NOT NULL))),
  constraint tokens_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'integration'::text, 'installation'::text, 'content'::text, 'scim'::text]))),
  constraint tokens_made_with_check CHECK (((made_with IS NULL) OR (kind = 'content'::text))),
  constraint tokens_oauth_grant_check CHECK (((oauth_grant_id IS NULL) OR ((kind = 'user'::text) AND (expires_at IS NOT NULL)))),
  constraint tokens_organization_check CHECK (
CASE kind
    WHEN 'user'::text THEN true
    WHEN 'scim'::text THEN (organization_id IS NOT NULL)
    ELSE (organization_id IS NULL)
END),
  constraint tokens_subject_check CHECK ((((kind = 'user'::text) = (user_id IS NOT NULL)) AND ((kind = 'integration'::text) = (integration IS NOT NULL)) AND ((kind = 'installation'::text) = (installation_id IS NOT NULL)) AND ((kind = 'content'::text) = (space_id IS NOT NULL)))),
  constraint tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint tokens_installation_id_fkey FOREIGN KEY (installation_id) REFERENCES installations(id) ON DELETE CASCADE,
  constraint tokens_integration_fkey FOREIGN KEY (integration) REFERENCES integrations(name) ON DELETE CASCADE,
  constraint tokens_made_with_fkey FOREIGN KEY (made_with) REFERENCES tokens(id) ON DELETE CASCADE,
  constraint tokens_oauth_grant_id_fkey FOREIGN KEY (oauth_grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE,
  constraint tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint tokens_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE,
  constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX tokens_creator ON tokens USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX tokens_expired ON tokens USING btree (expires_at) WHERE (kind = ANY (ARRAY['installation'::text, 'content'::text]));
CREATE INDEX tokens_installation ON tokens USING btree (installation_id, expires_at) WHERE (installation_id IS NOT NULL);
CREATE INDEX tokens_integration ON tokens USING btree (integration, created_at DESC, id DESC) WHERE (integration IS NOT NULL);
CREATE INDEX tokens_made_with ON tokens USING btree (made_with) WHERE (made_with IS NOT NULL);
CREATE INDEX tokens_oauth_grant ON tokens USING btree (oauth_grant_id, expires_at) WHERE (oauth_grant_id IS NOT NULL);
CREATE INDEX tokens_organization ON tokens USING btree (organization_id) WHERE (organization_id IS NOT NULL);
CREATE INDEX tokens_scim ON tokens USING btree (organization_id, created_at DESC, id DESC) WHERE (kind = 'scim'::text);
CREATE INDEX tokens_space ON tokens USING btree (space_id) WHERE (space_id IS NOT NULL);
CREATE INDEX tokens_user ON tokens USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER tokens_announced AFTER DELETE OR UPDATE OF user_id, scopes, expires_at, integration, installation_id, space_id, organization_id ON tokens FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table totp_secrets (
  user_id text not null,
  secret bytea not null,
  created_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  last_period integer not null default 0,
  last_used_at timestamp with time zone,
  constraint totp_secrets_pkey PRIMARY KEY (user_id),
  constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table unnoticed_events (
  organization_id text not null,
  position bigint not null,
  event_id text not null,
  constraint unnoticed_events_pkey PRIMARY KEY (organization_id, "position")
);

create table unread_objects (
  object_hash bytea not null,
  tried_at timestamp with time zone not null default now(),
  constraint unread_objects_pkey PRIMARY KEY (object_hash),
  constraint unread_objects_object_hash_fkey FOREIGN KEY (object_hash) REFERENCES objects(hash) ON DELETE CASCADE
);
CREATE INDEX unread_objects_tried ON unread_objects USING btree (tried_at);

create table uploads (
  space_id text not null,
  user_id text not null,
  id text not null,
  blob_hash bytea not null,
  content_type text,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint uploads_pkey PRIMARY KEY (user_id, space_id, id),
  constraint uploads_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE,
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX uploads_blob ON uploads USING btree (blob_hash);
CREATE INDEX uploads_created ON uploads USING btree (created_at);
CREATE INDEX uploads_space ON uploads USING btree (space_id);
CREATE TRIGGER uploads_changed AFTER UPDATE ON uploads REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();
CREATE TRIGGER uploads_deleted AFTER DELETE ON uploads REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION look_after_blobs();

create table users (
  id text not null,
  email text not null,
  display_name text not null,
  photo_url text,
  created_at timestamp with time zone not null default now(),
  email_verified_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email_key ON users USING btree (lower(email));
CREATE TRIGGER users_announced AFTER DELETE OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION announce_change('id');

create table viewed_pages (
  change_request_id text not null,
  user_id text not null,
  page_id text not null,
  hash text not null,
  viewed_at timestamp with time zone not null default clock_timestamp(),
  constraint viewed_pages_pkey PRIMARY KEY (change_request_id, user_id, page_id),
  constraint viewed_pages_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint viewed_pages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX viewed_pages_user ON viewed_pages USING btree (user_id);

create table visitor_keys (
  id text not null,
  space_id text not null,
  created_by text,
  created_at timestamp with time zone not null default now(),
  retires_at timestamp with time zone,
  constraint visitor_keys_pkey PRIMARY KEY (id),
  constraint visitor_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint visitor_keys_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX visitor_keys_space ON visitor_keys USING btree (space_id, created_at DESC, id DESC);
CREATE TRIGGER visitor_keys_announced AFTER INSERT OR DELETE OR UPDATE ON visitor_keys FOR EACH ROW EXECUTE FUNCTION announce_change('space_id');

create table watches (
  user_id text not null,
  space_id text not null,
  page_id text,
  change_request_id text,
  watched_at timestamp with time zone not null default clock_timestamp(),
  constraint watches_thing UNIQUE NULLS NOT DISTINCT (user_id, space_id, page_id, change_request_id),
  constraint watches_one CHECK ((num_nonnulls(page_id, change_request_id) < 2)),
  constraint watches_change_request_id_fkey FOREIGN KEY (change_request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint watches_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE,
  constraint watches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX watches_change_request ON watches USING btree (change_request_id) WHERE (change_request_id IS NOT NULL);
CREATE INDEX watches_space ON watches USING btree (space_id);

create table webhook_deliveries (
  webhook_id text not null,
  event_id text not null,
  type text not null,
  position bigint,
  status text not null default 'waiting'::text,
  body text,
  attempts integer not null default 0,
  log jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '1 day'::interval),
  locked_until timestamp with time zone,
  completed_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (webhook_id, event_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries USING btree (webhook_id, created_at DESC, event_id DESC);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, due_at, "position") WHERE (status = 'waiting'::text);

create table webhooks (
  id text not null,
  organization_id text not null,
  space_id text,
  url text not null,
  receiver text not null,
  description text not null default ''::text,
  types text[] not null default '{}'::text[],
  secret bytea not null,
  owner_id text,
  paused_because text,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  resting_until timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_paused_because_check CHECK ((paused_because = ANY (ARRAY['asked'::text, 'failing'::text, 'gone'::text, 'owner'::text]))),
  constraint webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint webhooks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint webhooks_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id) ON DELETE CASCADE
);
CREATE INDEX webhooks_organization ON webhooks USING btree (organization_id, space_id);
CREATE INDEX webhooks_owner ON webhooks USING btree (owner_id) WHERE (owner_id IS NOT NULL);
CREATE INDEX webhooks_space ON webhooks USING btree (space_id, created_at, id) WHERE (space_id IS NOT NULL);

CREATE OR REPLACE FUNCTION public.announce_arrival()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_id('events', 'events:' || new.organization_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_id(tg_table_name, to_jsonb(old) ->> tg_argv[0]);
  perform announce_id(tg_table_name, to_jsonb(new) ->> tg_argv[0]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_id(name text, id text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  changed text[] := string_to_array(current_setting('octavo.changed', true), ' ');
begin
  if id is null or changed && array[id, '*'] then return; end if;
  -- A longer list is not worth its weight: everything may have changed.
  if cardinality(changed) = 50 then id := '*'; end if;
  changed := changed || id;
  perform set_config('octavo.changed', array_to_string(changed, ' '), true);
  perform pg_notify('octavo_changed', concat_ws(' ', name, coalesce(current_setting('octavo.process', true), ''), id));
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_notification()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_id('notifications', 'notifications:' || new.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.has_commented_pages(space text, change_request text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if change_request is null then
    perform from comments
      where space_id = space and change_request_id is null and page_id is not null
      order by space_id, change_request_id, page_id limit 1;
  else
    perform from comments
      where space_id = space and change_request_id = change_request and page_id is not null
      order by space_id, change_request_id, page_id limit 1;
  end if;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION public.is_pushed(space text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return exists (select from git_syncs where space_id = space and pushes);
end
$function$;

CREATE OR REPLACE FUNCTION public.look_after_blobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into blobs (hash, due_at)
    select distinct blob_hash, now() + interval '1 day' from before where blob_hash is not null order by blob_hash
    on conflict (hash) do update set due_at = excluded.due_at;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.mark_unused_projection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update projections set unused_since = now()
    where id = old.projection_id and not exists (select from spaces where spaces.projection_id = projections.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.move_access_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into access_versions (organization_id, version)
    select distinct organization_id, 1 from moved order by organization_id
    on conflict (organization_id) do update set version = access_versions.version + 1;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.move_access_versions_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into access_versions (organization_id, version)
    select distinct organization_id, 1 from (values (old.organization_id), (new.organization_id)) as changed (organization_id)
    order by organization_id
    on conflict (organization_id) do update set version = access_versions.version + 1;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.rank_of(role text)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (array_position(ARRAY['read'::text, 'comment'::text, 'edit'::text, 'review'::text, 'create'::text, 'admin'::text], role))::smallint;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'TRUNCATE' and current_setting('octavo.lets_go_of_events', true) = 'on' then return null; end if;
  raise exception 'rows of % are never changed or deleted', tg_table_name;
end
$function$;
