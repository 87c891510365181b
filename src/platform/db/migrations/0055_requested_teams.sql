-- A review is asked of people, and of teams: of a team, anybody in it gives it.
alter table requested_reviewers
  drop constraint requested_reviewers_pkey,
  alter column user_id drop not null,
  add column team_id text references teams on delete cascade,
  add constraint requested_reviewers_one check (num_nonnulls(user_id, team_id) = 1),
  add constraint requested_reviewers_users unique (change_request_id, user_id),
  add constraint requested_reviewers_teams unique (change_request_id, team_id);
create index requested_reviewers_team on requested_reviewers (team_id) where team_id is not null;
