-- Cached values are dropped by the ids of the rows they were made of (platform/cache/invalidating.ts). Triggers collect
-- the ids of the rows that a transaction writes: the process that commits reads them from octavo.changed, and others
-- are notified.

-- For the column that its argument names. The table comes first for processes that know no ids.
create function announce_change() returns trigger language plpgsql as $$
declare
  changed text[] := string_to_array(current_setting('octavo.changed', true), ' ');
  id text;
begin
  foreach id in array array[to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0]] loop
    continue when id is null or changed && array[id, '*'];
    -- A longer list is not worth its weight: everything may have changed.
    if cardinality(changed) = 50 then id := '*'; end if;
    changed := changed || id;
    perform set_config('octavo.changed', array_to_string(changed, ' '), true);
    perform pg_notify('octavo_changed', concat_ws(' ', tg_table_name, coalesce(current_setting('octavo.process', true), ''), id));
  end loop;
  return null;
end
$$;

-- Rows of spaces, with their repository and the access version of their organization.
create trigger spaces_announced after update or delete on spaces
  for each row execute function announce_change('id');
create trigger git_links_announced after insert or update or delete on git_links
  for each row execute function announce_change('space_id');
create trigger access_versions_announced after insert or update or delete on access_versions
  for each row execute function announce_change('organization_id');

-- Rows of organizations, and the versions of their glossaries.
create trigger organizations_announced after update or delete on organizations
  for each row execute function announce_change('id');
create trigger glossaries_announced after insert or update or delete on glossaries
  for each row execute function announce_change('organization_id');

-- Change requests with the number of their open comments.
create trigger change_requests_announced after update or delete on change_requests
  for each row execute function announce_change('id');
create trigger comments_announced after insert or delete or update of change_request_id, resolved_at on comments
  for each row execute function announce_change('change_request_id');

-- What visitors bring.
create trigger share_links_announced after update or delete on share_links
  for each row execute function announce_change('id');
create trigger visitor_keys_announced after insert or update or delete on visitor_keys
  for each row execute function announce_change('space_id');

-- Principals. When a token, a session or a member was last used or seen is written all the time, and decides nothing.
create trigger users_announced after update or delete on users
  for each row execute function announce_change('id');
create trigger members_announced after insert or delete or update of role, disabled, sso on members
  for each row execute function announce_change('user_id');
create trigger tokens_announced
  after delete or update of user_id, scopes, expires_at, integration, installation_id, space_id, organization_id on tokens
  for each row execute function announce_change('id');
create trigger sessions_announced
  after delete or update of user_id, method, organization_id, token_id, expires_at on sessions
  for each row execute function announce_change('id');
create trigger integrations_announced after update or delete on integrations
  for each row execute function announce_change('name');
create trigger installations_announced after update or delete on installations
  for each row execute function announce_change('id');
create trigger installation_spaces_announced
  after insert or delete or update of installation_id, space_id on installation_spaces
  for each row execute function announce_change('installation_id');

-- Drops all triggers of notify_changed.
drop function notify_changed cascade;
