-- What customers say to support, the issues in it, and what is to be written because of them.

-- owner: conversations
create table conversations (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  -- `email`, or `integration:<name>:<installation>`
  source text not null,
  -- the id in the source
  external_id text not null,
  subject text,
  url text,
  attributes jsonb,
  parts jsonb not null,
  -- of subject and parts: how much there is to read
  characters integer not null,
  -- in the source where that said so (is_dated), else when it came in first
  created_at timestamptz not null,
  is_dated boolean not null,
  processed_at timestamptz,
  -- counts how often it came in: what was read of an older version is not written over a newer one
  version integer not null default 1,
  constraint conversations_source_key unique (organization_id, source, external_id)
);
create index conversations_newest on conversations (organization_id, created_at desc, id desc);
create index conversations_waiting on conversations (organization_id, id) where processed_at is null;

-- Issues that say the same. They are found anew from all issues; an id stays with the larger part of its issues.
-- owner: conversations
create table conversation_clusters (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  label text not null,
  summary text not null,
  icon text not null,
  -- pending: its issues changed since it was described; analysing: it is being described
  state text not null check (state in ('pending', 'analysing', 'described')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index conversation_clusters_newest on conversation_clusters (organization_id, updated_at desc, id desc);

-- owner: conversations
create table conversation_issues (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  conversation_id text not null references conversations on delete cascade,
  cluster_id text references conversation_clusters on delete set null,
  -- in its conversation
  position integer not null,
  title text not null,
  summary text not null,
  -- what it is compared with others by
  body text not null,
  -- that of its conversation
  created_at timestamptz not null,
  ingested_at timestamptz not null default now(),
  constraint conversation_issues_position_key unique (conversation_id, position)
);
create index conversation_issues_newest on conversation_issues (organization_id, created_at desc, id desc);
create index conversation_issues_cluster on conversation_issues (cluster_id, created_at desc) where cluster_id is not null;

-- owner: agent-tasks
create table agent_tasks (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  cluster_id text references conversation_clusters on delete set null,
  change_request_id text references change_requests on delete set null,
  title text not null,
  description text not null,
  -- a rich document
  instructions jsonb not null,
  status text not null default 'backlog' check (status in ('backlog', 'started', 'completed', 'canceled')),
  created_by text references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index agent_tasks_space on agent_tasks (space_id, updated_at desc, id desc);
create index agent_tasks_cluster on agent_tasks (cluster_id) where cluster_id is not null;
create index agent_tasks_change_request on agent_tasks (change_request_id) where change_request_id is not null;
create index change_requests_cluster on change_requests (conversations_issues_cluster)
  where conversations_issues_cluster is not null;
