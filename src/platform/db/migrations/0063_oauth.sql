-- Programs that people have let act for them in a browser, by OAuth 2.1.

-- owner: oauth
create table oauth_clients (
  -- of a registered one made here; of one that publishes its metadata the address of the document
  id text primary key,
  kind text not null check (kind in ('registered', 'document')),
  name text not null,
  redirect_uris text[] not null,
  -- the network it was registered from
  network text,
  created_at timestamptz not null default now(),
  -- when somebody last let it act for them
  used_at timestamptz,
  constraint oauth_clients_network_check check ((kind = 'registered') = (network is not null))
);
create index oauth_clients_unused on oauth_clients (network) where used_at is null;

-- What one person lets one client do. Its secrets are stored as hashes.
-- owner: oauth
create table oauth_grants (
  id text primary key,
  user_id text not null references users on delete cascade,
  client_id text not null references oauth_clients on delete cascade,
  scopes text[] not null,
  -- the only organization that it opens; null is every one of theirs
  organization_id text references organizations on delete cascade,
  resource text not null,
  -- null: as long as it is used
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  code_hash bytea not null constraint oauth_grants_code unique,
  code_expires_at timestamptz not null,
  code_redirect_uri text not null,
  code_challenge text not null,
  -- A refresh token has two parts: the first stays, so that one that was used before is known; the second is renewed.
  family_hash bytea constraint oauth_grants_family unique,
  refresh_hash bytea,
  refresh_expires_at timestamptz,
  constraint oauth_grants_refresh_check check (num_nulls(family_hash, refresh_hash, refresh_expires_at) in (0, 3))
);
create index oauth_grants_user on oauth_grants (user_id, created_at desc, id desc);
create index oauth_grants_client on oauth_grants (client_id);
create index oauth_grants_organization on oauth_grants (organization_id) where organization_id is not null;

-- of a person's token: the grant that it was made for, and ends with
alter table tokens
  add column oauth_grant_id text references oauth_grants on delete cascade,
  add constraint tokens_oauth_grant_check check (oauth_grant_id is null or (kind = 'user' and expires_at is not null));
create index tokens_oauth_grant on tokens (oauth_grant_id, expires_at) where oauth_grant_id is not null;
