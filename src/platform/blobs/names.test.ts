// A table that names blobs and is forgotten would lose its files: every column that could be a hash is known here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { NAMING_TABLES } from './names.ts'

const { db } = await openTestDatabase()

// What they are instead. A new column of bytes is added here, or its table to NAMING_TABLES where it names a blob.
const NO_NAMES: Readonly<Record<string, readonly string[]>> = {
  'an object, or the root of a revision': [
    'document_links.document_hash',
    'document_words.document_hash',
    'embedded_sections.document_hash',
    'git_commits.summary_root',
    'live_pages.document_hash',
    'object_blobs.object_hash',
    'objects.hash',
    'revisions.root_hash',
    'sections.document_hash',
    'unread_objects.object_hash',
  ],
  'of what a request brought, or a person knows': [
    'answered_challenges.challenge_hash',
    'idempotency_keys.key_hash',
    'idempotency_keys.request_hash',
    'oauth_grants.code_hash',
    'oauth_grants.family_hash',
    'oauth_grants.refresh_hash',
    'password_links.secret_hash',
    'recovery_codes.code_hash',
    'sessions.secret_hash',
    'sign_in_failures.key',
    'sign_in_steps.secret_hash',
    'sso_requests.browser_hash',
    'tokens.secret_hash',
  ],
  'a text that was embedded, a specification or a part of one': [
    'embedded_sections.text_hash',
    'embeddings.text_hash',
    'openapi_parts.key',
    'openapi_versions.hash',
  ],
  'the bytes themselves': [
    'embeddings.vector',
    'git_syncs.secrets',
    'idempotency_keys.body',
    'integration_versions.icon',
    'integration_versions.previews',
    'integration_versions.secrets',
    'objects.body',
    'openapi_parts.body',
    'openapi_specs.source_body',
    'openapi_versions.document',
    'openapi_versions.raw',
    'passkeys.credential_id',
    'passkeys.public_key',
    'templates.content',
    'totp_secrets.secret',
    'webhooks.secret',
  ],
  'the blob itself': ['blobs.hash'],
}

test('every column of bytes either names blobs and is swept by, or is known to be something else', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and (udt_name in ('bytea', '_bytea') or column_name ~ 'blob')
      and table_name in (select tablename from pg_tables where tableowner = current_user)`.execute(db)
  const known = [...Object.values(NO_NAMES).flat(), ...NAMING_TABLES.map(table => `${table}.blob_hash`)]
  const names = rows.map(({ name }) => name).filter(name => !name.startsWith('test_'))
  assert.deepEqual(names.sort(), known.sort())
})

test('a table that names blobs records when a row stops to, and is queried by an index', async () => {
  for (const table of NAMING_TABLES) {
    const { rows: triggers } = await sql<{ event: string }>`
      select event_manipulation as event from information_schema.triggers
      where event_object_table = ${table} and action_statement ~ 'look_after_blobs'
        and action_reference_old_table = 'before' order by 1`.execute(db)
    assert.deepEqual(
      triggers.map(({ event }) => event),
      ['DELETE', 'UPDATE'],
      table,
    )
    const { rows: indexes } = await sql`
      select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
      where indrelid = ${table}::regclass and attname = 'blob_hash'`.execute(db)
    assert.ok(indexes.length > 0, `${table} has an index that begins with blob_hash`)
  }
})
