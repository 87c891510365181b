-- Personal data: erasing a person, how long an organization keeps the audit and conversations, and rotating the key
-- that signs.

-- People who are being erased, or have been. What is left of their account is a name for what they wrote.
-- owner: people
create table erasures (
  user_id text primary key references users on delete cascade,
  begun_at timestamptz not null default now(),
  -- what they were called, to find it where it is written; null when that is done
  name text,
  -- null: rows of theirs may be left, and the job goes on
  completed_at timestamptz
);

-- Days; null is what the operator has set, or for ever.
alter table organizations
  add column audit_days integer check (audit_days > 0),
  add column conversation_days integer check (conversation_days > 0);

-- Events are never rewritten, but for erasing a person and for letting go of old ones. A transaction that does this
-- says so.
create function refuse_change_of_events() returns trigger language plpgsql as $$
begin
  if tg_op <> 'TRUNCATE' and current_setting('octavo.lets_go_of_events', true) = 'on' then return null; end if;
  raise exception 'rows of % are never changed or deleted', tg_table_name;
end
$$;
drop trigger events_append_only on events;
create trigger events_append_only before update or delete or truncate on events
  for each statement execute function refuse_change_of_events();

-- What somebody wrote, to be exported for them.
create index revisions_creator on revisions (created_by, id) where created_by is not null;
create index comments_author on comments (posted_by, id);
create index reviews_reviewer on reviews (reviewer_id, id);
create index reactions_person on reactions (user_id, coalesce(comment_id, reply_id), emoji);
create index git_operations_creator on git_operations (created_by, id) where created_by is not null;
-- Old ones are let go of in the order of their time.
create index conversations_oldest on conversations (organization_id, created_at, id);

-- The keys that sign: the newest signs, and those before it verify what they signed until they retire.
-- owner: platform/keys
create table signing_keys (
  id text primary key,
  secret text not null,
  created_at timestamptz not null default now(),
  -- null: the one that signs
  retires_at timestamptz
);
create unique index signing_keys_current on signing_keys ((true)) where retires_at is null;
insert into signing_keys (id, secret) select 'first', value #>> '{}' from settings where name = 'signing_key';
create trigger signing_keys_announced after insert or update or delete on signing_keys
  for each row execute function announce_change('id');
