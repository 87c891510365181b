-- What others did in an organization about a person, such as giving them a role: for the copy that the person asks for.
create index events_about on events ((payload->>'user'), occurred_at desc, id desc)
  where organization_id is not null and payload->>'user' is not null;
