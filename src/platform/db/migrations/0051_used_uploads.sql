-- Uploads that an edit has inserted no longer count against the quota of those that wait. They can still be used again.
alter table uploads add column used_at timestamptz;
