-- What happened to a change request, by time.
create index events_change_request on events ((payload->>'changeRequest'), occurred_at, id)
  where payload->>'changeRequest' is not null;
