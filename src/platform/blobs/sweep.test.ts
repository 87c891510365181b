// A blob that something names, or that somebody is about to name, is never removed, whenever a process dies.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import { openDiskBlobs } from './disk.ts'
import { holdingBlobs } from './holds.ts'
import { recordPuts } from './puts.ts'
import type { BlobStore } from './store.ts'
import { sweepBlobs } from './sweep.ts'

const { db, transaction } = await openTestDatabase()
const log = createLog('silent')
const folder = await mkdtemp(join(tmpdir(), 'octavo-sweep-'))
after(() => rm(folder, { recursive: true, force: true }))
const blobs = await openDiskBlobs(folder, recordPuts(db))

const sweep = (store: Pick<BlobStore, 'find' | 'remove'> = blobs) =>
  sweepBlobs({ db, transaction, blobs: store, log })
const toBytes = (sha256: string): Buffer => Buffer.from(sha256, 'hex')

/** Puts bytes that nobody else has. */
const put = async (): Promise<string> =>
  (await blobs.put(Buffer.from(newId()), { contentType: 'a/b' })).sha256
/** As if the day were over. */
const makeDue = (...hashes: string[]) =>
  sql`update blobs set due_at = now() - interval '1 minute'
    where hash = any(${hashes.map(toBytes)}::bytea[])`.execute(db)
/** As if the process that removes them had died, and its time were over. */
const endRemovals = (...hashes: string[]) =>
  sql`update blobs set removed_until = now() - interval '1 minute'
    where hash = any(${hashes.map(toBytes)}::bytea[])`.execute(db)
const rowOf = async (sha256: string) =>
  (await db.selectFrom('blobs').selectAll().where('hash', '=', toBytes(sha256)).execute())[0]
const isThere = async (sha256: string) => (await blobs.find(sha256)) !== undefined

async function name(sha256: string): Promise<Buffer> {
  const object = toBytes(
    newId()
      .padEnd(32, '0')
      .slice(0, 32)
      .replaceAll(/[^0-9a-f]/g, 'a')
      .repeat(2),
  )
  await db.insertInto('objects').values({ hash: object, kind: 'node', body: object }).execute()
  await db
    .insertInto('object_blobs')
    .values({ object_hash: object, blob_hash: toBytes(sha256) })
    .execute()
  return object
}

test('what nothing names goes when its day is over, what something names stays and is left alone', async () => {
  const [young, old, named] = [await put(), await put(), await put()]
  const object = await name(named)
  await makeDue(old, named)
  assert.deepEqual(await sweep(), { count: 1, bytes: newId().length })
  assert.deepEqual([await isThere(young), await isThere(old), await isThere(named)], [true, false, true])
  assert.equal(await rowOf(old), undefined)
  assert.equal((await rowOf(named))?.due_at, null)

  await db.deleteFrom('objects').where('hash', '=', object).execute()
  assert.ok((await rowOf(named))?.due_at, 'it is looked at again once its name is deleted')
  await sweep()
  assert.ok(await isThere(named), 'in a day')
  await makeDue(named)
  await sweep()
  assert.equal(await isThere(named), false)
})

test('bytes that were put before there were rows for blobs are known once they lose a name', async () => {
  const sha256 = await put()
  const object = await name(sha256)
  await db.deleteFrom('blobs').where('hash', '=', toBytes(sha256)).execute()
  await db.deleteFrom('object_blobs').where('object_hash', '=', object).execute()
  await makeDue(sha256)
  await sweep()
  assert.equal(await isThere(sha256), false)
})

test('a put waits while the same bytes are removed, and puts them anew', async () => {
  const bytes = Buffer.from(newId())
  const { sha256 } = await blobs.put(bytes, { contentType: 'a/b' })
  await makeDue(sha256)
  let putting: Promise<unknown> = Promise.resolve()
  await sweep({
    find: blobs.find.bind(blobs),
    async remove(hash, signal) {
      putting = blobs.put(bytes, { contentType: 'a/b' })
      await Promise.race([putting, new Promise(resolve => setTimeout(resolve, 50))])
      await blobs.remove(hash, signal)
    },
  })
  await putting
  assert.ok(await isThere(sha256))
  assert.equal((await rowOf(sha256))?.removed_by, null)
})

const dies = () => Promise.reject(new Error('killed'))

test('a process that is killed before it removed the bytes, or right after, leaves nothing wrong', async () => {
  const [before, afterwards, putAgain] = [await put(), await put(), await put()]
  await makeDue(before, afterwards, putAgain)
  await sweep({ find: blobs.find.bind(blobs), remove: dies })
  const { signal } = new AbortController()
  await blobs.remove(afterwards, signal)
  await blobs.remove(putAgain, signal)
  assert.deepEqual(await sweep(), { count: 0, bytes: 0 }, 'what another one removes is left to it')
  await endRemovals(before, afterwards, putAgain)
  await recordPuts(db)(putAgain)
  assert.equal((await sweep()).count, 2)
  assert.deepEqual([await rowOf(before), await rowOf(afterwards)], [undefined, undefined])
  assert.equal(await isThere(before), false)
  assert.equal((await rowOf(putAgain))?.removed_by, null, 'a put takes over what a dead one began')
})

test('a put that dies before its bytes are there leaves a row that goes', async () => {
  const sha256 = 'ab'.repeat(32)
  await recordPuts(db)(sha256)
  await makeDue(sha256)
  await sweep()
  assert.equal(await rowOf(sha256), undefined)
})

test('a sweep that took too long takes no row away that somebody else has by now', async () => {
  const bytes = Buffer.from(newId())
  const { sha256 } = await blobs.put(bytes, { contentType: 'a/b' })
  await makeDue(sha256)
  await sweep({
    find: blobs.find.bind(blobs),
    async remove(hash, signal) {
      await blobs.remove(hash, signal)
      await endRemovals(hash)
      await blobs.put(bytes, { contentType: 'a/b' })
    },
  })
  assert.ok(await isThere(sha256))
  assert.ok((await rowOf(sha256))?.due_at)
})

test('a sweep that was stopped after it took its rows removes nothing, whichever clock tells', async t => {
  const clocks = [
    () => t.mock.method(performance, 'now', () => Number.MAX_SAFE_INTEGER),
    () => t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 30_000 }),
  ]
  for (const moveOn of clocks) {
    const sha256 = await put()
    await makeDue(sha256)
    await sweepBlobs({
      ...{ db, blobs, log },
      transaction: run => transaction(run).finally(moveOn),
    })
    t.mock.reset()
    assert.ok(await isThere(sha256))
    assert.ok((await rowOf(sha256))?.removed_by, 'its row is left')
  }
})

test('while a backup reads nothing is removed, and a backup that died holds nothing for long', async () => {
  const sha256 = await put()
  await makeDue(sha256)
  await holdingBlobs(db, async () => {
    await sweep()
    assert.ok(await isThere(sha256))
  })
  await sql`insert into blob_holds (id, ends_at) values ('dead', now() - interval '1 second')`.execute(db)
  await sweep()
  assert.equal(await isThere(sha256), false)
  assert.deepEqual(await db.selectFrom('blob_holds').selectAll().execute(), [])
})

test('whichever wins, puts or sweeps in several processes, what was put is there', async () => {
  const all = Array.from({ length: 40 }, () => Buffer.from(newId()))
  const hashes = await Promise.all(
    all.map(async bytes => (await blobs.put(bytes, { contentType: 'a/b' })).sha256),
  )
  await makeDue(...hashes)
  const other = recordPuts(db)
  await Promise.all([
    sweep(),
    ...all.map(bytes => blobs.put(bytes, { contentType: 'a/b' })),
    sweep(),
    ...hashes.map(hash => other(hash)),
    sweep(),
  ])
  for (const hash of hashes) assert.ok(await isThere(hash))
})

test('puts that meet somebody who deletes names in another order are written down afterwards', {
  skip: testEngine === 'embedded' && 'one connection cannot deadlock',
}, async () => {
  const [low, high] = ['00'.repeat(32), 'ff'.repeat(32)]
  const record = recordPuts(db)
  const recordBoth = () => Promise.all([record(low), record(high)])
  await recordBoth()
  const touch = (hash: string) => sql`update blobs set due_at = now() where hash = ${toBytes(hash)}`
  let recording: Promise<unknown> = Promise.resolve()
  const touching = db.transaction().execute(async trx => {
    await touch(high).execute(trx)
    recording = recordBoth()
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      waiting = rows.length
    }
    await touch(low).execute(trx)
  })
  // The database ends one of the two, most often the one that waits for longer: the puts.
  await Promise.allSettled([touching])
  await recording
  for (const hash of [low, high]) assert.ok(((await rowOf(hash))?.due_at ?? 0) > new Date())
})
