-- What people did without an organization, such as signing in, is shown to those they belong to.
create index events_person on events (coalesce(payload->>'user', actor_id), occurred_at desc, id desc)
  where organization_id is null;
