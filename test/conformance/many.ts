// The scene, where of everything that there was one of there become many, written past PostgreSQL's statistics: it
// believes in the scene as it was, as it does right after an import and on the first day of a busy server.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Trx } from '../../src/platform/db/database.ts'
import { edit, liveAt } from '../support/edits.ts'
import { cookieOf } from '../support/sessions.ts'
import { newScene } from './scene.ts'

export const scene = await newScene()
const { w, org, space, ids } = scene

/** Of everything but pages and what hangs on them. */
const MANY = 500
export const PAGES = 1_000

const { db } = w.services
const { read } = w.people
const { changeRequestId: changeRequest, collectionId: collection, integrationName: integration } = ids
const onChangeRequest = `/spaces/${space.id}/change-requests/${changeRequest}`

// What the scene has none of yet.
const { changes } = await edit(
  w,
  liveAt(space.id),
  { operation: 'insert_page', title: 'Home', document: { markdown: 'A private word.\n' } },
  { operation: 'insert_files', files: [{ name: 'dot.txt', base64: 'Lg==', contentType: 'text/plain' }] },
)
const { body: files } = await w.call('GET', `/spaces/${space.id}/content/files`)
const { body: there } = await w.call('GET', `/spaces/${space.id}`)
const { id: home } = changes[0].page
await w.call('POST', `${onChangeRequest}/update`)
await edit(
  w,
  { spaceId: space.id, id: changeRequest as string, path: onChangeRequest },
  { operation: 'update_page', page: home, document: { markdown: 'A private text.\n' } },
)
const { body: review } = await w.call('POST', `${onChangeRequest}/reviews`, {
  body: { status: 'approved' },
  as: 'review',
})
const { body: audit } = await w.call('GET', `${org}/audit-events?limit=1`)
await w.call('POST', `/integrations/${integration}/tokens`, { body: { label: 'Program' } })

const { body: sent } = await w.call('POST', `/spaces/${space.id}/webhooks/${ids.webhookId}/test`)
const { body: told } = await w.call('GET', `/integrations/${integration}/events`)

/** Of browsers in which somebody is signed in. */
export const cookies = { read: await cookieOf(w, 'read'), admin: await cookieOf(w, 'admin') }

/** Of what the scene has none of, and many are made of here; by the name of the parameter. */
export const manyIds: Readonly<Record<string, string>> = {
  auditEventId: audit.items[0].id,
  deliveryId: sent.id,
  eventId: told.items[0].id,
  fileId: files.items[0].id,
  operationId: 'import-1',
  pageId: home,
  pagePath: 'home',
  reviewId: review.id,
  revisionId: there.revision,
}

type Copies = {
  readonly table: string
  /** Expressions of the columns in which the copies differ from what is copied; `n` counts them, `t` is the original. */
  readonly columns: Readonly<Record<string, string>>
  /** Which row is copied, of those of the scene's organization and space. */
  readonly of?: string
}

const person = `'user-' || n`
const hash = (of: string) => `decode(md5(${of}) || md5(${of} || '-'), 'hex')`

const IN_SPACE = 't.change_request_id is null'
const IN_CHANGE_REQUEST = 't.change_request_id is not null'

const COPIES: readonly Copies[] = [
  { table: 'users', columns: { id: person, email: `'user-' || n || '@people.test'` } },
  { table: 'members', columns: { user_id: person }, of: `t.role = 'read'` },
  { table: 'organizations', columns: { id: `'organization-' || n` } },
  {
    table: 'members',
    columns: { organization_id: `'organization-' || n` },
    of: `t.user_id = '${read.id}'`,
  },
  { table: 'sessions', columns: { id: `'session-' || n`, secret_hash: hash(`'session' || n`) } },
  {
    table: 'tokens',
    columns: { id: `'token-' || n`, secret_hash: hash(`'token' || n`) },
    of: `t.user_id = '${read.id}'`,
  },
  {
    table: 'tokens',
    columns: { id: `'program-' || n`, secret_hash: hash(`'program' || n`) },
    of: `t.integration = '${integration}'`,
  },
  { table: 'teams', columns: { id: `'team-' || n`, title: `'Team ' || n` } },
  { table: 'team_members', columns: { user_id: person }, of: `t.role = 'member'` },
  { table: 'team_members', columns: { team_id: `'team-' || n`, user_id: `'${read.id}'` } },
  { table: 'collections', columns: { id: `'collection-' || n`, position: 'n::text' } },
  { table: 'collections', columns: { id: `'nested-' || n`, parent_id: `'${collection}'` } },
  { table: 'projections', columns: { id: `'projection-' || n` } },
  {
    table: 'spaces',
    columns: {
      ...{ id: `'space-' || n`, position: 'n::text' },
      ...{ projection_id: `'projection-' || n`, revision_id: `'first-' || n` },
      parent_id: `case when n % 2 = 0 then '${collection}' end`,
      visibility: `case when n % 3 = 0 then 'public' else 'private' end`,
    },
  },
  {
    table: 'change_requests',
    columns: { id: `'change-request-' || n`, number: '1000 + n', status: `'open'`, created_by: person },
  },
  {
    table: 'change_requests',
    columns: {
      ...{ id: `'far-' || n`, space_id: `'space-' || n`, status: `'open'`, created_by: person },
      revision_id: `'first-' || n`,
    },
  },
  { table: 'revisions', columns: { id: `'first-' || n`, space_id: `'space-' || n` }, of: IN_SPACE },
  { table: 'revisions', columns: { id: `'revision-' || n`, created_by: person }, of: IN_SPACE },
  { table: 'revisions', columns: { id: `'edit-' || n`, created_by: person }, of: IN_CHANGE_REQUEST },
  { table: 'comments', columns: { id: `'said-' || n`, posted_by: person }, of: IN_SPACE },
  { table: 'comments', columns: { id: `'told-' || n`, posted_by: person }, of: IN_CHANGE_REQUEST },
  { table: 'share_links', columns: { id: `'share-' || n` } },
  { table: 'link_invites', columns: { id: `'invite-' || n` } },
  { table: 'link_invites', columns: { id: `'invite-to-' || n`, space_id: `'space-' || n` } },
  { table: 'saml_providers', columns: { id: `'provider-' || n` } },
  { table: 'integrations', columns: { name: `'integration-' || n` } },
  {
    table: 'installations',
    columns: {
      id: `'installation-' || n`,
      integration: `'integration-' || n`,
      space_selection: `'selected'`,
    },
  },
  {
    table: 'installations',
    columns: { id: `'installed-' || n`, organization_id: `'organization-' || n` },
  },
  { table: 'installation_spaces', columns: { space_id: `'space-' || n` } },
  { table: 'installation_spaces', columns: { installation_id: `'installation-' || n` } },
  { table: 'conversations', columns: { id: `'conversation-' || n`, external_id: `'conversation-' || n` } },
  { table: 'conversation_clusters', columns: { id: `'cluster-' || n` } },
  {
    table: 'conversation_issues',
    columns: { id: `'issue-' || n`, conversation_id: `'conversation-' || n`, cluster_id: `'cluster-' || n` },
  },
  {
    table: 'conversation_issues',
    columns: { id: `'more-' || n`, conversation_id: `'conversation-' || n`, position: '1' },
  },
  { table: 'templates', columns: { id: `'template-' || n` } },
  { table: 'glossary_entries', columns: { id: `'term-' || n` } },
  { table: 'openapi_specs', columns: { id: `'spec-' || n`, slug: `'spec-' || n` } },
  { table: 'openapi_versions', columns: { id: `'version-' || n` } },
  { table: 'openapi_versions', columns: { id: `'of-spec-' || n`, spec_id: `'spec-' || n` } },
  { table: 'openapi_parts', columns: { version_id: `'version-' || n` } },
  { table: 'openapi_parts', columns: { key: hash('n::text') } },
  { table: 'agent_tasks', columns: { id: `'task-' || n`, cluster_id: `'cluster-' || n` } },
  {
    table: 'agent_tasks',
    columns: { id: `'of-change-request-' || n`, change_request_id: `'${changeRequest}'` },
  },
  { table: 'events', columns: { id: 'gen_random_uuid()::text' } },
  {
    table: 'integration_events',
    columns: { id: 'gen_random_uuid()::text' },
    of: `t.integration = '${integration}'`,
  },
  { table: 'event_positions', columns: { position: '1000 + n' } },
  { table: 'webhooks', columns: { id: `'webhook-' || n`, space_id: `'space-' || n` } },
  { table: 'webhook_deliveries', columns: { webhook_id: `'webhook-' || n` } },
  {
    table: 'webhook_deliveries',
    columns: { event_id: 'gen_random_uuid()::text', status: `'waiting'`, completed_at: 'null' },
    of: `t.webhook_id = '${ids.webhookId}'`,
  },
]

const ROWS: readonly string[] = [
  `insert into comment_replies (id, comment_id, body, posted_by)
    select 'reply-' || n || c.id, c.id, 'So.', 'user-' || n from comments c, generate_series(1, ${MANY}) n
    where c.id in (select comment_id from comment_replies)`,
  `insert into reactions (comment_id, emoji, user_id)
    select c.id, '1f44d', 'user-' || n from comments c, generate_series(1, 3) n`,
  `insert into reactions (reply_id, emoji, user_id) select id, '1f44d', posted_by from comment_replies`,
  `insert into grants (id, organization_id, space_id, user_id, role)
    select 'on-space-' || n, '${w.organizationId}', '${space.id}', 'user-' || n, 'edit' from generate_series(1, ${MANY}) n`,
  `insert into grants (id, organization_id, space_id, user_id, role)
    select 'on-spaces-' || n, '${w.organizationId}', 'space-' || n, '${read.id}', 'edit' from generate_series(1, ${MANY}) n`,
  `insert into grants (id, organization_id, space_id, team_id, role)
    select 'of-team-' || n, '${w.organizationId}', '${space.id}', 'team-' || n, 'edit' from generate_series(1, ${MANY}) n`,
  `insert into grants (id, organization_id, collection_id, user_id, role)
    select 'on-collection-' || n, '${w.organizationId}', '${collection}', 'user-' || n, 'edit' from generate_series(1, ${MANY}) n`,
  `insert into grants (id, organization_id, collection_id, team_id, role)
    select 'to-team-' || n, '${w.organizationId}', '${collection}', 'team-' || n, 'edit' from generate_series(1, ${MANY}) n`,
  `insert into reviews (id, change_request_id, revision_id, reviewer_id, status)
    select 'review-' || n, '${changeRequest}', '${space.revision}', 'user-' || n, 'approved' from generate_series(1, ${MANY}) n`,
  `insert into viewed_pages (change_request_id, user_id, page_id, hash)
    select '${changeRequest}', 'user-' || n, 'p', 'hash' from generate_series(1, ${MANY}) n`,
  `insert into requested_reviewers (change_request_id, user_id, revision_id, requested_by)
    select '${changeRequest}', 'user-' || n, '${space.revision}', 'user-' || n from generate_series(1, ${MANY}) n`,
  `insert into requested_reviewers (change_request_id, team_id, revision_id, requested_by)
    select '${changeRequest}', 'team-' || n, '${space.revision}', 'user-' || n from generate_series(1, ${MANY}) n`,
  `insert into viewed_pages (change_request_id, user_id, page_id, hash)
    select '${changeRequest}', 'user-' || n, 'page-' || n, md5(n::text) from generate_series(1, ${MANY}) n`,
  `insert into git_operations (id, space_id, direction, state, stage, url, ref)
    select 'import-' || n, '${space.id}', 'import', 'success', 'finalize', 'https://git.test/x.git', 'main' from generate_series(1, ${MANY}) n`,
  `insert into git_commits (revision_id, space_id, oid, author_name, author_email, message, summary_root)
    select id, space_id, md5(id) || '00000000', 'Ada', 'ada@many.test', 'One of many', root_hash from revisions`,
  `insert into page_revisions (space_id, page_id, revision_id)
    select space_id, '${manyIds.pageId}', id from revisions where change_request_id is null
    on conflict do nothing`,
  `insert into git_packs (space_id, blob_hash)
    select '${space.id}', ${hash('n::text')} from generate_series(1, ${MANY}) n`,
  `insert into git_histories (space_id, oid, url, blob_hash)
    select '${space.id}', md5(n::text) || '00000000', 'https://x', ${hash('n::text')} from generate_series(1, ${MANY}) n`,
  `insert into git_branches (change_request_id, space_id, name)
    select id, space_id, 'branch-' || number from change_requests`,
  `insert into live_pages (projection_id, page_id, type, title, path, title_tsv, document_hash)
    select projection_id, 'p' || n, 'document', 'Private page ' || n, 'page-' || n, to_tsvector('simple', 'private page ' || n), ${hash('n::text')}
    from spaces, generate_series(1, ${PAGES}) n where spaces.id = '${space.id}'`,
  `insert into live_pages (projection_id, page_id, type, title, path, title_tsv, document_hash)
    select 'projection-' || n, 'p' || n, 'document', 'Private page ' || n, 'page-' || n, to_tsvector('simple', 'private page ' || n), ${hash('n::text')}
    from generate_series(1, ${MANY}) n`,
  `insert into live_paths (projection_id, file, kind, id)
    select projection_id, 'page-' || n || '.md', 'page', 'p' || n
    from spaces, generate_series(1, ${PAGES}) n where spaces.id = '${space.id}'`,
  // Pages that links come from and lead to are looked up in the content, so these are of the existing page.
  `insert into live_links (projection_id, from_id, ordinal, kind, relation, destination, candidates)
    select projection_id, '${home}', ${PAGES} + n, 'path', 'reference', 'page-' || n % 7 || '.md', array['gone.md', 'home.md']
    from spaces, generate_series(1, ${PAGES}) n where spaces.id = '${space.id}'`,
  `insert into live_links (projection_id, from_id, ordinal, kind, relation, destination, candidates)
    select projection_id, '${home}', n, 'path', 'reference', 'home.md', array['home.md', '.gitbook/assets/dot.txt']
    from spaces, generate_series(1, ${PAGES}) n where spaces.id = '${space.id}'`,
  `insert into live_anchors (projection_id, id, anchors)
    select projection_id, 'p' || n, array['a', 'b']
    from spaces, generate_series(1, ${PAGES}) n where spaces.id = '${space.id}'`,
  `insert into published_references (space_id, source_id, kind, name)
    select '${space.id}', 'p' || n, 'openapi', 'spec-' || n from generate_series(1, ${PAGES}) n`,
  `insert into git_tips (space_id, address, ref, project_directory, commit_oid, revision_id)
    select id, 'git.test/docs', 'refs/heads/b' || n, '', ${hash('n::text')}, revision_id
    from spaces, generate_series(1, ${MANY}) n where id = '${space.id}'`,
  `insert into git_known_commits (space_id, project_directory, oid)
    select '${space.id}', '', ${hash('n::text')} from generate_series(1, ${MANY}) n`,
  `insert into sso_bindings (issuer, subject, user_id)
    select 'https://issuer.test', 'subject-' || id, id from users where email like 'user-%@people.test'`,
  `insert into gone_paths (projection_id, file, kind, id, record)
    select projection_id, 'gone-' || n || '.md', 'page', 'g' || n, '{}'
    from spaces, generate_series(1, ${PAGES}) n where spaces.id = '${space.id}'`,
  `insert into sections (document_hash, ordinal, anchor, heading, body)
    select ${hash('n::text')}, o, 'a', 'Private', 'A private word of section ' || o
    from generate_series(1, ${PAGES}) n, generate_series(1, 2) o`,
  `insert into embeddings (model, text_hash, vector)
    select 'a-model', ${hash(`n || '.' || o`)}, 'vector' from generate_series(1, ${PAGES}) n, generate_series(1, 2) o`,
  `insert into embedded_sections (document_hash, ordinal, model, text_hash)
    select ${hash('n::text')}, o, 'a-model', ${hash(`n || '.' || o`)}
    from generate_series(1, ${PAGES}) n, generate_series(1, 2) o`,
  `insert into embeddings (model, text_hash, vector)
    select 'embedder', ${hash('n::text')}, '\\x010203' from generate_series(1, ${PAGES}) n`,
  `insert into embedded_sections (document_hash, ordinal, model, text_hash)
    select ${hash('n::text')}, o, 'embedder', ${hash('n::text')}
    from generate_series(1, ${PAGES}) n, generate_series(1, 2) o`,
  `insert into objects (hash, kind, body)
    select ${hash('n::text')}, 'node', '' from generate_series(1, ${PAGES}) n on conflict do nothing`,
  `insert into unread_objects (object_hash)
    select ${hash('n::text')} from generate_series(1, ${PAGES}) n`,
  `insert into object_blobs (object_hash, blob_hash)
    select ${hash('n::text')}, ${hash('n::text')} from generate_series(1, ${PAGES}) n`,
  `insert into blobs (hash, due_at)
    select ${hash('n::text')}, case when n % 2 = 0 then now() - interval '1 hour' end
    from generate_series(1, ${PAGES}) n`,
  `insert into template_files (template_id, ref, name, content_type, size, blob_hash)
    select 'template-' || n, 'file', 'a.png', 'image/png', 1, ${hash('n::text')} from generate_series(1, ${MANY}) n`,
  `insert into uploads (space_id, user_id, id, blob_hash)
    select 'space-' || n, '${read.id}', 'file', ${hash('n::text')} from generate_series(1, ${MANY}) n`,
  `insert into notifications (id, user_id, event_id, kind, actor_id, space_id, change_request_id, in_app, to_mail)
    select 'notification-' || n, 'user-' || n, 'event-' || n, 'comment', '${read.id}', '${space.id}', '${changeRequest}', true, true
    from generate_series(1, ${MANY}) n`,
  `insert into notifications (id, user_id, event_id, kind, actor_id, space_id, in_app, to_mail)
    select 'of-space-' || n, '${read.id}', 'event-' || n, 'comment', 'user-' || n, 'space-' || n, true, true
    from generate_series(1, ${MANY}) n`,
  `insert into notification_settings (user_id, kind, app, mail)
    select id, 'comment', true, false from users where id like 'user-%'`,
  `insert into mail_languages (user_id, language) select id, 'de' from users where id like 'user-%'`,
  `insert into watches (user_id, space_id) select id, '${space.id}' from users where id like 'user-%'`,
  `insert into watches (user_id, space_id)
    select '${read.id}', 'space-' || n from generate_series(1, ${MANY}) n`,
  `insert into known_conflicts (change_request_id, space_revision_id, revision_id, count)
    select id, '${space.revision}', revision_id, 1 from change_requests on conflict do nothing`,
  `insert into document_words (document_hash, words, making)
    select ${hash('n::text')}, to_tsvector('simple', 'a private word of section'), 1 from generate_series(1, ${PAGES}) n`,
  `insert into document_links (document_hash, links, making)
    select ${hash('n::text')}, '{"links":[],"anchors":[]}', 1 from generate_series(1, ${PAGES}) n`,
  `insert into scim_people (organization_id, user_id, user_name, external_id, email, display_name, made_account)
    select '${w.organizationId}', id, id, id, email, 'Private person', true from users where id like 'user-%'`,
  `insert into scim_groups (team_id, organization_id, external_id)
    select id, organization_id, id from teams where id like 'team-%'`,
  `insert into first_sign_ins (user_id) select id from users on conflict do nothing`,
]

/** Of which there is one for each thing, or which no list is made of. */
const FEW: ReadonlySet<string> = new Set([
  ...[
    'blob_holds',
    'erasures',
    'event_arrivals',
    'git_links',
    'git_sync_proposals',
    'git_syncs',
    'glossaries',
    'idempotency_keys',
    'integration_versions',
    'jobs',
    'migrations',
    'model_use',
    'oauth_clients',
    'oauth_grants',
    'openid_providers',
    'password_links',
    'answered_challenges',
    'passkeys',
    'recovery_codes',
    'sign_in_steps',
    'totp_secrets',
  ],
  ...[
    'passwords',
    'saml_assertions',
    'settings',
    'signing_keys',
    'sign_in_failures',
    'sso_requests',
    'unnoticed_events',
    'unread_objects',
    'visitor_keys',
  ],
])

export async function makeMany(): Promise<void> {
  await sql`analyze`.execute(db)
  // In one transaction, since spaces and revisions refer to one another.
  await db.transaction().execute(async trx => {
    for (const copies of COPIES) await insertCopies(trx, copies)
    for (const statement of ROWS) await sql.raw(statement).execute(trx)
  })
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    db,
  )
  for (const { table } of rows) {
    if (FEW.has(table)) continue
    const enough = await sql`select from ${sql.table(table)} offset ${MANY - 1} limit 1`.execute(db)
    assert.ok(enough.rows.length > 0, `there are many rows of ${table}`)
  }
}

async function insertCopies(trx: Trx, { table, columns, of = 'true' }: Copies): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'
    order by ordinal_position`.execute(trx)
  const names = rows.map(({ name }) => name)
  const whose = [
    ...(names.includes('organization_id') && !['tokens', 'sessions'].includes(table)
      ? [`t.organization_id = '${w.organizationId}'`]
      : []),
    ...(names.includes('space_id') && !['tokens', 'link_invites', 'events', 'event_positions'].includes(table)
      ? [`t.space_id = '${space.id}'`]
      : []),
  ]
  const where = [...whose, of].join(' and ')
  const { numAffectedRows } = await sql
    .raw(`insert into ${table} (${names.map(name => `"${name}"`)})
      select ${names.map(name => columns[name] ?? `t."${name}"`)}
      from (select * from ${table} t where ${where} limit 1) t, generate_series(1, ${MANY}) n`)
    .execute(trx)
  assert.equal(numAffectedRows, BigInt(MANY), `the scene has a row of ${table} to copy`)
}
