-- People and access: teams, collections, who was given what, how people come in and sign in, and who did what.

-- A role as a number, so that the strongest of several is their maximum: read is 1, admin is 6, no role is 0.
create function rank_of(role text) returns smallint language sql immutable strict parallel safe
  return array_position(array['read', 'comment', 'edit', 'review', 'create', 'admin'], role)::smallint;

alter table members
  -- a guest has 0
  add column rank smallint not null generated always as (coalesce(rank_of(role), 0)) stored;

-- owner: teams
create table teams (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  title text not null,
  created_at timestamptz not null default now(),
  constraint teams_organization_key unique (organization_id, id)
);
create index teams_title on teams (organization_id, title, id);

-- Only members of the organization; who leaves it leaves its teams.
-- owner: teams
create table team_members (
  organization_id text not null,
  team_id text not null,
  user_id text not null,
  role text not null default 'member' check (role in ('owner', 'member')),
  joined_at timestamptz not null default now(),
  primary key (team_id, user_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  constraint team_members_member_fkey
    foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);
create index team_members_user on team_members (organization_id, user_id);
create index team_members_person on team_members (user_id, team_id);

-- owner: collections
create table collections (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  parent_id text,
  -- among the collections and spaces of one parent; compared byte by byte, as the code that makes positions does
  position text collate "C" not null,
  title text not null,
  description text not null default '',
  default_level text not null default 'inherit'
    check (default_level in ('admin', 'create', 'review', 'edit', 'comment', 'read', 'none', 'inherit')),
  -- null where it is inherited
  level_rank smallint generated always as
    (case default_level when 'inherit' then null when 'none' then 0 else rank_of(default_level) end) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint collections_organization_key unique (organization_id, id),
  -- deferred, so that a tree can move to another organization
  constraint collections_parent_fkey foreign key (organization_id, parent_id)
    references collections (organization_id, id) deferrable initially deferred
);
create index collections_position on collections (organization_id, position, id);
create index collections_parent on collections (parent_id);

alter table spaces
  add column level_rank smallint generated always as
    (case default_level when 'inherit' then null when 'none' then 0 else rank_of(default_level) end) stored,
  -- where a visitor without a token of the visitor-auth key is sent
  add column visitor_fallback_url text,
  add constraint spaces_organization_key unique (organization_id, id),
  add constraint spaces_parent_fkey foreign key (organization_id, parent_id)
    references collections (organization_id, id) deferrable initially deferred;
create index spaces_parent on spaces (parent_id, position, id);
-- Everything that decides who may see a space, so that counting those of an organization reads an index only.
create index spaces_standing on spaces (organization_id, position, id)
  include (parent_id, level_rank, visibility) where deleted_at is null;

-- The role that somebody, or a team, was given on a space or a collection; none is a role too. Only members and teams
-- of the organization: the keys see to it.
-- owner: grants
create table grants (
  id text primary key,
  organization_id text not null,
  space_id text,
  collection_id text,
  user_id text,
  team_id text,
  role text not null check (role in ('admin', 'create', 'review', 'edit', 'comment', 'read', 'none')),
  rank smallint not null generated always as (coalesce(rank_of(role), 0)) stored,
  created_at timestamptz not null default now(),
  check (num_nonnulls(space_id, collection_id) = 1),
  check (num_nonnulls(user_id, team_id) = 1),
  constraint grants_space_fkey
    foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  constraint grants_collection_fkey
    foreign key (organization_id, collection_id) references collections (organization_id, id) on delete cascade,
  constraint grants_user_fkey
    foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade,
  constraint grants_team_fkey
    foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
create unique index grants_space_user on grants (space_id, user_id) where space_id is not null and user_id is not null;
create unique index grants_space_team on grants (space_id, team_id) where space_id is not null and team_id is not null;
create unique index grants_collection_user on grants (collection_id, user_id)
  where collection_id is not null and user_id is not null;
create unique index grants_collection_team on grants (collection_id, team_id)
  where collection_id is not null and team_id is not null;
create index grants_user on grants (organization_id, user_id) where user_id is not null;
create index grants_team on grants (organization_id, team_id) where team_id is not null;

-- owner: invitations
create table link_invites (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  -- null: as a guest; on a space or a collection: no access
  role text check (role in ('admin', 'create', 'review', 'edit', 'comment', 'read')),
  space_id text references spaces on delete cascade,
  collection_id text references collections on delete cascade,
  created_by text references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  check (num_nonnulls(space_id, collection_id) <= 1)
);
create index link_invites_organization on link_invites (organization_id, created_at desc, id desc);

-- owner: integrations
create table integrations (
  name text primary key,
  organization_id text not null references organizations on delete cascade,
  title text not null,
  description text not null,
  visibility text not null default 'private' check (visibility in ('public', 'private', 'unlisted')),
  target text not null default 'all' check (target in ('all', 'site', 'space', 'organization')),
  scopes text[] not null,
  -- what was published, as it was sent
  manifest jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index integrations_organization on integrations (organization_id, name);

-- owner: integrations
create table installations (
  id text primary key,
  integration text not null references integrations on delete cascade,
  organization_id text not null references organizations on delete cascade,
  status text not null default 'active' check (status in ('active', 'pending', 'paused')),
  -- those of the integration when it was installed: a later version does not widen them by itself
  scopes text[] not null,
  space_selection text not null default 'all' check (space_selection in ('all', 'selected')),
  external_ids text[] not null default '{}',
  configuration jsonb not null default '{}',
  created_by text references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint installations_integration_key unique (integration, organization_id)
);
create index installations_organization on installations (organization_id, id);

-- owner: integrations
create table installation_spaces (
  installation_id text not null references installations on delete cascade,
  space_id text not null references spaces on delete cascade,
  primary key (installation_id, space_id)
);

-- A token speaks for a person, an integration, an installation of one, or for nobody: then it only reads a space.
alter table tokens
  alter column user_id drop not null,
  add column kind text not null default 'user' check (kind in ('user', 'integration', 'installation', 'content')),
  add column integration text references integrations on delete cascade,
  add column installation_id text references installations on delete cascade,
  add column space_id text references spaces on delete cascade,
  add constraint tokens_subject_check check (
    (kind = 'user') = (user_id is not null) and (kind = 'integration') = (integration is not null)
    and (kind = 'installation') = (installation_id is not null) and (kind = 'content') = (space_id is not null));
create index tokens_expired on tokens (expires_at) where kind in ('installation', 'content');

-- Who is known to own their mail address: a link that was mailed there, or an identity provider, said so.
alter table users add column email_verified_at timestamptz;

-- owner: sessions
create table passwords (
  user_id text primary key references users on delete cascade,
  -- argon2id, with its parameters
  hash text not null,
  changed_at timestamptz not null default now()
);

-- A browser that somebody signed in with.
-- owner: sessions
create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  secret_hash bytea not null constraint sessions_secret_key unique,
  method text not null check (method in ('password', 'token', 'saml', 'oidc')),
  -- An identity provider of one organization vouches for that organization alone: the session opens no other.
  organization_id text references organizations on delete cascade,
  -- the token that it was begun with, and ends with
  token_id text references tokens on delete cascade,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, created_at desc, id desc);
create index sessions_expired on sessions (expires_at);

-- Failed attempts to sign in, by what was typed: an address that nobody has is locked like any other.
-- owner: sessions
create table sign_in_failures (
  key bytea primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  locked_until timestamptz
);

-- A link that lets its holder choose a password, once.
-- owner: sessions
create table password_links (
  id text primary key,
  user_id text not null references users on delete cascade,
  secret_hash bytea not null constraint password_links_secret_key unique,
  -- it was mailed, so who has it owns the address
  is_mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_links_user on password_links (user_id);

-- owner: sso
create table saml_providers (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  label text not null,
  entity_id text not null default '',
  -- one or several PEM blocks: while the identity provider changes its key, both are here
  certificate text not null default '',
  sso_url text not null default '',
  default_team_id text references teams on delete set null,
  default_role text check (default_role in ('admin', 'create', 'review', 'edit', 'comment', 'read')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index saml_providers_organization on saml_providers (organization_id, created_at, id);

-- A question to an identity provider that was not answered yet.
-- owner: sso
create table sso_requests (
  id text primary key,
  -- null: the OpenID Connect provider of the installation
  provider_id text references saml_providers on delete cascade,
  -- where the browser goes afterwards, a path of this server
  next text not null,
  -- what ties the answer to this browser, hashed; and what OpenID Connect asks to be kept
  browser_hash bytea not null,
  verifier text,
  nonce text,
  created_at timestamptz not null default now()
);
create index sso_requests_created on sso_requests (created_at);

-- Assertions that were used, until they would be refused for their age.
-- owner: sso
create table saml_assertions (
  provider_id text not null references saml_providers on delete cascade,
  assertion_id text not null,
  expires_at timestamptz not null,
  primary key (provider_id, assertion_id)
);
create index saml_assertions_expired on saml_assertions (expires_at);

-- Its key is not here but made from the installation's signing key and the id: a copy of this table opens nothing.
-- owner: visitors
create table share_links (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  name text not null,
  is_active boolean not null default true,
  created_by text references users on delete set null,
  created_at timestamptz not null default now()
);
create index share_links_space on share_links (space_id, created_at, id);

-- A key that the tokens of visitors are signed with; made from the installation's signing key and the id.
-- owner: visitors
create table visitor_keys (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  created_by text references users on delete set null,
  created_at timestamptz not null default now(),
  -- the instant from which tokens that it signed are refused
  retires_at timestamptz
);
create index visitor_keys_space on visitor_keys (space_id, created_at desc, id desc);

-- Where a change came from. Events are what the audit shows, so nobody rewrites them, this program included.
alter table events
  add column actor_kind text check (actor_kind in ('user', 'integration', 'installation')),
  add column source text not null default 'api' check (source in ('ui', 'api', 'integration', 'script')),
  add column address text,
  add column token_id text,
  add column request_id text;
update events set actor_kind = 'user' where actor_id is not null;
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name;
end
$$;
create trigger events_append_only before update or delete or truncate on events
  for each statement execute function refuse_change();
create index events_type on events (organization_id, type, occurred_at desc, id desc);
create index events_actor on events (organization_id, actor_id, occurred_at desc, id desc);

create trigger teams_changed after update or delete on teams for each statement execute function notify_changed();
create trigger team_members_changed after insert or update or delete on team_members for each statement execute function notify_changed();
create trigger collections_changed after update or delete on collections for each statement execute function notify_changed();
create trigger grants_changed after insert or update or delete on grants for each statement execute function notify_changed();
create trigger sessions_changed after delete on sessions for each statement execute function notify_changed();
create trigger installations_changed after update or delete on installations for each statement execute function notify_changed();
create trigger installation_spaces_changed after insert or delete on installation_spaces for each statement execute function notify_changed();
create trigger share_links_changed after update or delete on share_links for each statement execute function notify_changed();
create trigger visitor_keys_changed after insert or update or delete on visitor_keys for each statement execute function notify_changed();
