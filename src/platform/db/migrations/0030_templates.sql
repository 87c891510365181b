-- Templates that an organization makes of its own spaces and pages.

-- owner: templates
create table templates (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  title text not null,
  description text not null default '',
  -- what it was made from
  space_id text references spaces on delete set null,
  pages integer not null,
  -- the names that its texts link to, for who applies it to give
  content_refs text[] not null,
  -- JSON: { pages, reusables }, see api/templates/template.ts. Not jsonb, which holds no U+0000.
  content bytea not null,
  created_by text references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index templates_newest on templates (organization_id, created_at desc, id desc);
create index templates_space on templates (space_id) where space_id is not null;
create index templates_creator on templates (created_by) where created_by is not null;

-- owner: templates
create table template_files (
  template_id text not null references templates on delete cascade,
  -- what the texts call it
  ref text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  dimensions jsonb,
  blob_hash bytea not null,
  primary key (template_id, ref)
);
create index template_files_blob on template_files (blob_hash);
create trigger template_files_deleted after delete on template_files
  referencing old table as before for each statement execute function look_after_blobs();
create trigger template_files_changed after update on template_files
  referencing old table as before for each statement execute function look_after_blobs();
