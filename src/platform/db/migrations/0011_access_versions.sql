-- A number for each organization that moves with everything that decides who may see what in it. What a process has
-- decided it keeps under this number, so that writing content, which is most of what is written, makes nobody decide
-- again. Moved by triggers alone: whoever writes one of these tables cannot forget it.
-- owner: platform/db
create table access_versions (
  -- no foreign key: the last rows of an organization that goes move its number once more
  organization_id text primary key,
  version bigint not null
);

create function move_access_version() returns trigger language plpgsql as $$
begin
  insert into access_versions (organization_id, version)
    select distinct organization_id, 1 from moved order by organization_id
    on conflict (organization_id) do update set version = access_versions.version + 1;
  return null;
end
$$;

create function move_access_versions_of_row() returns trigger language plpgsql as $$
begin
  insert into access_versions (organization_id, version)
    select distinct organization_id, 1 from (values (old.organization_id), (new.organization_id)) as changed (organization_id)
    order by organization_id
    on conflict (organization_id) do update set version = access_versions.version + 1;
  return null;
end
$$;

create trigger spaces_access_insert after insert on spaces
  referencing new table as moved for each statement execute function move_access_version();
create trigger spaces_access_delete after delete on spaces
  referencing old table as moved for each statement execute function move_access_version();
-- The head of a space moves with every edit, and decides nothing.
create trigger spaces_access_update after update on spaces for each row
  when ((old.organization_id, old.parent_id, old.default_level, old.visibility, old.deleted_at is null)
    is distinct from (new.organization_id, new.parent_id, new.default_level, new.visibility, new.deleted_at is null))
  execute function move_access_versions_of_row();

create trigger collections_access_insert after insert on collections
  referencing new table as moved for each statement execute function move_access_version();
create trigger collections_access_delete after delete on collections
  referencing old table as moved for each statement execute function move_access_version();
create trigger collections_access_update after update on collections for each row
  when ((old.organization_id, old.parent_id, old.default_level) is distinct from (new.organization_id, new.parent_id, new.default_level))
  execute function move_access_versions_of_row();

create trigger grants_access_insert after insert on grants
  referencing new table as moved for each statement execute function move_access_version();
create trigger grants_access_update after update on grants
  referencing new table as moved for each statement execute function move_access_version();
create trigger grants_access_delete after delete on grants
  referencing old table as moved for each statement execute function move_access_version();

create trigger team_members_access_insert after insert on team_members
  referencing new table as moved for each statement execute function move_access_version();
create trigger team_members_access_delete after delete on team_members
  referencing old table as moved for each statement execute function move_access_version();

create trigger members_access_insert after insert on members
  referencing new table as moved for each statement execute function move_access_version();
create trigger members_access_delete after delete on members
  referencing old table as moved for each statement execute function move_access_version();
-- When somebody was last seen decides nothing.
create trigger members_access_update after update on members for each row
  when ((old.role, old.disabled, old.sso) is distinct from (new.role, new.disabled, new.sso))
  execute function move_access_versions_of_row();
