-- Webhooks of organizations and spaces, and what is sent to them: see record 49.

-- owner: webhooks
create table webhooks (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  -- null: everything of the organization
  space_id text references spaces on delete cascade,
  url text not null,
  -- host and port of the address: what several webhooks may share
  receiver text not null,
  description text not null default '',
  -- empty: every type
  types text[] not null default '{}',
  -- encrypted with a key made from the installation's signing key
  secret bytea not null,
  -- on whose behalf it is sent; null: they are gone
  owner_id text references users on delete set null,
  -- null: it is active
  paused_because text check (paused_because in ('asked', 'failing', 'gone', 'owner')),
  -- attempts that failed one after the other, since when, and how long it is left alone
  failures integer not null default 0,
  failing_since timestamptz,
  resting_until timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhooks_organization on webhooks (organization_id, space_id);
create index webhooks_space on webhooks (space_id, created_at, id) where space_id is not null;
create index webhooks_owner on webhooks (owner_id) where owner_id is not null;

-- owner: webhooks
create table webhook_deliveries (
  webhook_id text not null references webhooks on delete cascade,
  event_id text not null,
  type text not null,
  -- of the event in its feed; null: a test, which is in none
  position bigint,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  -- of a test: what was sent; everything else is written from its event when it is sent
  body text,
  -- attempts since it was asked for; all of them are in the log
  attempts integer not null default 0,
  log jsonb not null default '[]',
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- after it nothing is tried any more
  expires_at timestamptz not null default now() + interval '1 day',
  -- under way in some process until then
  locked_until timestamptz,
  completed_at timestamptz,
  primary key (webhook_id, event_id)
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, due_at, position) where status = 'waiting';
create index webhook_deliveries_listed on webhook_deliveries (webhook_id, created_at desc, event_id desc);
