-- What the texts at the head of a space name and readers may see, although it is private: somebody who may see it wrote or
-- merged the name. A page or reusable content that still has the name keeps it, whoever edits it.
-- owner: content
create table published_references (
  space_id text not null references spaces on delete cascade,
  -- the page or reusable content that names it
  source_id text not null,
  kind text not null check (kind = 'openapi'),
  -- the slug or the address of a specification of the space's organization
  name text not null,
  primary key (space_id, source_id, kind, name)
);
create index published_references_name on published_references (space_id, kind, name);

-- What readers see today stays. The names of blocks are in the live rows; those of computed pages are read by a job.
insert into published_references (space_id, source_id, kind, name)
  select distinct spaces.id, from_id, 'openapi', btrim(destination, E' \t\n\r\f\v')
  from spaces join live_links on live_links.projection_id = spaces.projection_id
  where usage = 'openapi' and live_links.kind in ('openapi', 'url');

insert into jobs (id, name, key, data)
  select 'published-' || spaces.id, 'content.publish_computed', spaces.id,
    jsonb_build_object('space', spaces.id, 'root', encode(revisions.root_hash, 'hex'))
  from spaces join revisions on revisions.id = spaces.revision_id
  where exists (select from live_pages where live_pages.projection_id = spaces.projection_id and type = 'computed');
