-- Spaces that are kept with a repository without anybody asking each time: see record 56.

-- owner: syncs
create table git_syncs (
  space_id text primary key references spaces on delete cascade,
  -- without user and password
  url text not null,
  ref text not null,
  project_directory text not null default '',
  -- encrypted with a key made from the installation's signing key: the address with user and password, and the secret of
  -- the hook
  secrets bytea not null,
  -- on whose behalf it is kept; null: they are gone
  owner_id text references users on delete set null,
  -- null: only when the hook is called
  pull_every_minutes integer check (pull_every_minutes > 0),
  pushes boolean not null,
  -- null: when something happens
  pull_due_at timestamptz default now(),
  push_due_at timestamptz,
  -- who looks after it, and until when, unless they say that they are still at it
  locked_by text,
  locked_until timestamptz,
  -- one after the other, and what the last one was
  failures integer not null default 0,
  error_code text,
  error text,
  pulled_at timestamptz,
  pushed_at timestamptz,
  -- what the repository had and the space could not take
  change_request_id text references change_requests on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index git_syncs_due on git_syncs ((least(pull_due_at, push_due_at)));
create index git_syncs_owner on git_syncs (owner_id) where owner_id is not null;
create index git_syncs_change_request on git_syncs (change_request_id) where change_request_id is not null;
