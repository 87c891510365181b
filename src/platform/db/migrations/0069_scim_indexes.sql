-- Names before organizations: an index that begins with the organization is taken for one of its rows by key, where
-- PostgreSQL knows nothing of a table yet.
drop index teams_name;
create index teams_name on teams (lower(title), organization_id);

drop index scim_people_user_name;
create unique index scim_people_user_name on scim_people (lower(user_name), organization_id);
drop index scim_people_email;
create unique index scim_people_email on scim_people (lower(email), organization_id);
drop index scim_people_external_id;
create index scim_people_external_id on scim_people (external_id, organization_id) where external_id is not null;
