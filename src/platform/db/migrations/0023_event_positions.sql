-- Events in an order that can be read from a cursor: see record 49.

-- What was told and has no position yet. The transaction that tells writes it, so it is there exactly when its event is.
-- owner: platform/events
create table event_arrivals (
  number bigint generated always as identity primary key,
  event_id text not null,
  organization_id text not null,
  space_id text,
  type text not null
);

-- Positions are given after the commit, one giver at a time: whoever has read up to one has read everything before it.
-- owner: platform/events
create table event_positions (
  organization_id text not null,
  position bigint not null,
  event_id text not null,
  space_id text,
  type text not null,
  primary key (organization_id, position)
);

insert into event_positions (organization_id, position, event_id, space_id, type)
select organization_id, row_number() over (partition by organization_id order by occurred_at, id), id, space_id, type
from events where organization_id is not null;
