// What a key guarantees to the sender of a request. idempotency-rows.test.ts covers what a killed process leaves behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyed, keyedRequests, write } from '../../test/support/keyed-requests.ts'
import { world } from '../../test/support/world.ts'
import { newId } from '../base/ids.ts'
import { ANSWER_BYTES_MAX } from './idempotency.ts'

const w = await world()
const { db, transaction } = w.services
const { createSpace, countSpaces, countWrites, rowOf, serverOf } = keyedRequests(w)
const spaces = `/orgs/${w.organizationId}/spaces`

test('ten requests at once with one key make one thing and have one answer', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => createSpace('ten', 'Ten')))
  assert.equal(await countSpaces('Ten'), 1)
  for (const { status, text, headers } of replies) {
    assert.deepEqual([status, text], [201, replies[0]?.text])
    assert.equal(headers.location, replies[0]?.headers.location)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  }
  const replayed = replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')
  assert.equal(replayed.length, 9)
  assert.equal(new Set(replies.map(({ headers }) => headers['x-request-id'])).size, 10)
})

test('the same request is the same in any spelling', async () => {
  const first = await createSpace('spelling', '', { payload: '{"title": "Spelled", "emoji": "1f600"}' })
  const again = await createSpace('spelling', '', {
    payload: '{"emoji":"1f600","unknown":[1],"title":"Spelled"}',
  })
  assert.equal(first.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(await countSpaces('Spelled'), 1)
})

test('two requests that differ in one character of a long text are two', async () => {
  const { body: space } = await createSpace('long', 'Long')
  const writeLong = (last: string) =>
    w.call(
      'POST',
      `/spaces/${space.id}/content?compat=false`,
      keyed('text', {
        body: {
          changes: [
            {
              operation: 'insert_page',
              title: 'Long',
              document: { markdown: `${'x'.repeat(5_000)}${last}` },
            },
          ],
        },
      }),
    )
  const first = await writeLong('a')
  assert.equal(first.status, 200, first.text)
  assert.equal((await writeLong('a')).text, first.text)
  assert.equal((await writeLong('b')).status, 409)
})

test('a key belongs to one request: another body, place or operation is refused', async () => {
  const { body: space } = await createSpace('mine', 'Mine')
  for (const [path, body] of [
    [spaces, { title: 'Not mine' }],
    [spaces, undefined],
    [`/spaces/${space.id}/duplicate`, undefined],
    ['/user/tokens', { label: 'Mine' }],
  ] as const) {
    const { status, body: refusal } = await w.call('POST', path, keyed('mine', { body }))
    assert.equal(status, 409)
    assert.match(refusal.error.message, /^Idempotency-Key: this key belongs to another request/)
  }
  await w.call('POST', `/spaces/${space.id}/duplicate`, keyed('twice'))
  const { body: other } = await w.call('POST', spaces)
  assert.equal((await w.call('POST', `/spaces/${other.id}/duplicate`, keyed('twice'))).status, 409)
})

test('the key of another person is another key', async () => {
  const mine = await createSpace('same', 'Same')
  const theirs = await createSpace('same', 'Same', { as: 'create' })
  assert.deepEqual([mine.status, theirs.status], [201, 201])
  assert.notEqual(mine.body.id, theirs.body.id)
})

test('a failed request frees its key, whether or not it is corrected', async () => {
  const send = (body: object) => w.call('POST', spaces, keyed('mended', { body }))
  assert.equal((await send({ title: 'Mended', parent: 'nowhere' })).status, 400)
  assert.equal(await rowOf('mended'), undefined)
  assert.equal((await send({ title: 'Mended' })).status, 201)
  assert.equal((await send({ title: 'Mended' })).headers['idempotency-replayed'], 'true')
  assert.equal(await countSpaces('Mended'), 1)
})

test('without a key nothing is kept, and every request is carried out', async () => {
  const count = async () => (await db.selectFrom('idempotency_keys').select('claim_id').execute()).length
  const before = await count()
  for (const _ of [1, 2]) await w.call('POST', spaces, { body: { title: 'Unnamed' } })
  assert.deepEqual([await countSpaces('Unnamed'), await count()], [2, before])
})

test('methods that can be repeated as they are ignore the header', async () => {
  const { id } = await w.createSpace()
  for (const title of ['One', 'Two']) {
    const { body } = await w.call('PATCH', `/spaces/${id}`, keyed('ignored', { body: { title } }))
    assert.equal(body.title, title)
  }
  assert.equal((await w.call('GET', `/spaces/${id}`, keyed('ü'.repeat(300)))).status, 200)
  assert.equal(await rowOf('ignored'), undefined)
})

test('a caller without permission gets no stored answer', async () => {
  const setRole = (role: 'create' | 'read') =>
    transaction(trx =>
      trx.updateTable('members').set({ role }).where('user_id', '=', w.people.create.id).execute(),
    )
  assert.equal((await createSpace('lost role', 'Role', { as: 'create' })).status, 201)
  await setRole('read')
  assert.equal((await createSpace('lost role', 'Role', { as: 'create' })).status, 403)
  await setRole('create')
  assert.equal((await createSpace('lost role', 'Role', { as: 'create' })).status, 201)
  assert.equal((await createSpace('lost role', 'Role', { as: 'stranger' })).status, 404)
  assert.equal((await createSpace('lost role', 'Role', { as: null })).status, 401)
})

test('an invalid key is refused, but only for callers with permission', async () => {
  for (const key of ['', 'x'.repeat(256), 'schlüssel', 'a\tb']) {
    const { status, body } = await createSpace(key, 'No key')
    assert.deepEqual([status, body.error.message.slice(0, 16)], [400, 'Idempotency-Key:'], key)
    assert.equal((await createSpace(key, 'No key', { as: 'read' })).status, 403)
    assert.equal((await createSpace(key, 'No key', { as: null })).status, 401)
  }
  assert.equal((await createSpace('~'.repeat(255), 'Long key')).status, 201)
  assert.equal(await countSpaces('No key'), 0)
})

test('an answer with a secret is given once, and its secret is kept nowhere', async () => {
  const create = () => w.call('POST', '/user/tokens', keyed('secret', { body: { label: 'once' } }))
  assert.equal((await create()).status, 201)
  const again = await create()
  assert.equal(again.status, 409)
  assert.match(again.body.error.message, /was executed. Its answer holds a secret and is not kept/)
  const row = await rowOf('secret')
  assert.deepEqual([row?.state, row?.status, row?.headers, row?.body], ['withheld', null, null, null])
  const tokens = await db.selectFrom('tokens').select('id').where('label', '=', 'once').execute()
  assert.equal(tokens.length, 1)
})

test('an answer that is too large to keep is given once', async () => {
  const post = serverOf(async (context, name) => {
    await write(context, name)
    return 'x'.repeat(ANSWER_BYTES_MAX - (name === 'fits' ? 11 : 10))
  })
  assert.deepEqual([(await post('fits')).status, (await post('fits')).status], [200, 200])
  assert.equal((await post('large')).status, 200)
  const again = await post('large')
  assert.equal(again.status, 409)
  assert.match(again.body.error.message, /more than 256 KB and is not kept/)
  assert.deepEqual([await countWrites('fits'), await countWrites('large')], [1, 1])
})

test('a second request waits for the first', async () => {
  const isBegun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const post = serverOf(async (context, name) => {
    isBegun.resolve()
    await mayEnd.promise
    await write(context, name)
    return newId()
  })
  const first = post('slow')
  await isBegun.promise
  const second = post('slow')
  setTimeout(mayEnd.resolve, 100)
  assert.deepEqual((await second).body, (await first).body)
  assert.equal(await countWrites('slow'), 1)
})

test('a request that writes nothing is answered once as well', async () => {
  let runs = 0
  const post = serverOf(async () => `run ${++runs}`)
  assert.deepEqual([(await post('read')).body.said, (await post('read')).body.said], ['run 1', 'run 1'])
})

test('neither the key nor the request can be read from the row', async () => {
  await createSpace('not written down', 'Nor this')
  const row = await rowOf('not written down')
  const kept = JSON.stringify({ ...row, body: undefined, headers: undefined })
  assert.ok(!kept.includes('not written down') && !kept.includes('Nor this'))
})
