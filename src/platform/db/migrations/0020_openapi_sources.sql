-- Which source of a specification a run has read: one that was given meanwhile is not written over.

-- owner: openapi-specs
alter table openapi_specs add column source_number integer not null default 1;

-- what clients know
update openapi_specs set last_error_code = case last_error_code
  when 'FETCH_TIMEOUT' then 'FETCH_TIMEOUT'
  when 'FETCH_FAILED' then 'FETCH_ERROR'
  else 'PARSE_ERROR'
end
where last_error_code is not null;

drop index openapi_specs_fetched;
create index openapi_specs_fetched on openapi_specs (coalesce(last_processed_at, updated_at)) where source_url is not null;
