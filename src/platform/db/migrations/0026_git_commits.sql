-- Revisions as commits of the repository that every space is to git clients.

-- owner: git-remote
create table git_commits (
  revision_id text primary key references revisions on delete cascade,
  space_id text not null references spaces on delete cascade,
  -- 40 hex digits
  oid text not null,
  -- as they were when the commit was first made: a name that changes later changes no commit
  author_name text not null,
  author_email text not null,
  message text not null,
  -- the root of the revision whose SUMMARY.md is edited for this one
  summary_root bytea not null
);
create index git_commits_space on git_commits (space_id);
