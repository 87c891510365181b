-- breaking
-- Paths can be longer than what a B-tree holds (2,704 bytes): a file's has up to 4,096 bytes, and a page's is up to 32
-- slugs of 100 characters. A repository with one such path could not be imported. A file's path is found by its hash,
-- and each thing has one row; the path of a page is only ever read, never looked for.
drop index live_pages_path;
alter table live_paths drop constraint live_paths_pkey;
alter table live_paths add constraint live_paths_pkey primary key (projection_id, id);
drop index live_paths_id;
create index live_paths_file on live_paths using hash (file);

-- What a space is kept with stands in its row as the caches of every node have it.
create trigger git_links_changed after insert or update or delete on git_links
  for each statement execute function notify_changed();
