-- Which version of a glossary counts is kept in small caches: other processes are told when it moves.
create trigger glossaries_changed after insert or update or delete on glossaries for each statement execute function notify_changed();
