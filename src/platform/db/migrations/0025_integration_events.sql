-- What integrations are told, to be fetched by them (api-facts §5.13): nothing here runs their scripts.

-- owner: integrations
create table integration_events (
  id text primary key,
  integration text not null references integrations on delete cascade,
  -- one that was removed is named by its last event
  installation_id text not null,
  payload jsonb not null,
  -- when it happened, which is before it was written here
  created_at timestamptz not null default now()
);
create index integration_events_listed on integration_events (integration, created_at desc, id desc);
