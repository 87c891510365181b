-- Says which process has written as well: that one has told its caches when it committed (platform/db/changes.ts).
create or replace function notify_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('octavo_changed', tg_table_name || ' ' || coalesce(current_setting('octavo.process', true), ''));
  return null;
end
$$;
