-- What a specification says is compressed before it comes here: to compress 13 MB holds the database for a second.
-- Rows from before stay as they are, and say so.
alter table openapi_specs drop constraint openapi_specs_check;
alter table openapi_specs rename column source_text to source_body;
alter table openapi_specs
  alter column source_body type bytea using convert_to(source_body, 'UTF8'),
  add column is_deflated boolean not null default false,
  add constraint openapi_specs_check check ((source_url is null) <> (source_body is null));
alter table openapi_versions
  alter column raw type bytea using convert_to(raw, 'UTF8'),
  add column is_deflated boolean not null default false;
