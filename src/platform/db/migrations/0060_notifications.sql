-- What people are told of, by the events that it follows from: one for each event and person.
-- owner: notifications
create table notifications (
  id text primary key,
  user_id text not null references users on delete cascade,
  event_id text not null,
  kind text not null check (kind in
    ('mention', 'review-requested', 'review-given', 'comment', 'merged', 'conflict', 'import-failed')),
  actor_id text,
  space_id text not null references spaces on delete cascade,
  change_request_id text references change_requests on delete cascade,
  comment_id text references comments on delete cascade,
  reply_id text references comment_replies on delete cascade,
  page_id text,
  -- in the list of the person; others are only mailed
  in_app boolean not null,
  -- to be mailed, unless it is read before
  to_mail boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  constraint notifications_event unique (event_id, user_id)
);
create index notifications_user on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_to_mail on notifications (user_id) where to_mail;
create index notifications_age on notifications (created_at);
create index notifications_space on notifications (space_id);
create index notifications_change_request on notifications (change_request_id) where change_request_id is not null;
create index notifications_comment on notifications (comment_id) where comment_id is not null;
create index notifications_reply on notifications (reply_id) where reply_id is not null;

-- Events that nobody has been told of yet.
-- owner: notifications
create table unnoticed_events (
  organization_id text not null,
  position bigint not null,
  event_id text not null,
  primary key (organization_id, position)
);

-- Only what somebody has changed.
-- owner: notifications
create table notification_settings (
  user_id text not null references users on delete cascade,
  kind text not null,
  app boolean not null,
  mail boolean not null,
  primary key (user_id, kind)
);

-- What people watch: a space, or a page or a change request in it.
-- owner: notifications
create table watches (
  user_id text not null references users on delete cascade,
  space_id text not null references spaces on delete cascade,
  page_id text,
  change_request_id text references change_requests on delete cascade,
  watched_at timestamptz not null default clock_timestamp(),
  constraint watches_thing unique nulls not distinct (user_id, space_id, page_id, change_request_id),
  constraint watches_one check (num_nonnulls(page_id, change_request_id) < 2)
);
create index watches_space on watches (space_id);
create index watches_change_request on watches (change_request_id) where change_request_id is not null;

-- Live streams of a person are woken by their notifications, as those of an organization by its events.
create function announce_notification() returns trigger language plpgsql as $$
begin
  perform announce_id('notifications', 'notifications:' || new.user_id);
  return null;
end
$$;

create trigger notifications_announced after insert or update of read_at on notifications
  for each row execute function announce_notification();
