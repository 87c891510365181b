-- When a member was last seen is written often and decides nothing, so it tells no cache that it is old.
drop trigger members_changed on members;
create trigger members_changed after insert or delete or update of role, disabled, sso on members
  for each statement execute function notify_changed();

-- A list of members is read from its end, whatever the size of the organization.
create index members_joined on members (organization_id, joined_at, user_id);
