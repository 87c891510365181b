-- A token for SCIM manages the people and teams of one organization, and speaks for nobody.
alter table tokens
  drop constraint tokens_kind_check,
  drop constraint tokens_organization_check,
  add constraint tokens_kind_check check (kind in ('user', 'integration', 'installation', 'content', 'scim')),
  add constraint tokens_organization_check check (
    case kind when 'user' then true when 'scim' then organization_id is not null else organization_id is null end);
create index tokens_scim on tokens (organization_id, created_at desc, id desc) where kind = 'scim';

-- What a directory says of a person, for one organization. It stays when the membership ends: whoever is given the
-- address later is told apart by `external_id`.
-- owner: scim
create table scim_people (
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  user_name text not null,
  external_id text,
  email text not null,
  display_name text not null,
  given_name text,
  family_name text,
  -- the account was made for the directory, and is not somebody's from elsewhere
  made_account boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, user_id)
);
create unique index scim_people_user_name on scim_people (organization_id, lower(user_name));
create unique index scim_people_email on scim_people (organization_id, lower(email));
create index scim_people_external_id on scim_people (organization_id, external_id) where external_id is not null;
create index scim_people_user on scim_people (user_id);

-- What a directory calls a team.
-- owner: scim
create table scim_groups (
  team_id text primary key references teams on delete cascade,
  organization_id text not null references organizations on delete cascade,
  external_id text,
  changed_at timestamptz not null default clock_timestamp()
);
create index scim_groups_external_id on scim_groups (organization_id, external_id);

create index teams_name on teams (organization_id, lower(title));
