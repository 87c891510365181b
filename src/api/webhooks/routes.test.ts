import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSigned, startReceiver } from '../../../test/support/receiver.ts'
import { type World, world } from '../../../test/support/world.ts'

const orgOf = ({ organizationId }: World) => `/orgs/${organizationId}`

/** A webhook of the organization, or of a space. */
async function hook(w: World, url: string, more: object = {}, of = orgOf(w)) {
  const { status, body, text } = await w.call('POST', `${of}/webhooks`, { body: { url, ...more } })
  assert.equal(status, 201, text)
  return { ...body, path: `${of}/webhooks/${body.id}` } as { id: string; secret: string; path: string }
}

test('an edit of a page reaches a receiver, signed, with actor, change, place and time', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const space = await w.createSpace({ title: 'Told' })
  const { secret, path } = await hook(w, receiver.url, { types: ['space.published'] })
  const changes = [{ operation: 'insert_page', title: 'Rain', document: { markdown: 'It rains.\n' } }]
  const { body: made } = await w.call('POST', `/spaces/${space.id}/content`, { body: { changes } })
  const [sent] = await receiver.has(1)
  assert.ok(sent !== undefined)
  const { headers, body, text } = sent
  assert.equal(body.type, 'space.published')
  assert.deepEqual(
    [body.organizationId, body.spaceId, body.actor.id, body.payload.revision],
    [w.organizationId, space.id, w.people.admin.id, made.revision],
  )
  assert.ok(isSigned(secret, headers['x-octavo-signature'] as string, text))
  assert.ok(!isSigned(secret, headers['x-octavo-signature'] as string, `${text} `))
  assert.deepEqual(
    [headers['x-octavo-event'], headers['x-octavo-delivery'], headers['content-type']],
    ['space.published', body.eventId, 'application/json'],
  )
  const { body: feed } = await w.call('GET', `${orgOf(w)}/events?types=space.published`)
  assert.deepEqual(feed.items, [body])
  const { body: log } = await w.call('GET', `${path}/deliveries`)
  assert.equal(log.items[0].id, body.eventId)
})

const created = async (w: World, body: object, of = orgOf(w)) => w.call('POST', `${of}/webhooks`, { body })

test('an address on a private network, or an invalid one, is refused with 400 and the reason', async () => {
  const w = await world()
  for (const [url, why] of [
    ['http://10.0.0.1/hook', /private or reserved/],
    ['http://169.254.169.254/latest/meta-data', /private or reserved/],
    ['http://[::1]:4000/hook', /private or reserved/],
    ['http://0x7f.2/hook', /private or reserved/],
    ['https://user:secret@127.0.0.1/hook', /user or a password/],
    ['http://', /no address/],
    ['http://%zz/', /no address/],
    ['ftp://127.0.0.1/', /url/],
    ['javascript:alert(1)', /url/],
    ['', /url/],
  ] as const) {
    const { status, body } = await created(w, { url })
    assert.equal(status, 400, url)
    assert.match(body.error.message, why, url)
  }
  const one = await hook(w, 'http://127.0.0.1:9/hook')
  const { status } = await w.call('PATCH', one.path, { body: { url: 'http://10.0.0.1/' } })
  assert.equal(status, 400)
})

test('nothing is sent to a receiver that moves to a private network, and the log has the reason', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const { id, path } = await hook(w, receiver.url)
  const { port } = new URL(receiver.url)
  // As a name would that has another address now.
  const moved = { url: `http://127.0.0.2:${port}/hook`, receiver: `127.0.0.2:${port}` }
  await w.services.db.updateTable('webhooks').set(moved).where('id', '=', id).execute()
  const { body } = await w.call('POST', `${path}/test`)
  assert.deepEqual([body.status, receiver.received], ['failed', []])
  assert.match(body.lastAttempt.error, /private or reserved/)
})

test('a secret is shown once, stored sealed, and replaced by another at once', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const { id, secret, path } = await hook(w, receiver.url, { types: [] })
  const { body: shown, text } = await w.call('GET', path)
  assert.equal(shown.secret, undefined)
  assert.ok(!text.includes(secret))
  const row = await w.services.db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.ok(!row.secret.includes(secret.slice(-10)))
  const { body: renewed } = await w.call('POST', `${path}/secret`)
  assert.notEqual(renewed.secret, secret)
  await w.call('POST', `${path}/test`)
  const sent = receiver.received.find(({ body }) => body.type === 'webhook.test')
  const signature = sent?.headers['x-octavo-signature'] as string
  assert.ok(isSigned(renewed.secret, signature, sent?.text ?? ''))
  assert.ok(!isSigned(secret, signature, sent?.text ?? ''))
  assert.equal(sent?.headers['x-gitbook-signature'], signature)
})

test('a test is sent at once, also to a paused webhook, and answers with the result', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const { path } = await hook(w, receiver.url, { types: ['space.created'] })
  await w.call('PATCH', path, { body: { active: false } })
  const good = await w.call('POST', `${path}/test`)
  assert.deepEqual([good.status, good.body.type, good.body.status], [201, 'webhook.test', 'delivered'])
  assert.equal(good.headers.location, good.body.urls.location)
  receiver.answer(response => void response.writeHead(401).end('Who are you?'))
  const { body: bad } = await w.call('POST', `${path}/test`)
  assert.deepEqual(
    [bad.status, bad.lastAttempt.status, bad.lastAttempt.answer],
    ['failed', 401, 'Who are you?'],
  )
  await w.courier?.idle()
  assert.equal(receiver.received.length, 2, 'a test is not tried again')
  const { body: list } = await w.call('GET', `${path}/deliveries?status=failed`)
  assert.deepEqual(
    list.items.map(({ id }: { id: string }) => id),
    [bad.id],
  )
  const { body: details } = await w.call('GET', `${path}/deliveries/${bad.id}`)
  assert.deepEqual(details.event, receiver.received[1]?.body)
  await w.call('PATCH', path, { body: { active: true } })
  const { status, body } = await w.call('POST', `${path}/deliveries/${bad.id}/redeliver`)
  assert.equal(status, 409)
  assert.match(body.error.message, /test/)
})

test('a webhook is paused and resumed; events meanwhile are in the feed only', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const { path } = await hook(w, receiver.url, { types: ['space.created'], description: 'Ours' })
  const { body: paused } = await w.call('PATCH', path, { body: { active: false } })
  assert.deepEqual([paused.active, paused.pausedBecause, paused.description], [false, 'asked', 'Ours'])
  await w.createSpace()
  await w.courier?.idle()
  await w.call('PATCH', path, { body: { active: true } })
  await w.createSpace({ title: 'Later' })
  await w.courier?.idle()
  assert.equal(receiver.received.length, 1)
  const { body: feed } = await w.call('GET', `${orgOf(w)}/events?types=space.created`)
  assert.equal(feed.items.length, 2)
  const { body: log } = await w.call('GET', `${path}/deliveries`)
  assert.equal((await w.call('POST', `${path}/deliveries/${log.items[0].id}/redeliver`)).status, 200)
  await receiver.has(2)
  await w.call('PATCH', path, { body: { active: false } })
  assert.equal((await w.call('POST', `${path}/deliveries/${log.items[0].id}/redeliver`)).status, 409)
})

test('an organization lists the webhooks of its spaces, too, and a space those of its own', async () => {
  const w = await world()
  const space = await w.createSpace()
  const [whole, part] = [
    await hook(w, 'http://127.0.0.1:9/a'),
    await hook(w, 'http://127.0.0.1:9/b', {}, `/spaces/${space.id}`),
  ]
  const listed = async (of: string) => {
    const { body } = await w.call('GET', `${of}/webhooks`)
    return body.items.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await listed(orgOf(w)), [whole.id, part.id])
  assert.deepEqual(await listed(`/spaces/${space.id}`), [part.id])
  assert.equal((await w.call('GET', `/spaces/${space.id}/webhooks/${whole.id}`)).status, 404)
  assert.equal((await w.call('GET', `${orgOf(w)}/webhooks/${part.id}`)).body.space, space.id)
  assert.equal((await w.call('DELETE', part.path)).status, 204)
  assert.equal((await w.call('DELETE', part.path)).status, 204)
  assert.deepEqual(await listed(orgOf(w)), [whole.id])
})

test('an admin of a space manages its webhooks, and none of the organization', async () => {
  const w = await world()
  const space = await w.createSpace()
  const permission = `/spaces/${space.id}/permissions/users/${w.people.edit.id}`
  await w.call('PATCH', permission, { body: { role: 'admin' } })
  const receiver = await startReceiver()
  const body = { url: receiver.url, types: ['space.changed'] }
  const { status } = await w.call('POST', `/spaces/${space.id}/webhooks`, { as: 'edit', body })
  assert.equal(status, 201)
  assert.equal((await w.call('POST', `${orgOf(w)}/webhooks`, { as: 'edit', body })).status, 403)
  await w.call('PATCH', `/spaces/${space.id}`, { body: { title: 'New' } })
  assert.equal((await receiver.has(1))[0]?.body.spaceId, space.id)
})

test('the number of webhooks is bounded, types must exist, and bodies are checked', async () => {
  const w = await world()
  const url = 'http://127.0.0.1:9/hook'
  assert.equal((await created(w, { url, types: ['space.exploded'] })).status, 400)
  assert.equal((await created(w, {})).status, 400)
  assert.equal((await created(w, { url: `${url}/${'a'.repeat(2100)}` })).status, 400)
  for (let n = 0; n < 20; n++) assert.equal((await created(w, { url })).status, 201)
  const { status, body } = await created(w, { url })
  assert.deepEqual([status, body.error.code], [409, 409])
  const space = await w.createSpace()
  assert.equal((await created(w, { url }, `/spaces/${space.id}`)).status, 201)
})

test('a repeated request with its key makes one webhook, and does not show its secret again', async () => {
  const w = await world()
  const call = { body: { url: 'http://127.0.0.1:9/hook' }, headers: { 'idempotency-key': 'one' } }
  const [first, second] = [
    await w.call('POST', `${orgOf(w)}/webhooks`, call),
    await w.call('POST', `${orgOf(w)}/webhooks`, call),
  ]
  assert.equal(first.status, 201)
  assert.ok(!second.text.includes(first.body.secret))
  assert.equal((await w.call('GET', `${orgOf(w)}/webhooks`)).body.count, 1)
})

test('scopes of tokens are checked: one reads webhooks, another makes them', async () => {
  const w = await world()
  const token = async (scopes: readonly string[]) =>
    (await w.call('POST', '/user/tokens', { body: { label: 'one', scopes } })).body
  const body = { url: 'http://127.0.0.1:9/hook' }
  const [reads, writes] = [
    await token(['organization:webhooks:read']),
    await token(['organization:webhooks:write']),
  ]
  const path = `${orgOf(w)}/webhooks`
  assert.equal((await w.call('GET', path, { as: reads })).status, 200)
  assert.equal((await w.call('POST', path, { as: reads, body })).status, 403)
  assert.equal((await w.call('POST', path, { as: writes, body })).status, 201)
  assert.equal((await w.call('GET', `${orgOf(w)}/events`, { as: reads })).status, 403)
})
