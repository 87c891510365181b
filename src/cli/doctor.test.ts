// What the doctor finds, what it makes anew, and what it can only name.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newScene } from '../../test/conformance/scene.ts'
import { assertLiveRows } from '../../test/support/live-rows.ts'
import { publishFiles, spaceWith } from '../../test/support/pages.ts'
import type { OidcConfig } from '../platform/config.ts'
import { diagnose } from './doctor.ts'

const { w } = await newScene({})
const { db } = w.services
const silent = { emit: () => {}, signal: new AbortController().signal }
const look = () => diagnose(w.services, { isDryRun: true }, silent)
const repair = () => diagnose(w.services, { isDryRun: false }, silent)

const FILES = {
  'README.md': '# Start\n\nSee [more](more.md#part) and a [file](.gitbook/assets/a.txt).\n',
  'SUMMARY.md': '* [Start](README.md)\n* [More](more.md)\n  * [Deep](deep.md)\n',
  'more.md': '# More\n\n## Part\n\nWords of a part.\n',
  'deep.md': '# Deep\n\nWords in the deep.\n',
  '.gitbook/assets/a.txt': 'words of a file',
}
const space = await spaceWith(w, FILES, { title: 'Whole' })

/** A job gives a duplicate live rows of its own. */
async function untilForked(duplicate: string): Promise<void> {
  const find = (id: string) =>
    db.selectFrom('spaces').select('projection_id').where('id', '=', id).executeTakeFirstOrThrow()
  while ((await find(duplicate)).projection_id === (await find(space)).projection_id) await sleep(5)
}

test('doctor finds nothing wrong in a healthy installation, with a duplicate and after edits', async () => {
  const { body: duplicate } = await w.call('POST', `/spaces/${space}/duplicate`)
  await untilForked(duplicate.id)
  await publishFiles(w, space, { ...FILES, 'deep.md': '# Deep\n\nOther words.\n' })
  const { body: draft } = await w.call('POST', `/spaces/${space}/change-requests`)
  assert.ok(draft.id)
  const { repaired, lost, checked } = await look()
  assert.deepEqual([repaired, lost], [[], []])
  const { objects, ...others } = checked
  assert.ok(objects > 5)
  assert.deepEqual(others, { blobs: 1, heads: 5, projections: 3 })
})

test('wrong live rows, sections and words are reported in a dry run, and rebuilt', async () => {
  const { projection_id: owner } = await db
    .selectFrom('spaces')
    .select('projection_id')
    .where('id', '=', space)
    .executeTakeFirstOrThrow()
  await sql`update live_pages set title = 'Wrong' where projection_id = ${owner} and path = 'more'`.execute(
    db,
  )
  await sql`update live_pages set title_tsv = '' where projection_id = ${owner} and path = 'more/deep'`.execute(
    db,
  )
  await sql`delete from live_paths where projection_id = ${owner} and file = 'deep.md'`.execute(db)
  await sql`delete from live_links where projection_id = ${owner}`.execute(db)
  await sql`update live_anchors set anchors = '{}' where projection_id = ${owner}`.execute(db)
  await sql`insert into live_paths values (${owner}, 'ghost.md', 'page', 'ghost')`.execute(db)
  const hash = sql`(select document_hash from live_pages where projection_id = ${owner} and path = 'more')`
  await sql`update sections set body = 'wrong' where document_hash = ${hash}`.execute(db)
  const other = sql`(select document_hash from live_pages where projection_id = ${owner} and path = 'more/deep')`
  await sql`delete from document_words where document_hash = ${other}`.execute(db)

  const seen = await look()
  assert.ok(seen.repaired.includes(`space ${space} (Whole): 13 rows of its pages, paths and links`))
  // one of the two is in the duplicate as well
  const found = seen.repaired.map(what => Number(/: (\d+) documents? for search$/.exec(what)?.[1] ?? 0))
  assert.equal(
    found.reduce((sum, count) => sum + count),
    2,
  )
  await assert.rejects(assertLiveRows(w.services, space))
  const done = await repair()
  assert.deepEqual([done.repaired, done.lost], [seen.repaired, []])
  await assertLiveRows(w.services, space)
  assert.deepEqual((await look()).repaired, [])
})

test('a named file that the sweep would remove is known again, and a leftover file gets its day', async () => {
  await sql`delete from object_blobs`.execute(db)
  const { sha256 } = await w.services.blobs.put(Buffer.from('left over'), { contentType: 'text/plain' })
  await sql`delete from blobs where hash = ${Buffer.from(sha256, 'hex')}`.execute(db)
  const found = ['that could have been removed', 'that nothing names, to be removed in a day']
  const { repaired } = await look()
  assert.deepEqual(
    repaired.map(what => what.replace(/^\d+ files? /, '')),
    found,
  )
  assert.deepEqual((await repair()).repaired, repaired)
  assert.deepEqual((await look()).repaired, [])
})

test('a file that only an upload, a template or a push has is looked for as well', async () => {
  const hashes = ['a', 'b', 'c'].map(digit => digit.repeat(64))
  const [upload, file, pack] = hashes.map(hash => Buffer.from(hash, 'hex'))
  const template = 'lost-template'
  await sql`insert into uploads (space_id, user_id, id, blob_hash)
    values (${space}, ${w.people.admin.id}, 'lost', ${upload})`.execute(db)
  await sql`insert into templates (id, organization_id, title, pages, content_refs, content)
    values (${template}, ${w.organizationId}, '', 0, '{}', '')`.execute(db)
  await sql`insert into template_files (template_id, ref, name, content_type, size, blob_hash)
    values (${template}, 'a', 'a.txt', 'text/plain', 1, ${file})`.execute(db)
  await sql`insert into git_packs (space_id, blob_hash) values (${space}, ${pack})`.execute(db)
  const missing = hashes.map(hash => `file ${hash} is missing`)
  assert.deepEqual((await look()).lost.toSorted(), missing)
  for (const table of ['uploads', 'templates', 'git_packs'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  assert.deepEqual((await look()).lost, [])
})

test('objects that hold back the removal of files, and files that cannot be removed, are noticed', async () => {
  assert.deepEqual((await look()).noticed, [])
  const file = Buffer.alloc(32, 7)
  await sql`insert into unread_objects (object_hash) select hash from objects limit 1`.execute(db)
  await sql`insert into blobs (hash, due_at, failures) values (${file}, now(), 1)`.execute(db)
  const { noticed } = await look()
  assert.deepEqual(
    noticed.map(what => what.replace(/,.*| and are.*/, '')),
    ['1 objects of an earlier version cannot be read', '1 files that nothing names could not be removed'],
  )
  await sql`delete from unread_objects`.execute(db)
  await sql`delete from blobs where hash = ${file}`.execute(db)
})

test('why the last sign-in with the provider of the installation failed is noticed, until one succeeds', async () => {
  const issuer = 'https://login.example.test'
  const oidc: OidcConfig = {
    ...{ issuer, label: 'Company', clientId: 'octavo', clientSecret: 'a secret', emailClaim: 'email' },
    ...{ trustsEmails: false, scopes: 'openid email profile', responseMode: 'query' },
  }
  const services = { ...w.services, config: { ...w.services.config, oidc } }
  const noticed = async () => (await diagnose(services, { isDryRun: true }, silent)).noticed
  assert.deepEqual(await noticed(), [])
  await sql`insert into openid_providers (issuer, last_failed_at, last_failure_code, last_failure_reason)
    values (${issuer}, '2030-01-31T09:40:38Z', 'oidc_client', 'It does not accept the secret.')`.execute(db)
  const refusal = `the last sign-in with ${issuer} failed at 2030-01-31T09:40:38.000Z: oidc_client. It does not accept the secret.`
  assert.deepEqual(await noticed(), [refusal])
  await sql`update openid_providers set last_signed_in_at = '2030-01-31T09:41:00Z'`.execute(db)
  assert.deepEqual(await noticed(), [])
})

test('missing data is reported with what needs it, and is not replaced', async () => {
  const damaged = await spaceWith(
    w,
    { ...FILES, 'more.md': '# More\n\nOf this space alone.\n' },
    { title: 'Damaged' },
  )
  const { body: page } = await w.call('GET', `/spaces/${damaged}/content/path/more`)
  assert.equal(page.title, 'More')
  await sql`update objects set body = body || 'x'::bytea where hash =
    (select document_hash from live_pages where page_id = ${page.id})`.execute(db)
  const gone = await spaceWith(w, { 'README.md': '# Gone\n\nIts text goes.\n' }, { title: 'Gone' })
  await sql`delete from objects where hash in (select document_hash from live_pages where projection_id =
    (select projection_id from spaces where id = ${gone}))`.execute(db)
  const broken = await spaceWith(w, { 'README.md': '# Broken\n' }, { title: 'Broken' })
  await sql`delete from objects where hash = (select root_hash from revisions where id =
    (select revision_id from spaces where id = ${broken}))`.execute(db)
  const { value: blob } = await w.services.blobs.list()[Symbol.asyncIterator]().next()
  const path = (sha256: string) =>
    join(w.config.home, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  writeFileSync(path(blob?.sha256 ?? ''), 'rotten')

  const { lost } = await look()
  const of = (title: string) =>
    lost.filter(what => what.includes(`(${title})`)).map(what => what.replace(/^.*?\): /, ''))
  assert.ok(of('Damaged').includes('the text of the page more (More) is lost'), lost.join('\n'))
  assert.ok(of('Damaged').includes('the bytes of the file .gitbook/assets/a.txt are lost'))
  assert.match(of('Gone').join(), /the text of the page .* \(Gone\) is lost/)
  assert.match(of('Broken').join(), /its content cannot be read/)
  assert.equal(lost.filter(what => /^the bytes of object [0-9a-f]{64} are damaged$/.test(what)).length, 1)
  assert.equal(lost.filter(what => /^object [0-9a-f]{64} is missing$/.test(what)).length, 2)
  assert.equal(lost.filter(what => /^the bytes of file [0-9a-f]{64} are damaged$/.test(what)).length, 1)

  rmSync(path(blob?.sha256 ?? ''))
  const again = await repair()
  assert.ok(again.lost.includes(`file ${blob?.sha256} is missing`))
  assert.match(again.lost.join(), /its live rows cannot be computed/)
})
