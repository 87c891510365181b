-- What git clients push: commits that keep their ids, and the names of branches.

-- a commit that was pushed is never made of its revision
alter table git_commits add column is_pushed boolean not null default false;
create index git_commits_oid on git_commits (space_id, oid);

-- owner: git-remote
create table git_packs (
  space_id text not null references spaces on delete cascade,
  -- the blob that holds the commits
  blob_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (space_id, blob_hash)
);
create index git_packs_blob on git_packs (blob_hash);
create trigger git_packs_deleted after delete on git_packs
  referencing old table as before for each statement execute function look_after_blobs();
create trigger git_packs_changed after update on git_packs
  referencing old table as before for each statement execute function look_after_blobs();

-- The name of a branch that opened a change request.
-- owner: git-remote
create table git_branches (
  change_request_id text primary key references change_requests on delete cascade,
  space_id text not null references spaces on delete cascade,
  name text not null
);
create index git_branches_space on git_branches (space_id);

-- A history is read from its newest revision on.
drop index revisions_space;
create index revisions_space on revisions (space_id, created_at desc, id desc);
