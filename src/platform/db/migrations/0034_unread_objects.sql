-- What cannot be removed, or cannot be read, holds up nothing but itself: record 53.

-- `failures`: how often its removal failed since it was last put; each is followed by a longer wait.
-- `is_new`: while there were unread objects the bytes were looked for before they were put, and were not there. So none
-- of these objects relies on them.
alter table blobs
  add column failures smallint not null default 0,
  add column is_new boolean not null default false;

-- Objects that an older version wrote and that cannot be read: nobody knows which blobs they name. Each is tried again.
-- owner: content
create table unread_objects (
  object_hash bytea primary key references objects on delete cascade,
  tried_at timestamptz not null default now()
);
create index unread_objects_tried on unread_objects (tried_at);
