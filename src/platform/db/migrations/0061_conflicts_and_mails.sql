-- How many conflicts a change request has with its space; known for one pair of heads.
-- owner: merges
create table known_conflicts (
  change_request_id text primary key references change_requests on delete cascade,
  space_revision_id text not null,
  revision_id text not null,
  count integer not null
);

-- The language of the mails of a person.
-- owner: notifications
create table mail_languages (
  user_id text primary key references users on delete cascade,
  language text not null check (language in ('en', 'de'))
);
