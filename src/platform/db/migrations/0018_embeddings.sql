-- What texts mean to a model of embeddings. A text that stands in many places, or comes back, is asked about once.
-- owner: embeddings
create table embeddings (
  model text not null,
  -- SHA-256 of what was sent
  text_hash bytea not null,
  -- a signed byte for each dimension
  vector bytea not null,
  created_at timestamptz not null default now(),
  primary key (model, text_hash)
);

-- Which text stands for a section; gone with it.
-- owner: embeddings
create table embedded_sections (
  document_hash bytea not null,
  ordinal integer not null,
  model text not null,
  text_hash bytea not null,
  primary key (document_hash, ordinal, model),
  foreign key (document_hash, ordinal) references sections on delete cascade,
  foreign key (model, text_hash) references embeddings
);
create index embedded_sections_texts on embedded_sections (model, text_hash);
