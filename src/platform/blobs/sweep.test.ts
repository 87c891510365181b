// A blob that something names, or that somebody is about to name, is never removed, whenever a process dies.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import { openDiskBlobs } from './disk.ts'
import { holdingBlobs } from './holds.ts'
import { recordPuts } from './puts.ts'
import type { BlobStore } from './store.ts'
import { countUnremoved, sweepBlobs } from './sweep.ts'

const { db, transaction } = await openTestDatabase()
const log = createLog('silent')
const folder = await mkdtemp(join(tmpdir(), 'octavo-sweep-'))
after(() => rm(folder, { recursive: true, force: true }))
const blobs = await openDiskBlobs(folder, recordPuts(db))
/** Writes a put down as a store does whose bytes are not looked for. */
const record = (sha256: string) => recordPuts(db)(sha256, async () => true)

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
    where hash = any(${hashes.map(toBytes)}::bytea[]) and removed_until is not null`.execute(db)
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
  assert.deepEqual(await sweep(), { count: 1, bytes: newId().length, failures: 0 })
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
  assert.deepEqual(
    await sweep(),
    { count: 0, bytes: 0, failures: 0 },
    'what another one removes is left to it',
  )
  await endRemovals(before, afterwards, putAgain)
  await makeDue(before, afterwards, putAgain)
  await record(putAgain)
  assert.equal((await sweep()).count, 2)
  assert.deepEqual([await rowOf(before), await rowOf(afterwards)], [undefined, undefined])
  assert.equal(await isThere(before), false)
  assert.equal((await rowOf(putAgain))?.removed_by, null, 'a put takes over what a dead one began')
})

test('a put that dies before its bytes are there leaves a row that goes', async () => {
  const sha256 = 'ab'.repeat(32)
  await record(sha256)
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

test('blobs that cannot be removed wait longer each time, and hold up no others', async () => {
  const unremoved = await countUnremoved(db)
  const stuck = await Promise.all(Array.from({ length: 105 }, put))
  await makeDue(...stuck)
  const loose = await put()
  await sql`update blobs set due_at = now() - interval '1 second' where hash = ${toBytes(loose)}`.execute(db)
  const refusing = {
    find: blobs.find.bind(blobs),
    remove: (hash: string, signal: AbortSignal) =>
      stuck.includes(hash) ? Promise.reject(new Error('refused')) : blobs.remove(hash, signal),
  }
  const swept = await sweep(refusing)
  assert.deepEqual([swept.count, swept.failures], [1, 105])
  assert.equal(await isThere(loose), false, 'although a hundred were ahead of it')
  const one = stuck[0] as string
  const waits = async () => Math.round((Number((await rowOf(one))?.due_at) - Date.now()) / 3_600_000)
  const seen = [await waits()]
  for (let again = 0; again < 6; again += 1) {
    await makeDue(one)
    await endRemovals(one)
    await sweep(refusing)
    seen.push(await waits())
  }
  assert.deepEqual(seen, [1, 2, 4, 8, 16, 24, 24])
  assert.equal(await countUnremoved(db), unremoved + 105)
  await endRemovals(...stuck)
  await record(one)
  assert.equal((await rowOf(one))?.failures, 0, 'a put begins anew')
  await makeDue(...stuck)
  assert.equal((await sweep()).count, 105)
})

test('a store that removes nothing at all is asked for three batches, and one that hangs loses none', async t => {
  const all = await Promise.all(Array.from({ length: 320 }, put))
  await makeDue(...all)
  assert.equal((await sweep({ find: blobs.find.bind(blobs), remove: dies })).failures, 300)
  await endRemovals(...all)
  await makeDue(...all)
  const first = await sweep({
    find: blobs.find.bind(blobs),
    remove: async () => {
      t.mock.method(performance, 'now', () => Number.MAX_SAFE_INTEGER)
      throw new Error('timed out')
    },
  })
  t.mock.reset()
  assert.ok(first.failures > 0 && first.failures < 100, 'those that were not begun have not failed')
  await endRemovals(...all)
  await makeDue(...all)
  assert.equal((await sweep()).count, 320)
})

test('while an object cannot be read only blobs go whose bytes were not there when they were first put', async () => {
  const [before, again] = [await put(), Buffer.from(newId())]
  const { sha256: older } = await blobs.put(again, { contentType: 'a/b' })
  await db.deleteFrom('blobs').where('hash', '=', toBytes(older)).execute()
  const object = await name('cd'.repeat(32))
  await db.insertInto('unread_objects').values({ object_hash: object }).execute()
  await blobs.put(again, { contentType: 'a/b' })
  const after = await put()
  const streamed = await blobs.put(Readable.from([Buffer.from(newId())]), { contentType: 'a/b' })
  await makeDue(before, older, after, streamed.sha256)
  assert.equal((await sweep()).count, 2)
  const there = await Promise.all([before, older, after, streamed.sha256].map(isThere))
  assert.deepEqual(there, [true, true, false, false])
  await db.deleteFrom('objects').where('hash', '=', object).execute()
  await sweep()
  for (const hash of [before, older]) assert.equal(await isThere(hash), false, 'nothing holds them any more')
})

test('a sweep that was stopped after it took its rows removes nothing, by either clock', async t => {
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
  await Promise.all([
    sweep(),
    ...all.map(bytes => blobs.put(bytes, { contentType: 'a/b' })),
    sweep(),
    ...hashes.map(hash => record(hash)),
    sweep(),
  ])
  for (const hash of hashes) assert.ok(await isThere(hash))
})

test('puts that meet somebody who deletes names in another order are written down afterwards', {
  skip: testEngine === 'embedded' && 'one connection cannot deadlock',
}, async () => {
  const [low, high] = ['00'.repeat(32), 'ff'.repeat(32)]
  const recordOne = recordPuts(db)
  const recordBoth = () => Promise.all([low, high].map(hash => recordOne(hash, async () => true)))
  await recordBoth()
  const touch = (hash: string) => sql`update blobs set due_at = now() where hash = ${toBytes(hash)}`
  let recording: Promise<unknown> = Promise.resolve()
  const touching = db.transaction().execute(async trx => {
    await touch(high).execute(trx)
    recording = recordBoth()
    await untilSomebodyWaits(db)
    await touch(low).execute(trx)
  })
  // The database ends one of the two, most often the one that waits for longer: the puts.
  await Promise.allSettled([touching])
  await recording
  for (const hash of [low, high]) assert.ok(((await rowOf(hash))?.due_at ?? 0) > new Date())
})
