-- Writing: proposals, what is said about them, and who judges them.

-- owner: change-requests
create table change_requests (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  -- counts from 1 in each space
  number integer not null,
  status text not null default 'draft' check (status in ('draft', 'open', 'archived', 'merged')),
  subject text not null default '',
  -- a rich document
  description jsonb,
  -- the head of the proposal: moves only by compare-and-set in the transaction that inserted the revision
  revision_id text not null,
  revision_initial_id text not null,
  -- the head of the space when the proposal was last brought up to date
  revision_merged_ancestor_id text,
  revision_merged_id text,
  conversations_issues_cluster text,
  created_by text not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  merged_by text references users,
  merged_at timestamptz,
  constraint change_requests_number_key unique (space_id, number)
);
create index change_requests_space on change_requests (space_id, status, updated_at desc, id desc);
create index change_requests_creator on change_requests (created_by);

-- A revision of a change request stands beside the history of its space, and so does one that an import only kept.
alter table revisions
  add column change_request_id text references change_requests on delete cascade,
  add column is_standalone boolean not null default false;
drop index revisions_space;
create index revisions_history on revisions (space_id, created_at desc, id desc)
  where change_request_id is null and not is_standalone;
create index revisions_space on revisions (space_id);
create index revisions_change_request on revisions (change_request_id, created_at desc) where change_request_id is not null;
create index revisions_contributor on revisions (created_by, change_request_id) where change_request_id is not null;
alter table change_requests add constraint change_requests_revision_fkey
  foreign key (revision_id) references revisions deferrable initially deferred;

-- Who was asked for a review and has not given one since.
-- owner: change-requests
create table requested_reviewers (
  change_request_id text not null references change_requests on delete cascade,
  user_id text not null references users,
  -- the head of the proposal when the review was asked for
  revision_id text not null,
  requested_by text not null references users,
  requested_at timestamptz not null default now(),
  primary key (change_request_id, user_id)
);
create index requested_reviewers_user on requested_reviewers (user_id);

-- owner: reviews
create table reviews (
  id text primary key,
  change_request_id text not null references change_requests on delete cascade,
  revision_id text not null,
  reviewer_id text not null references users,
  requested_by text references users,
  status text not null check (status in ('approved', 'changes-requested')),
  -- replaced by a newer review or request of the same reviewer
  outdated boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index reviews_change_request on reviews (change_request_id, created_at desc, id desc);
-- Everybody's word counts once.
create unique index reviews_current_key on reviews (change_request_id, reviewer_id) where not outdated;

-- A remark on a space, or on a change request of it.
-- owner: comments
create table comments (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  change_request_id text references change_requests on delete cascade,
  review_id text references reviews on delete cascade,
  -- the content it was made on
  revision_id text not null,
  page_id text,
  -- the key of the block it stands at; follows the block when that is edited
  node text,
  table_record text,
  table_definition text,
  -- the block or the page it stood at is there no more
  outdated boolean not null default false,
  -- Markdown
  body text not null,
  posted_by text not null references users,
  posted_at timestamptz not null default now(),
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by text references users
);
create index comments_space on comments (space_id, posted_at desc, id desc) where change_request_id is null;
create index comments_change_request on comments (change_request_id, posted_at desc, id desc)
  where change_request_id is not null;
-- Counts what is open on a space and on each of its change requests, without the rows.
create index comments_open on comments (space_id, change_request_id) where resolved_at is null;
create index comments_contributor on comments (posted_by, change_request_id) where change_request_id is not null;
create index comments_anchored on comments (space_id, change_request_id, page_id) where page_id is not null;
create index comments_review on comments (review_id) where review_id is not null;

-- owner: comments
create table comment_replies (
  id text primary key,
  comment_id text not null references comments on delete cascade,
  body text not null,
  posted_by text not null references users,
  posted_at timestamptz not null default now(),
  edited_at timestamptz
);
create index comment_replies_comment on comment_replies (comment_id, posted_at, id);
create index comment_replies_contributor on comment_replies (posted_by, comment_id);

-- Of a comment, or of a reply to it.
-- owner: comments
create table reactions (
  comment_id text references comments on delete cascade,
  reply_id text references comment_replies on delete cascade,
  emoji text not null,
  user_id text not null references users,
  reacted_at timestamptz not null default now(),
  check ((comment_id is null) <> (reply_id is null))
);
create unique index reactions_comment on reactions (comment_id, emoji, user_id) where comment_id is not null;
create unique index reactions_reply on reactions (reply_id, emoji, user_id) where reply_id is not null;

-- Spaces and change requests are kept in small caches together with their counts.
create trigger change_requests_changed after insert or update or delete on change_requests for each statement execute function notify_changed();
create trigger comments_changed after insert or update or delete on comments for each statement execute function notify_changed();
create trigger requested_reviewers_changed after insert or update or delete on requested_reviewers for each statement execute function notify_changed();
create trigger reviews_changed after insert or update or delete on reviews for each statement execute function notify_changed();
