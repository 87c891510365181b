-- OpenAPI specifications of an organization, and the versions that were read of them.

-- owner: openapi-specs
create table openapi_specs (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  slug text not null,
  -- one of the two: where it is read from, or what it says
  source_url text,
  source_text text,
  visibility text not null default 'private',
  state text not null default 'pending',
  last_version text,
  last_processed_at timestamptz,
  last_error_code text,
  last_errors jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, slug),
  check ((source_url is null) <> (source_text is null))
);
create index openapi_specs_newest on openapi_specs (organization_id, created_at desc, id desc);
create index openapi_specs_fetched on openapi_specs (last_processed_at) where source_url is not null;

-- owner: openapi-specs
create table openapi_versions (
  id text primary key,
  spec_id text not null references openapi_specs on delete cascade,
  -- SHA-256 of the document
  hash bytea not null,
  -- as it was written, and its format: 'json' or 'yaml'
  raw text not null,
  format text not null,
  -- the whole of it in OpenAPI 3.1, as JSON
  document bytea not null,
  created_at timestamptz not null default now()
);
create index openapi_versions_newest on openapi_versions (spec_id, created_at desc, id desc);
