-- Live streams are woken by the events of an organization. The id of the announcement belongs to no row, so that nothing
-- that is cached is dropped.
create function announce_id(name text, id text) returns void language plpgsql as $$
declare
  changed text[] := string_to_array(current_setting('octavo.changed', true), ' ');
begin
  if id is null or changed && array[id, '*'] then return; end if;
  -- A longer list is not worth its weight: everything may have changed.
  if cardinality(changed) = 50 then id := '*'; end if;
  changed := changed || id;
  perform set_config('octavo.changed', array_to_string(changed, ' '), true);
  perform pg_notify('octavo_changed', concat_ws(' ', name, coalesce(current_setting('octavo.process', true), ''), id));
end
$$;

create or replace function announce_change() returns trigger language plpgsql as $$
begin
  perform announce_id(tg_table_name, to_jsonb(old) ->> tg_argv[0]);
  perform announce_id(tg_table_name, to_jsonb(new) ->> tg_argv[0]);
  return null;
end
$$;

create function announce_arrival() returns trigger language plpgsql as $$
begin
  perform announce_id('events', 'events:' || new.organization_id);
  return null;
end
$$;

create trigger event_arrivals_announced after insert on event_arrivals
  for each row execute function announce_arrival();
