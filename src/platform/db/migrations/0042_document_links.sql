-- Where a document leads and which places it has, kept under its hash as its sections and words are: a merge of what a
-- change request wrote reads it instead of parsing every page again.
-- owner: content
create table document_links (
  document_hash bytea primary key,
  -- JSON, which may hold what jsonb does not take
  links text not null,
  -- counts the ways that links were made in
  making smallint not null
);

-- A set of live rows that no space names: one that is being written beside the one that is read, or one that a space left
-- behind. Null for those in use.
alter table projections add column unused_since timestamptz;
create index projections_unused on projections (unused_since) where unused_since is not null;
update projections set unused_since = now()
  where not exists (select from spaces where spaces.projection_id = projections.id);

create function mark_unused_projection() returns trigger language plpgsql as $$
begin
  update projections set unused_since = now()
    where id = old.projection_id and not exists (select from spaces where spaces.projection_id = projections.id);
  return null;
end
$$;
create trigger spaces_projection_left after delete on spaces for each row execute function mark_unused_projection();
create trigger spaces_projection_moved after update of projection_id on spaces
  for each row when (old.projection_id <> new.projection_id) execute function mark_unused_projection();
