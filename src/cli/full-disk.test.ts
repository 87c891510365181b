import assert from 'node:assert/strict'
import { existsSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { testEngine } from '../../test/support/database.ts'
import { startedHome } from '../../test/support/home.ts'
import { PIXEL } from '../../test/support/pages.ts'
import { ADMIN_TOKEN, run } from '../../test/support/process.ts'
import { serverWith } from '../../test/support/server.ts'
import { type SmallDisk, smallDisk } from '../../test/support/small-disk.ts'
import { world } from '../../test/support/world.ts'
import type { Failure } from '../base/errors.ts'
import { asStoreFailure } from '../platform/blobs/store.ts'
import { readConfig } from '../platform/config.ts'
import { insertSetting } from '../platform/db/settings.ts'
import { createLog } from '../platform/log.ts'
import { startFirst } from './first-start.ts'
import { openHouse } from './house.ts'
import { buildServer } from './server.ts'

const w = await world()

const base64 = PIXEL.toString('base64')

// Of the file systems that machines have, this one has never any room.
const FULL = '/proc'

test('a server whose disk is full is not ready, and says why', {
  skip: !existsSync(FULL) && 'no file system here is always full',
}, async () => {
  const app = serverWith(w, { home: FULL })
  const { statusCode, body } = await app.inject('/readyz')
  assert.deepEqual([statusCode, JSON.parse(body)], [503, { status: 'disk full' }])
  await app.close()
})

test('a file that the disk has no room for is refused with a sentence, and reading goes on', async () => {
  const { services } = w
  const put = () => {
    const reason = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      ...{ code: 'ENOSPC', syscall: 'write' },
    })
    return Promise.reject(asStoreFailure(reason))
  }
  const app = buildServer({ ...services, blobs: Object.assign(Object.create(services.blobs), { put }) })
  const space = await w.createSpace({ title: 'Full' })
  const headers = { authorization: `Bearer ${w.people.admin.token}` }
  const refused = await app.inject({
    ...{ method: 'POST', url: `/v1/spaces/${space.id}/content?compat=false`, headers },
    payload: {
      changes: [{ operation: 'insert_files', files: [{ name: 'a.png', base64, contentType: 'image/png' }] }],
    },
  })
  assert.equal(refused.statusCode, 507, refused.body)
  assert.match(refused.json().error.message, /disk of the server is full/)
  assert.equal((await app.inject({ url: `/v1/spaces/${space.id}/content`, headers })).statusCode, 200)
  await app.close()
})

test('a write that PostgreSQL has no room for is refused with a sentence, and reading goes on', async () => {
  const { db } = w.services
  await sql`create function refuse_for_a_full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/1": No space left on device' using errcode = 'disk_full';
  end $$`.execute(db)
  await sql`create trigger full_disk before insert on spaces execute function refuse_for_a_full_disk()`.execute(
    db,
  )
  const path = `/orgs/${w.organizationId}/spaces`
  const refused = await w.call('POST', path, { body: { title: 'No room' } })
  await sql`drop trigger full_disk on spaces`.execute(db)
  assert.deepEqual([refused.status, refused.body.error.code], [507, 507])
  assert.match(refused.body.error.message, /disk of the server is full/)
  assert.equal((await w.call('GET', path)).status, 200)
  assert.equal((await w.call('POST', path, { body: { title: 'Room again' } })).status, 201)
})

const disk = testEngine === 'embedded' ? smallDisk(160) : undefined
const room = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
const needsDisk = {
  skip:
    disk === undefined &&
    (testEngine === 'embedded'
      ? 'this user may not mount a small disk'
      : 'only of the embedded database the disk is that of the server'),
}

test(
  'a server whose disk fills up goes on reading, refuses writes, and writes again once there is room',
  needsDisk,
  async () => {
    const { folder, fill, makeRoom } = disk as SmallDisk
    const config = { OCTAVO_HOME: await startedHome(folder), OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN }
    const house = await openHouse(readConfig(config), createLog('silent'))
    const { db, transaction } = house.services
    const app = buildServer(house.services)
    await startFirst(house.services)
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const read = () => app.inject({ url: '/v1/orgs', headers })
    const ready = async () => (await app.inject('/readyz')).json().status
    const organization = (await read()).json().items[0].id
    const write = () =>
      app.inject({
        ...{ method: 'POST', url: `/v1/orgs/${organization}/spaces`, headers },
        payload: { title: 'One more' },
      })
    const assertRefused = async () => {
      const refused = await write()
      assert.equal(refused.statusCode, 507)
      assert.match(refused.json().error.message, /disk of the server is full/)
      assert.equal(await ready(), 'disk full')
    }

    fill()
    await assertRefused()
    assert.equal((await read()).statusCode, 200)
    makeRoom()
    assert.equal(await ready(), 'ready')
    assert.equal((await write()).statusCode, 201)

    // What is written nevertheless needs the next file of the log, when the one that is there already is full too:
    // PostgreSQL gives up, and cannot be opened to read.
    fill()
    let notes = 0
    const note = () => {
      notes += 1
      return transaction(trx => insertSetting(trx, `note-${notes}`, notes)).then(
        () => undefined,
        (error: unknown) => error as Failure,
      )
    }
    const noteInNextFile = () => sql`select pg_switch_wal()`.execute(db).then(note)
    const why = ((await noteInNextFile()) ?? (await noteInNextFile())) as Failure
    assert.deepEqual([why.kind, why.code], ['storage_full', 'disk_full'])
    assert.match(String((why.cause as Error).message), /No space left on device/)
    await assertRefused()
    const unread = await read()
    assert.equal(unread.statusCode, 507)
    makeRoom()
    for (let failure = await note(); failure !== undefined; failure = await note()) await sleep(100)
    assert.equal((await read()).statusCode, 200)
    assert.equal((await write()).statusCode, 201)
    assert.equal(await ready(), 'ready')
    await app.close()
    await house.close()
  },
)

test(
  'a start on a full disk says so in a sentence, and the next one finds nothing of it',
  needsDisk,
  async () => {
    const { folder, fill, makeRoom } = disk as SmallDisk
    const home = join(folder, 'new')
    const refused = async (): Promise<void> => {
      const { code, stderr } = await run(['serve'], {
        env: { OCTAVO_HOME: home, OCTAVO_LOG_LEVEL: 'silent', PORT: '0' },
      })
      assert.equal(code, 1, stderr)
      assert.match(stderr, /^octavo: The disk of the server is full[^\n]*\n$/)
    }
    fill()
    await refused()
    // With room for the lock, and not for the database.
    makeRoom()
    writeFileSync(join(folder, 'other'), Buffer.alloc(room(folder) - 20_000_000))
    await refused()
    assert.deepEqual(readdirSync(home), [])
  },
)
