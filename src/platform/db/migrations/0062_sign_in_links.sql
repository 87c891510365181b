-- Who has signed in before, and when first: a link that an admin makes is for others only.
-- owner: sessions
create table first_sign_ins (
  user_id text primary key references users on delete cascade,
  signed_in_at timestamptz not null default now()
);
insert into first_sign_ins (user_id, signed_in_at)
  select id, created_at from users
  where exists (select from passwords where passwords.user_id = users.id)
    or exists (select from sessions where sessions.user_id = users.id)
    or exists (select from sso_bindings where sso_bindings.user_id = users.id)
    or exists (select from tokens where tokens.user_id = users.id)
    or exists (select from members where members.user_id = users.id and last_seen_at is not null)
    or id in (select actor_id from events where type = 'session.begun');

-- A link that an admin made stands on the word of the organization alone, and so does a password chosen with it.
-- Null: for the whole account.
alter table password_links
  add organization_id text references organizations on delete cascade,
  add created_by text references users on delete cascade;
create index password_links_organization on password_links (organization_id, user_id)
  where organization_id is not null;
create index password_links_created_by on password_links (created_by) where created_by is not null;
alter table passwords add organization_id text references organizations on delete cascade;
create index passwords_organization on passwords (organization_id) where organization_id is not null;

-- How many people an invitation link lets in; null: any number.
alter table link_invites
  add uses integer not null default 0,
  add uses_max integer check (uses_max > 0);
