-- breaking: an older program would write links under a name that is there no more
--
-- What is asked of links beyond where they lead: whether the place that they name is on the page, whether what stands there
-- can be shown so, and what they meant when nothing stands there any more.

-- Rows are kept in a way that is counted. Those of another way than the program's are made again, by a job that runs by the
-- clock.
alter table projections add column making smallint not null default 0;

-- Links stand in pages and in reusable contents.
alter table live_links rename column from_page to from_id;
-- A picture has to be a file, an include a reusable content; a link leads to pages and files.
alter table live_links add column usage text not null default 'link' check (usage in ('link', 'image', 'include', 'openapi'));
-- The anchor as anchors are compared: decoded, in lower case. Null where none is named.
alter table live_links add column place text;
create index live_links_includes on live_links (projection_id, from_id) where usage = 'include';

-- The places of a page or a reusable content that links may name, in lower case. Where there is no row they are not known.
-- owner: content
create table live_anchors (
  projection_id text not null references projections on delete cascade,
  id text not null,
  anchors text[] not null,
  primary key (projection_id, id)
);

-- What stood at a path last, once it has gone from there.
-- owner: content
create table gone_paths (
  projection_id text not null references projections on delete cascade,
  file text not null,
  kind text not null check (kind in ('page', 'file', 'reusable-content')),
  id text not null,
  -- JSON, as it last was, without subpages: text, because titles may hold what jsonb does not
  record text not null,
  -- of a page, in its space
  path text not null default '',
  gone_at timestamptz not null default now()
);
-- By a digest: a path (up to 4,096 bytes) can be longer than what a B-tree holds (2,704).
create unique index gone_paths_file on gone_paths (projection_id, md5(file));
create index gone_paths_oldest on gone_paths (projection_id, gone_at);

drop index live_paths_file;
create index live_paths_file on live_paths (projection_id, md5(file));
