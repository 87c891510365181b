-- What a space has in common with each repository that it was imported from or exported to: see record 69.

-- owner: git-sync
create table git_tips (
  space_id text not null references spaces on delete cascade,
  -- host and path of the repository, as repositoryAddress spells them; '' for folders and archives
  address text not null,
  ref text not null,
  project_directory text not null,
  -- the last commit that was imported or exported; null for folders and archives
  commit_oid text,
  -- the revision that has what the commit has
  revision_id text not null,
  event_at timestamptz,
  -- the change request that has the commit's changes, if they were not merged by the import
  change_request_id text,
  -- the space was disconnected or its content replaced: nothing is merged from this state any more
  is_forgotten boolean not null default false,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (space_id, address, ref, project_directory)
);

-- owner: git-sync
-- commits whose changes a space has, with their ancestors as far as they were read
create table git_known_commits (
  space_id text not null references spaces on delete cascade,
  project_directory text not null,
  oid text not null,
  primary key (space_id, project_directory, oid)
);

-- The address of the last operation on the branch, which is the repository itself; a link has where people see it.
insert into git_tips (space_id, address, ref, project_directory, commit_oid, revision_id, event_at, updated_at)
select l.space_id,
  regexp_replace(regexp_replace(regexp_replace(rtrim(coalesce(
    (select o.url from git_operations as o where o.space_id = l.space_id and o.ref = l.ref and o.state = 'success'
      order by o.started_at desc limit 1), l.url), '/'), '^https?://', ''), '\.git$', ''), '/+$', ''),
  l.ref, l.project_directory, l.commit_oid, l.revision_id, l.event_at, l.updated_at
from git_links as l where l.revision_id is not null and l.url is not null;

insert into git_known_commits (space_id, project_directory, oid)
select space_id, project_directory, commit_oid from git_tips where commit_oid is not null;

-- the change request that an import opened
alter table git_operations add column change_request_id text;
