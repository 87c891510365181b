-- The second factor of people who sign in with a password: an authenticator app, passkeys, and codes for when both are
-- lost.

-- owner: sessions
create table totp_secrets (
  user_id text primary key references users on delete cascade,
  -- encrypted with a key made from the installation's signing key
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- null: the person has not shown a code of it yet
  confirmed_at timestamptz,
  -- of the last code that was accepted, since 1970: no code counts twice
  last_period integer not null default 0,
  last_used_at timestamptz
);

-- owner: sessions
create table passkeys (
  id text primary key,
  user_id text not null references users on delete cascade,
  name text not null,
  credential_id bytea not null constraint passkeys_credential unique,
  public_key bytea not null,
  -- how often the authenticator says it has signed; many always say 0
  signatures bigint not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at, id);

-- owner: sessions
create table recovery_codes (
  user_id text not null references users on delete cascade,
  -- keyed: the codes are short enough to be guessed from a plain hash
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A browser whose person has given the password, and not the second factor yet.
-- owner: sessions
create table sign_in_steps (
  secret_hash bytea primary key,
  user_id text not null references users on delete cascade,
  expires_at timestamptz not null
);
create index sign_in_steps_user on sign_in_steps (user_id);
create index sign_in_steps_expired on sign_in_steps (expires_at);

-- Challenges of passkeys that were answered, until they expire: none is answered twice.
-- owner: sessions
create table answered_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index answered_challenges_expired on answered_challenges (expires_at);

-- By what second factor the person proved who they are; null: by none.
alter table sessions
  add column factor text check (factor in ('totp', 'passkey', 'recovery_code')),
  drop constraint sessions_method_check,
  add constraint sessions_method_check check (method in ('password', 'passkey', 'token', 'saml', 'oidc'));
drop trigger sessions_announced on sessions;
create trigger sessions_announced
  after delete or update of user_id, method, organization_id, token_id, expires_at, confirmed_at, factor on sessions
  for each row execute function announce_change('id');

-- Whether members who sign in with a password need a second factor.
alter table organizations add column second_factor boolean not null default false;
