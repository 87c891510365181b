-- breaking: an older program would write files whose blobs nothing is known to name
--
-- Which blobs are there, and what names them, so that those that nothing names can be removed: record 53.

-- Every blob that was put since, from before its bytes have their name. Bytes without a row are never removed.
-- owner: platform/blobs
create table blobs (
  -- SHA-256 of the bytes
  hash bytea primary key,
  -- when the sweep looks whether anything names it; null: something did when it last looked
  due_at timestamptz,
  -- the sweep that removes the bytes, and until when others leave the blob to it
  removed_by text,
  removed_until timestamptz,
  check ((removed_by is null) = (removed_until is null))
);
create index blobs_due on blobs (due_at) where due_at is not null;

-- Who reads files of an earlier moment, such as a backup: until these end no blob is removed.
-- owner: platform/blobs
create table blob_holds (
  id text primary key,
  ends_at timestamptz not null
);

-- For every table whose rows name blobs, in a column `blob_hash`, after rows of it were deleted or changed.
create function look_after_blobs() returns trigger language plpgsql as $$
begin
  insert into blobs (hash, due_at)
    select distinct blob_hash, now() + interval '1 day' from before where blob_hash is not null order by blob_hash
    on conflict (hash) do update set due_at = excluded.due_at;
  return null;
end
$$;

-- The blobs of the files in a leaf.
-- owner: content
create table object_blobs (
  object_hash bytea not null references objects on delete cascade,
  blob_hash bytea not null,
  primary key (object_hash, blob_hash)
);
create index object_blobs_blob on object_blobs (blob_hash);
create trigger object_blobs_deleted after delete on object_blobs
  referencing old table as before for each statement execute function look_after_blobs();
create trigger object_blobs_changed after update on object_blobs
  referencing old table as before for each statement execute function look_after_blobs();

-- Leaves from before are read in the background (api/content/name-blobs.ts); nothing is removed until it is through.
insert into settings (name, value) select 'blobs_named_after', '""' where exists (select from objects);
