-- For whom a job runs: jobs take turns by organization, then by person. Null for work that belongs to nobody.
alter table jobs add column for_organization text;
alter table jobs add column for_person text;

-- A source that did not answer is asked again later each time.
alter table openapi_specs add column unanswered integer not null default 0;
alter table openapi_specs add column next_attempt_at timestamptz;
create index openapi_specs_retried on openapi_specs (next_attempt_at) where next_attempt_at is not null;
