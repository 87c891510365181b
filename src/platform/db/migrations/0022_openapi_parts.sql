-- Operations, webhooks and schemas of the newest version of a specification, each on its own, for pages that show them.

-- owner: openapi-specs
create table openapi_parts (
  version_id text not null references openapi_versions on delete cascade,
  -- SHA-256 of the kind, method and path or name
  key bytea not null,
  -- a document in OpenAPI 3.1 with what it refers to, as JSON, deflated
  body bytea not null,
  primary key (version_id, key)
);
