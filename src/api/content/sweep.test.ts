import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testEngine } from '../../../test/support/database.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { purgeSpaces } from '../spaces/jobs.ts'
import { sweepFiles } from './name-blobs.ts'
import { insertObjects } from './objects.ts'
import { sweepObjects, sweepObjectsWhenDue } from './sweep.ts'

const w = await world()
const { db } = w.services

const age = (hours: number) =>
  sql`update objects set touched_at = now() - make_interval(hours => ${hours})`.execute(db)
const isThere = async (hash: string) =>
  (await sql`select 1 from objects where hash = ${Buffer.from(hash, 'hex')}`.execute(db)).rows.length === 1

test('what a revision reaches stays, what none reaches goes, once it was left alone for a day', async () => {
  const id = await spaceWith(w, { 'README.md': '# Kept\n', 'SUMMARY.md': '* [Kept](README.md)\n' })
  const stray = encodeDocument('nobody refers to me')
  await insertObjects(db, [stray])
  assert.equal(await sweepObjects(w.services), 0, 'young objects are never candidates')
  await age(25)
  assert.ok((await sweepObjects(w.services)) >= 1)
  assert.equal(await isThere(stray.hash), false)
  w.services.changes.touch()
  const { status } = await w.call('GET', `/spaces/${id}/content`)
  assert.equal(status, 200)
})

test('objects are walked after a purge and not at every start', async () => {
  let reads = 0
  const objects: typeof w.services.objects = {
    ...w.services.objects,
    getNodes: hashes => {
      reads += 1
      return w.services.objects.getNodes(hashes)
    },
  }
  const readsOfSweep = async (): Promise<number> => {
    reads = 0
    await sweepObjectsWhenDue({ ...w.services, objects })
    return reads
  }
  await spaceWith(w, { 'README.md': '# Walked\n' })
  await age(25)
  await readsOfSweep()
  assert.equal(await readsOfSweep(), 0)
  await purgeAll((await w.createSpace()).id)
  assert.ok((await readsOfSweep()) > 0)
  assert.equal(await readsOfSweep(), 0)
})

test('putting an object again keeps it from the sweeper', async () => {
  const object = encodeDocument('put twice')
  await insertObjects(db, [object])
  await age(25)
  await insertObjects(db, [object])
  await sweepObjects(w.services)
  assert.equal(await isThere(object.hash), true)
})

test('an object that is put while the sweep runs survives it', async () => {
  const objects = Array.from({ length: 200 }, (_, index) => encodeDocument(`contested ${index}`))
  await insertObjects(db, objects)
  await age(25)
  // Whichever comes first, afterwards what was put has to be there.
  await Promise.all([sweepObjects(w.services), w.services.transaction(trx => insertObjects(trx, objects))])
  for (const { hash } of objects) assert.equal(await isThere(hash), true)
})

const sectionsOf = async (hash: string) =>
  (await sql`select 1 from sections where document_hash = ${Buffer.from(hash, 'hex')}`.execute(db)).rows
    .length
const purgeAll = (...ids: string[]) =>
  w.services
    .transaction(async trx => {
      await trx
        .updateTable('spaces')
        .set({ deleted_at: new Date(0) })
        .where('id', 'in', ids)
        .execute()
    })
    .then(() => purgeSpaces(w.services))

test('what a swept document was found by goes with it, and comes back with it', async () => {
  const text = '# Ephemeral\n\nWords of its own.\n'
  const { hash } = encodeDocument(text)
  await purgeAll(await spaceWith(w, { 'README.md': text }))
  assert.equal(await sectionsOf(hash), 1)
  await age(25)
  await sweepObjects(w.services)
  assert.equal(await sectionsOf(hash), 0)
  await assertLiveRows(w.services, await spaceWith(w, { 'README.md': text }))
  assert.equal(await sectionsOf(hash), 1)
})

test('a document that is published while it is swept can be found afterwards', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `page-${index}.md`,
      `# Contested\n\nWords of page ${index}.\n`,
    ]),
  )
  await purgeAll(await spaceWith(w, files))
  await age(25)
  const [id] = await Promise.all([spaceWith(w, files), sweepObjects(w.services)])
  await assertLiveRows(w.services, id)
})

const blobsOf = async (id: string): Promise<string[]> =>
  (await w.call('GET', `/spaces/${id}/content/files`)).body.items.map(
    ({ downloadURL }: { downloadURL: string }) => new URL(downloadURL).pathname.split('/')[2],
  )
const makeDue = () =>
  sql`update blobs set due_at = now() - interval '1 minute' where due_at is not null`.execute(db)

test('a file is removed a day after the last revision that has it, and not while another space has it', async () => {
  const files = (words: string) => ({
    'README.md': '# Files\n',
    '.gitbook/assets/both.txt': 'of both spaces',
    '.gitbook/assets/own.txt': words,
  })
  const kept = await spaceWith(w, files('of the space that stays'))
  const gone = await spaceWith(w, files('of the space that goes'))
  const [both, own, ownOfGone] = [...(await blobsOf(kept)), (await blobsOf(gone))[1]] as string[]
  await makeDue()
  await sweepFiles(w.services)
  await purgeAll(gone)
  await age(25)
  await sweepObjects(w.services)
  await sweepFiles(w.services)
  assert.ok(await w.services.blobs.find(ownOfGone as string), 'not on the same day')
  await makeDue()
  await sweepFiles(w.services)
  assert.equal(await w.services.blobs.find(ownOfGone as string), undefined)
  for (const blob of [both, own]) assert.ok(await w.services.blobs.find(blob as string))
})

test('a leaf that is put while it is swept names its files', {
  skip: testEngine === 'embedded' && 'its one session does one thing after the other',
}, async () => {
  const id = await spaceWith(w, {
    'README.md': '# Files\n',
    '.gitbook/assets/a.txt': 'of a leaf that comes back',
  })
  const [blob] = await blobsOf(id)
  const find = () =>
    sql<{ hash: Buffer; body: Buffer }>`select hash, body from objects join object_blobs on object_hash = hash
      where blob_hash = ${Buffer.from(blob as string, 'hex')}`.execute(db)
  const { hash, body } = (await find()).rows[0]!
  let putting: Promise<void> = Promise.resolve()
  await db.transaction().execute(async trx => {
    await sql`select from objects where hash = ${hash} for update`.execute(trx)
    putting = insertObjects(db, [{ hash: hash.toString('hex'), kind: 'node', body }])
    await untilSomebodyWaits(db)
    await sql`delete from objects where hash = ${hash}`.execute(trx)
  })
  await putting
  assert.equal((await find()).rows.length, 1)
})

test('leaves of an older version are read before any file is removed', async () => {
  const id = await spaceWith(w, { 'README.md': '# Old\n', '.gitbook/assets/old.txt': 'of an older version' })
  const [blob] = await blobsOf(id)
  const named = () => sql`select * from object_blobs order by object_hash, blob_hash`.execute(db)
  const { rows: before } = await named()
  await sql`alter table object_blobs disable trigger object_blobs_deleted`.execute(db)
  await sql`delete from object_blobs`.execute(db)
  await sql`alter table object_blobs enable trigger object_blobs_deleted`.execute(db)
  await sql`insert into settings (name, value) values ('blobs_named_after', '""')`.execute(db)
  await makeDue()
  await sweepFiles(w.services)
  assert.deepEqual((await named()).rows, before)
  assert.ok(await w.services.blobs.find(blob as string))
})

test('a leaf of an older version that is damaged holds back what it may name and nothing else, until it is mended', async () => {
  const files = { 'README.md': '# Damaged\n', '.gitbook/assets/a.txt': 'of a damaged leaf' }
  const [blob] = await blobsOf(await spaceWith(w, files))
  const hash = Buffer.from(blob as string, 'hex')
  const { rows } = await sql<{ hash: Buffer; body: Buffer }>`select hash, body from objects
    join object_blobs on object_hash = hash where blob_hash = ${hash}`.execute(db)
  const leaf = rows[0]!
  await sql`delete from object_blobs where blob_hash = ${hash}`.execute(db)
  // Also one in which no file can be seen any more.
  await sql`update objects set body = ${Buffer.from('damaged')} where hash = ${leaf.hash}`.execute(db)
  await sql`insert into settings (name, value) values ('blobs_named_after', '""')`.execute(db)
  await makeDue()
  await sweepFiles(w.services)
  assert.ok(await w.services.blobs.find(blob as string), 'nobody knows that it is not named')
  assert.equal(w.services.blobSweep.counts().unread, 1)
  const { sha256 } = await w.services.blobs.put(Buffer.from('put since'), { contentType: 'a/b' })
  await makeDue()
  await sweepFiles(w.services)
  assert.equal(await w.services.blobs.find(sha256), undefined)
  assert.ok(await w.services.blobs.find(blob as string))

  await sql`update objects set body = ${leaf.body} where hash = ${leaf.hash}`.execute(db)
  await makeDue()
  await sweepFiles(w.services)
  assert.equal(w.services.blobSweep.counts().unread, 0)
  assert.ok(await w.services.blobs.find(blob as string), 'it is named again')
})
