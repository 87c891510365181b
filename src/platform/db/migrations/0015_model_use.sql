-- What organizations have asked of the language model, in tokens by the hour: the limit holds over processes and restarts.
-- A call is written before it is made, with the most it may take, and corrected when it is over.
-- owner: platform/model
create table model_use (
  organization_id text not null references organizations (id) on delete cascade,
  hour timestamptz not null,
  tokens bigint not null,
  primary key (organization_id, hour)
);
create index model_use_hour on model_use (hour);
