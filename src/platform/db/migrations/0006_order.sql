-- Collections and spaces of one parent stand in one order. Its neighbours are found by an index at the root too, where
-- the parent is null and only the organization tells whose root it is.
drop index spaces_parent;
create index spaces_parent on spaces (parent_id, organization_id, position, id);
drop index collections_parent;
create index collections_parent on collections (parent_id, organization_id, position, id);
