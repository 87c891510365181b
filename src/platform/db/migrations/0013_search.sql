-- breaking: an older program would write words where they stand no more
--
-- Search ranks with indexes of its own, kept in memory. The database answers where there is none yet: it says which pages
-- may be meant, and no more than that is kept for it: the words of each document, without places.

-- owner: content
create table document_words (
  document_hash bytea primary key,
  words tsvector not null,
  -- The way they were made. Those of another way than the program's are made again, by a job that runs by the clock.
  making smallint not null
);

-- A tsvector holds at most 1 MB; what is left out of a long document is there as soon as it was made again.
insert into document_words (document_hash, words, making)
  select document_hash, array_to_tsvector((array_agg(distinct word.lexeme))[1:6000]), 0
  from sections cross join lateral unnest(sections.tsv) as word
  where word.lexeme not like '~%' and length(word.lexeme) <= 32
  group by document_hash;

create index document_words_words on document_words using gin (words);
create index document_words_making on document_words (making);

drop index sections_tsv;
alter table sections drop column tsv;
drop table words;

-- From a document to the pages of a space that show it, and to those of any.
drop index live_pages_document;
create index live_pages_document on live_pages (document_hash, projection_id);
create index live_pages_title on live_pages using gin (title_tsv);
