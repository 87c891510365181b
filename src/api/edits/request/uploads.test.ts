// Files that are sent ahead: of any size, never held, and used by who sent them.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'kysely'
import { changeRequestOn, edit, refused } from '../../../../test/support/edits.ts'
import { PIXEL, spaceWith } from '../../../../test/support/pages.ts'
import { type PersonName, world } from '../../../../test/support/world.ts'
import { findUploads, markUploadsUsed, removeOldUploads } from './uploads.ts'

const MIB = 1024 * 1024
const w = await world()
const space = await spaceWith(w, { 'README.md': '# Start\n' })
const place = await changeRequestOn(w, space)

async function upload(name: string, bytes: Uint8Array | Readable, as: PersonName = 'admin', headers = {}) {
  const answer = await w.app.inject({
    method: 'PUT',
    url: `/v1/spaces/${space}/uploads/${name}`,
    headers: { authorization: `Bearer ${w.people[as].token}`, ...headers },
    payload: bytes as Buffer,
  })
  return { status: answer.statusCode, body: JSON.parse(answer.payload) }
}
const insert = (...files: readonly object[]) => ({ operation: 'insert_files', files })
const temporary = () => readdir(join(w.config.home, 'blobs/temporary'))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('a file is sent as it is, whatever its type, and inserted by the name it was sent under', async () => {
  const { status, body } = await upload('pixel', PIXEL, 'admin', { 'content-type': 'application/json' })
  assert.equal(status, 200, JSON.stringify(body))
  const { expiresAt, ...upto } = body
  assert.deepEqual(upto, { object: 'upload', id: 'pixel', size: PIXEL.length, sha256: sha256(PIXEL) })
  assert.ok(new Date(expiresAt) > new Date())
  assert.equal(
    (await upload('words', Buffer.from('some words'), 'admin', { 'content-type': 'text/x-own' })).status,
    200,
  )
  const { insertedFiles } = await edit(
    w,
    place,
    insert(
      { name: 'a.png', upload: 'pixel' },
      { name: 'b.unheardof', upload: 'words' },
      { name: 'c.css', upload: 'words' },
    ),
  )
  assert.deepEqual(
    insertedFiles.map(({ contentType, size }: { contentType: string; size: number }) => [contentType, size]),
    [
      ['image/png', PIXEL.length],
      ['text/plain', 10],
      ['text/css', 10],
    ],
  )
  assert.deepEqual(insertedFiles[0].dimensions, { width: 1, height: 1 })
})

test('an upload is for who sent it, for its space and for a day', async () => {
  await upload('mine', Buffer.from('mine'))
  const wrong = /^body\.changes\.0\.files\.0\.upload: you uploaded nothing that is called "mine"/
  const elsewhere = await changeRequestOn(w, await spaceWith(w, { 'README.md': '# Elsewhere\n' }))
  const files = [insert({ name: 'a.txt', upload: 'mine' })]
  assert.match(await refused(w, elsewhere, files), wrong)
  const { status, body } = await w.call('POST', `${place.path}/content`, {
    body: { changes: files },
    as: 'edit',
  })
  assert.equal(status, 400)
  assert.match(body.error.message, wrong)
  await sql`update uploads set created_at = now() - interval '25 hours' where id = 'mine'`.execute(
    w.services.db,
  )
  assert.match(await refused(w, place, files), wrong)
  await removeOldUploads(w.services)
  const { rows } = await sql`select from uploads where id = 'mine'`.execute(w.services.db)
  assert.equal(rows.length, 0)
  assert.match(
    await refused(w, place, [insert({ name: 'a.txt', upload: 'mine', base64: '' })]),
    /exactly one of url, base64 and upload/,
  )
})

test('sending again replaces, and bytes that are not those that were meant are refused', async () => {
  await upload('twice', Buffer.from('once'))
  const again = await upload('twice', Buffer.from('again'))
  assert.equal(again.body.sha256, sha256(Buffer.from('again')))
  const meant = await upload(`twice?sha256=${sha256(PIXEL)}`, Buffer.from('cut of'))
  assert.deepEqual(
    [meant.status, meant.body.error.message],
    [400, 'The bytes do not have the SHA-256 that was given.'],
  )
  assert.equal((await upload('empty', Buffer.alloc(0))).body.size, 0)
})

test('a file that is too large is refused before it is sent, and while it is sent where nobody said so', async () => {
  const tooLarge = w.config.fileBytesMax + 1
  const before = await upload('large', Readable.from([Buffer.from('x')]), 'admin', {
    'content-length': String(tooLarge),
  })
  assert.equal(before.status, 413)
  const piece = Buffer.alloc(MIB)
  const long = Readable.from(
    (function* () {
      for (let sent = 0; sent < tooLarge; sent += MIB) yield piece
    })(),
  )
  const during = await upload('large', long, 'admin', { 'transfer-encoding': 'chunked' })
  assert.equal(during.status, 413)
  assert.match(during.body.error.message, /larger than 104857600 bytes/)
  assert.deepEqual(await temporary(), [])
})

test('a person can have a hundred pending uploads, and no more', async () => {
  const { db } = w.services
  const { id: other } = await w.createSpace()
  await sql`insert into uploads (space_id, user_id, id, blob_hash)
    select ${other}, ${w.people.admin.id}, 'waiting-' || n, '\\x00' from generate_series(1, 100) n`.execute(
    db,
  )
  const call = (name: string) => w.call('PUT', `/spaces/${other}/uploads/${name}`, { payload: 'x' })
  const { status, body } = await call('more')
  assert.deepEqual([status, body.error.message.slice(0, 9)], [409, '100 files'])
  assert.equal((await call('waiting-7')).status, 200)
})

test('what an edit inserted waits no longer, and can be inserted again', async () => {
  const { db } = w.services
  const spaceId = await spaceWith(w, { 'README.md': '# Used\n' })
  const other = await changeRequestOn(w, spaceId)
  const call = (name: string, payload = 'x') =>
    w.call('PUT', `/spaces/${spaceId}/uploads/${name}`, { payload })
  for (const name of ['used-1', 'used-2', 'sent-again']) assert.equal((await call(name)).status, 200)
  await sql`insert into uploads (space_id, user_id, id, blob_hash)
    select ${spaceId}, ${w.people.admin.id}, 'waiting-' || n, '\\x00' from generate_series(1, 97) n`.execute(
    db,
  )
  const used = async () =>
    (
      await sql<{ id: string }>`select id from uploads
        where space_id = ${spaceId} and used_at is not null order by id`.execute(db)
    ).rows.map(({ id }) => id)
  const changes = insert({ name: 'a.txt', upload: 'used-1' }, { name: 'b.txt', upload: 'sent-again' })
  const wrong = { operation: 'delete_page', page: 'none' }
  assert.equal(
    (await w.call('POST', `${other.path}/content`, { body: { changes: [changes, wrong] } })).status,
    400,
  )
  assert.deepEqual([await used(), (await call('more')).status], [[], 409])
  await edit(w, other, changes)
  assert.deepEqual(await used(), ['sent-again', 'used-1'])
  assert.equal((await call('sent-again', 'y')).status, 200)
  assert.deepEqual(await used(), ['used-1'])
  assert.deepEqual([(await call('more')).status, (await call('another')).status], [200, 409])
  const direct = insert({ name: 'c.txt', upload: 'used-1' }, { name: 'd.txt', upload: 'used-2' })
  const { status } = await w.call('POST', `/spaces/${spaceId}/content`, { body: { changes: [direct] } })
  assert.deepEqual([status, await used()], [200, ['used-1', 'used-2']])
  assert.deepEqual([(await call('another')).status, (await call('one-more')).status], [200, 409])
})

test('bytes that are sent while an edit inserts earlier ones still wait', async () => {
  const { db, transaction } = w.services
  const owner = { spaceId: space, userId: w.people.admin.id }
  await upload('changing', Buffer.from('earlier'))
  const read = [...(await findUploads(db, owner, ['changing'])).values()]
  await upload('changing', Buffer.from('later'))
  await transaction(trx => markUploadsUsed(trx, owner, read))
  const { rows } = await sql`select from uploads where id = 'changing' and used_at is null`.execute(db)
  assert.equal(rows.length, 1)
})

test('what is sent is on the disk before more of it is read, and goes when its sender breaks off', async () => {
  const sizeThere = async () => {
    const [name] = await temporary()
    return name === undefined ? 0 : (await stat(join(w.config.home, 'blobs/temporary', name))).size
  }
  async function* broken() {
    for (let sent = MIB; sent <= 8 * MIB; sent += MIB) {
      yield Buffer.alloc(MIB, sent / MIB)
      while ((await sizeThere()) < sent) await new Promise(resolve => setTimeout(resolve, 2))
    }
    throw new Error('the sender breaks off')
  }
  const chunked = { 'transfer-encoding': 'chunked' }
  await upload('stream', Readable.from(broken()), 'admin', chunked).catch(() => {})
  while ((await temporary()).length > 0) await new Promise(resolve => setTimeout(resolve, 5))
})
