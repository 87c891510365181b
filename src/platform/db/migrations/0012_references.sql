-- Whatever is deleted is looked for in everything that refers to it, once for each row: without an index that is a look at
-- the whole table. Users and organizations are never deleted.
create index spaces_revision on spaces (revision_id);
create index change_requests_revision on change_requests (revision_id);
create index comments_in_space on comments (space_id);
create index grants_space on grants (space_id) where space_id is not null;
create index grants_collection on grants (collection_id) where collection_id is not null;
create index link_invites_space on link_invites (space_id) where space_id is not null;
create index link_invites_collection on link_invites (collection_id) where collection_id is not null;
create index saml_providers_team on saml_providers (default_team_id) where default_team_id is not null;
create index sessions_token on sessions (token_id) where token_id is not null;
create index sso_requests_provider on sso_requests (provider_id) where provider_id is not null;
