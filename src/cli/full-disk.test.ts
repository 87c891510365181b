// What a server says whose disk is full: test/e2e/full-disk.test.ts fills one.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { PIXEL } from '../../test/support/pages.ts'
import { serverWith } from '../../test/support/server.ts'
import { world } from '../../test/support/world.ts'
import { asStoreFailure } from '../platform/blobs/store.ts'
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
  const writeAgain = () => w.call('POST', path, { body: { title: 'Room again' } })
  // A server takes writes again once one that it tries by itself finds room, for which its timer has to get its turn:
  // a refusal that is injected needs none.
  let again = await writeAgain()
  while (again.status === 507) {
    await setTimeout(20)
    again = await writeAgain()
  }
  assert.equal(again.status, 201)
})

test('while the database has no room, the server is not ready, every method that may write is refused, and reading goes on', async () => {
  const app = buildServer({ ...w.services, databaseRoom: { isFull: true } })
  const space = await w.createSpace({ title: 'Kept' })
  const headers = { authorization: `Bearer ${w.people.admin.token}` }
  const url = `/v1/spaces/${space.id}`
  const { statusCode, body } = await app.inject('/readyz')
  assert.deepEqual([statusCode, JSON.parse(body)], [503, { status: 'disk full' }])
  for (const [method, path, payload] of [
    ['PATCH', url, { title: 'Changed' }],
    ['DELETE', url, undefined],
    ['POST', `${url}/duplicate`, {}],
    ['PUT', `${url}/content/page/none/reaction`, {}],
  ] as const) {
    const answer = await app.inject({
      ...{ method, url: path, headers },
      ...(payload === undefined ? {} : { payload }),
    })
    assert.equal(answer.statusCode, method === 'PUT' ? 404 : 507, `${method}: ${answer.body}`)
  }
  const read = await app.inject({ url, headers })
  assert.deepEqual([read.statusCode, read.json().title], [200, 'Kept'])
  await app.close()
})
