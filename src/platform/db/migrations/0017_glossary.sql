-- How an organization says its terms in each language.

-- One row for each organization that has entries, or had some.
-- owner: glossary
create table glossaries (
  organization_id text primary key references organizations on delete cascade,
  -- moves with every batch: what was made of an older version is not used any more
  version bigint not null default 1
);

-- owner: glossary
create table glossary_entries (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  -- by language
  translations jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index glossary_entries_newest on glossary_entries (organization_id, created_at desc, id desc);
