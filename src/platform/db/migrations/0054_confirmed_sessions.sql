-- When a person last proved in a session who they are, and by which provider of an organization it was begun.
alter table sessions
  add column confirmed_at timestamptz,
  add column provider_id text references saml_providers on delete set null;
create index sessions_provider on sessions (provider_id) where provider_id is not null;

drop trigger sessions_announced on sessions;
create trigger sessions_announced
  after delete or update of user_id, method, organization_id, token_id, expires_at, confirmed_at on sessions
  for each row execute function announce_change('id');

-- The session that a request to an identity provider confirms; null: it begins one.
alter table sso_requests add column session_id text references sessions on delete cascade;
create index sso_requests_session on sso_requests (session_id) where session_id is not null;
