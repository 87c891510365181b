-- Pages of a change request that one of its readers has viewed, with a hash of each as it was then.
-- owner: reviews
create table viewed_pages (
  change_request_id text not null references change_requests on delete cascade,
  user_id text not null references users on delete cascade,
  page_id text not null,
  hash text not null,
  viewed_at timestamptz not null default clock_timestamp(),
  primary key (change_request_id, user_id, page_id)
);
create index viewed_pages_user on viewed_pages (user_id);
