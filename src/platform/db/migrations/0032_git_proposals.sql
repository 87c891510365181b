-- Every change request of what a repository has and its space did not agree with: each holds the push back.
-- owner: syncs
create table git_sync_proposals (
  space_id text not null references git_syncs on delete cascade,
  change_request_id text not null references change_requests on delete cascade,
  primary key (space_id, change_request_id)
);
create index git_sync_proposals_change_request on git_sync_proposals (change_request_id);
insert into git_sync_proposals (space_id, change_request_id)
  select space_id, change_request_id from git_syncs where change_request_id is not null;
