-- A key that has retired goes when nothing is left that it made: recovery codes are hashes that nobody can make anew.
-- null: made before it was written down.
alter table recovery_codes add column key_id text references signing_keys on delete cascade;
update recovery_codes set key_id = (select id from signing_keys)
  where (select count(*) from signing_keys) = 1;
create index recovery_codes_key on recovery_codes (key_id);

-- Others have got hold of it: it verifies nothing, and its row is there only for what is still to be encrypted anew.
alter table signing_keys add column revoked boolean not null default false;
