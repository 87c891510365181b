-- Counts the ways that texts for a model were made of sections: those of an older one are made again.
alter table embedded_sections add column making smallint not null default 0;
