-- Files that were sent ahead of the changes that insert them.

-- owner: edits
create table uploads (
  space_id text not null references spaces on delete cascade,
  -- who sent it, and who alone may use it
  user_id text not null references users on delete cascade,
  -- as they call it
  id text not null,
  blob_hash bytea not null,
  -- as they say; null: they did not
  content_type text,
  created_at timestamptz not null default now(),
  primary key (user_id, space_id, id)
);
create index uploads_space on uploads (space_id);
create index uploads_blob on uploads (blob_hash);
create index uploads_created on uploads (created_at);
create trigger uploads_deleted after delete on uploads
  referencing old table as before for each statement execute function look_after_blobs();
create trigger uploads_changed after update on uploads
  referencing old table as before for each statement execute function look_after_blobs();
