-- Keys of requests belong to programs, too: user_id is the id of a user or of an installation, or the name of an
-- integration behind `integration:`. It keeps its name, so that processes of an earlier version go on beside newer ones.
-- Rows are gone after a day, so nothing has to remove those of who is gone.
alter table idempotency_keys drop constraint idempotency_keys_user_id_fkey;
