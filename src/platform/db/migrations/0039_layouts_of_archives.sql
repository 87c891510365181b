-- What a folder or an archive was read as; null for repositories, and where nothing was read yet.
alter table git_operations add column layout text;
