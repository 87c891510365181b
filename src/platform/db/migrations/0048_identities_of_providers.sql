-- Accounts are bound to who somebody is at an identity provider: see record 68.

-- owner: sso
create table sso_bindings (
  -- null: the OpenID Connect provider of the installation
  provider_id text references saml_providers on delete cascade,
  issuer text not null,
  -- what the issuer calls the person, and nobody else ever
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  constraint sso_bindings_subject unique nulls not distinct (provider_id, issuer, subject),
  -- a person has one account, and an account is of one person
  constraint sso_bindings_user unique nulls not distinct (provider_id, issuer, user_id)
);

create index sso_bindings_account on sso_bindings (user_id);

-- Names of the attributes that a provider sends, where they are others than the common ones.
alter table saml_providers add column attributes jsonb not null default '{}';
