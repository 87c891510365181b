-- Who may see which spaces is kept by every process as the layout of the organization, which a new collection or space
-- makes old as well: the other processes are told of those too.
drop trigger spaces_changed on spaces;
create trigger spaces_changed after insert or update or delete on spaces for each statement execute function notify_changed();
drop trigger collections_changed on collections;
create trigger collections_changed after insert or update or delete on collections for each statement execute function notify_changed();
