-- A space of scope 'space' takes no part in searches and answers of its organization.
alter table spaces add column search_scope text not null default 'organization' check (search_scope in ('organization', 'space'));
