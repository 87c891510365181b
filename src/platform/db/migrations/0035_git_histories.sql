-- The history of repositories that spaces are imported from: see record 58.

-- owner: git-sync
create table git_histories (
  space_id text not null references spaces on delete cascade,
  -- the commit that was imported
  oid text not null,
  -- of the repository, without user and password
  url text not null,
  -- a pack of the commit and its ancestors, as far as no other row of the space has them; null until it is fetched
  blob_hash bytea,
  -- why it is left out
  left_out text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (space_id, oid)
);
create index git_histories_blob on git_histories (blob_hash);
create trigger git_histories_deleted after delete on git_histories
  referencing old table as before for each statement execute function look_after_blobs();
create trigger git_histories_changed after update on git_histories
  referencing old table as before for each statement execute function look_after_blobs();

-- the commit of the repository that the revision was imported from, as a parent; null where it is none, or the commit itself
alter table git_commits add column onto text;
