-- Tokens that open one organization, what integrations publish, and how they are set up on single spaces.

-- of a person's token: the only organization that it opens; null is every one of theirs
alter table tokens
  add column organization_id text references organizations on delete cascade,
  add constraint tokens_organization_check check (organization_id is null or kind = 'user');
create index tokens_integration on tokens (integration, created_at desc, id desc) where integration is not null;

-- What one publication brought that is not shown: it may be large, so lists never touch it.
-- owner: integrations
create table integration_versions (
  integration text not null references integrations on delete cascade,
  version integer not null,
  runtime text not null check (runtime in ('v1', 'v2')),
  script text not null,
  -- encrypted with a key made from the installation's signing key: a copy of this table tells nothing
  secrets bytea,
  icon bytea,
  previews bytea[] not null default '{}',
  published_by text references users on delete set null,
  published_at timestamptz not null default now(),
  primary key (integration, version)
);

alter table installation_spaces
  add column external_ids text[] not null default '{}',
  add column configuration jsonb not null default '{}',
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();
create index installation_spaces_space on installation_spaces (space_id);

-- What a token belongs to is deleted with its tokens.
create index tokens_installation on tokens (installation_id, expires_at) where installation_id is not null;
create index tokens_space on tokens (space_id) where space_id is not null;
create index tokens_organization on tokens (organization_id) where organization_id is not null;
