-- Requests that are carried out once, however often they are sent.

-- A key that a caller gave to a request: who holds it, whether something was written under it, and what was answered.
-- Keys and requests stand here as hashes only, because a request may hold credentials.
-- owner: http
create table idempotency_keys (
  user_id text not null references users on delete cascade,
  key_hash bytea not null,
  request_hash bytea not null,
  -- running: nothing is written yet; committed: something is; answered: here is the answer; withheld: it is not kept
  state text not null default 'running' check (state in ('running', 'committed', 'answered', 'withheld')),
  -- the one request that may write under this key, and until when it is believed to be alive
  claim_id text not null,
  claimed_until timestamptz not null,
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz not null default now(),
  primary key (user_id, key_hash)
);
create index idempotency_keys_created on idempotency_keys (created_at);
