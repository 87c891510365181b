-- The house: accounts, organizations, members, spaces and their revisions, the content store, git operations,
-- events. Every table names its owner: the one folder that writes it (anyone may read by join).

create extension if not exists pg_trgm;

-- owner: platform/db
create table settings (
  name text primary key,
  value jsonb not null
);

-- owner: accounts
create table users (
  id text primary key,
  email text not null,
  display_name text not null,
  photo_url text,
  created_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));

-- owner: accounts
create table tokens (
  id text primary key,
  user_id text not null references users on delete cascade,
  label text not null,
  secret_hash bytea not null constraint tokens_secret_key unique,
  -- null: whatever the user may do
  scopes text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index tokens_user on tokens (user_id, created_at desc, id desc);

-- owner: organizations
create table organizations (
  id text primary key,
  title text not null,
  email_domains text[] not null default '{}',
  hostname text constraint organizations_hostname_key unique,
  default_role text,
  default_content jsonb,
  logo_url text,
  sso boolean not null default false,
  ai boolean not null default true,
  invite_links boolean not null default true,
  merge_rules jsonb not null default '{"type":"none"}',
  created_at timestamptz not null default now()
);

-- owner: members
create table members (
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  -- null: a guest
  role text check (role in ('admin', 'create', 'review', 'edit', 'comment', 'read')),
  disabled boolean not null default false,
  sso boolean not null default false,
  joined_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

-- One set of live_* rows. A duplicated space points at the set of its origin until one of them is written,
-- so duplicating costs the same for ten pages and ten thousand.
-- owner: spaces
create table projections (
  id text primary key
);

-- owner: spaces
create table spaces (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  parent_id text,
  -- compared byte by byte, as the code that makes positions does
  position text collate "C" not null default '',
  title text not null,
  emoji text not null,
  icon_url text,
  visibility text not null default 'private'
    check (visibility in ('public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private')),
  edit_mode text not null default 'live' check (edit_mode in ('live', 'locked')),
  language text,
  default_level text not null default 'inherit'
    check (default_level in ('admin', 'create', 'review', 'edit', 'comment', 'read', 'none', 'inherit')),
  merge_rules jsonb not null default '{"type":"inherit"}',
  -- the head: moves only by compare-and-set in the transaction that inserted the revision
  revision_id text not null,
  projection_id text not null references projections,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index spaces_organization on spaces (organization_id, position, id);
create index spaces_projection on spaces (projection_id);
create index spaces_deleted on spaces (deleted_at) where deleted_at is not null;

-- owner: spaces
create table revisions (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  root_hash bytea not null,
  type text not null check (type in ('edits', 'merge', 'rollback', 'update', 'computed')),
  parents text[] not null,
  created_at timestamptz not null default now(),
  created_by text references users on delete set null,
  merged_from text,
  -- the commit this revision came from: { oid, message, createdByGitBook, url, ref }
  git jsonb
);
create index revisions_space on revisions (space_id, created_at desc, id desc);
alter table spaces add constraint spaces_revision_fkey
  foreign key (revision_id) references revisions deferrable initially deferred;

-- Append-only, shared by everything: documents and trie nodes under the SHA-256 of their bytes.
-- `touched_at` is the sweeper's guard: see api/content/sweep.ts.
-- owner: content
create table objects (
  hash bytea primary key,
  kind text not null check (kind in ('document', 'node')),
  body bytea not null,
  touched_at timestamptz not null default now()
);
alter table objects alter column body set storage external;

-- owner: content
create table live_pages (
  projection_id text not null references projections on delete cascade,
  page_id text not null,
  type text not null,
  title text not null,
  description text not null default '',
  path text collate "C" not null,
  title_tsv tsvector not null,
  hidden boolean not null default false,
  no_index boolean not null default false,
  document_hash bytea,
  primary key (projection_id, page_id)
);
create index live_pages_document on live_pages (document_hash);

-- What stands at a path of the live repository layout: what a relative link leads to.
-- owner: content
create table live_paths (
  projection_id text not null references projections on delete cascade,
  file text not null,
  kind text not null check (kind in ('page', 'file', 'reusable-content')),
  id text not null,
  primary key (projection_id, id)
);
-- By hash, because a path of a file (up to 4,096 bytes) can be longer than what a B-tree holds (2,704).
create index live_paths_file on live_paths using hash (file);

-- One row a link of a live page, in document order. What a relative link leads to is not stored but joined through
-- live_paths, so a page that comes or goes rewrites no link of another page.
-- owner: content
create table live_links (
  projection_id text not null references projections on delete cascade,
  from_page text not null,
  ordinal integer not null,
  kind text not null check (kind in ('url', 'path', 'anchor', 'space', 'openapi', 'user', 'collection', 'broken')),
  relation text not null check (relation in ('reference', 'dependsOn')),
  -- as written in the document
  destination text not null,
  -- paths it may mean, the first that exists wins: `guides` is guides.md, else guides/README.md
  candidates text[] not null default '{}',
  anchor text,
  primary key (projection_id, from_page, ordinal)
);
create index live_links_candidates on live_links using gin (candidates);

-- The searchable pieces of a document, written once for its hash and shared by every space that has it.
-- owner: content
create table sections (
  document_hash bytea not null,
  ordinal integer not null,
  anchor text not null,
  heading text not null,
  body text not null,
  tsv tsvector not null,
  primary key (document_hash, ordinal)
);
-- Compressing them would cost more time at every publication than it saves bytes.
alter table sections alter column body set storage external, alter column tsv set storage external;
create index sections_tsv on sections using gin (tsv);

-- The words that occur anywhere, to find what somebody meant who wrote another.
-- owner: content
create table words (
  word text primary key
);
create index words_similar on words using gin (word gin_trgm_ops);

-- The repository a space is kept with; never its credentials.
-- owner: git-sync
create table git_links (
  space_id text primary key references spaces on delete cascade,
  provider text,
  url text,
  repo_name text,
  ref text not null,
  project_directory text not null default '',
  commit_oid text,
  revision_id text,
  -- the instant of the newest event that was carried out; older ones are skipped
  event_at timestamptz,
  updated_at timestamptz not null default now()
);

-- owner: git-sync
create table git_operations (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  direction text not null check (direction in ('import', 'export')),
  state text not null check (state in ('running', 'failure', 'success')),
  stage text not null,
  dispatched_tasks integer not null default 0,
  completed_tasks integer not null default 0,
  -- without credentials
  url text not null,
  ref text not null,
  commit_oid text,
  revision_id text,
  is_skipped boolean not null default false,
  error_code text,
  error text,
  -- what was noticed and survived: [{ code, message, file }]
  problems jsonb not null default '[]',
  created_by text references users on delete set null,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  completed_at timestamptz
);
create index git_operations_space on git_operations (space_id, started_at desc, id desc);
create index git_operations_running on git_operations (updated_at) where state = 'running';

-- What happened, written by the transaction that did it.
-- owner: platform/events
create table events (
  id text primary key,
  type text not null,
  organization_id text,
  space_id text,
  actor_id text,
  payload jsonb not null,
  occurred_at timestamptz not null default now()
);
create index events_organization on events (organization_id, occurred_at desc, id desc);

-- Work that waits. A row is deleted when it is done; one that was given up stays for a while, to be read by people.
-- owner: platform/jobs
create table jobs (
  id text primary key,
  name text not null,
  -- of the waiting jobs of one name, at most one has a given key
  key text,
  data jsonb not null,
  run_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- the lease of the process that runs it; one that ran out is free again
  locked_by text,
  locked_until timestamptz,
  error text,
  failed_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index jobs_waiting_key on jobs (name, key) where locked_until is null and failed_at is null;
create index jobs_due on jobs (run_at) where failed_at is null;
create index jobs_failed on jobs (failed_at) where failed_at is not null;

-- Tells every node that something its small caches hold has changed (platform/db/changes.ts). Notifications of one
-- transaction with the same text are folded into one by PostgreSQL.
create function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('octavo_changed', tg_table_name);
  return null;
end
$$;
create trigger users_changed after update or delete on users for each statement execute function notify_changed();
create trigger tokens_changed after delete on tokens for each statement execute function notify_changed();
create trigger organizations_changed after update or delete on organizations for each statement execute function notify_changed();
create trigger members_changed after insert or update or delete on members for each statement execute function notify_changed();
create trigger git_links_changed after insert or update or delete on git_links for each statement execute function notify_changed();
create trigger spaces_changed after update or delete on spaces for each statement execute function notify_changed();
