-- When a share link last opened its space, to the hour. It decides nothing, so it is not announced.
alter table share_links add column last_used_at timestamptz;
drop trigger share_links_announced on share_links;
create trigger share_links_announced after delete or update of space_id, name, is_active on share_links
  for each row execute function announce_change('id');
