-- What crawlers are told about: public spaces in the order of their ids, with what tells whether one has changed.
create index spaces_public on spaces (id, revision_id) where visibility = 'public' and deleted_at is null;
