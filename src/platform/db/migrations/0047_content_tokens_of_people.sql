-- Content tokens end with what they were made by. Those from before name nobody; they live for a day at most, so they
-- end now.
delete from tokens where kind = 'content';

alter table tokens
  -- who made a content token
  add column created_by text references users (id) on delete cascade,
  -- the token that a content token was made with
  add column made_with text references tokens (id) on delete cascade,
  add constraint tokens_creator_check check ((kind = 'content') = (created_by is not null)),
  add constraint tokens_made_with_check check (made_with is null or kind = 'content');

create index tokens_creator on tokens (created_by) where created_by is not null;
create index tokens_made_with on tokens (made_with) where made_with is not null;
