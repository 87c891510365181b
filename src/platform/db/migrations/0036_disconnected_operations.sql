-- The space was disconnected while this one ran: it ends as it would, and connects nothing.
alter table git_operations add column is_disconnected boolean not null default false;
