-- The revisions of a space that changed a page: its own words and fields, and not its place.
-- owner: content
create table page_revisions (
  space_id text not null references spaces on delete cascade,
  page_id text not null,
  revision_id text not null,
  primary key (space_id, page_id, revision_id)
);
