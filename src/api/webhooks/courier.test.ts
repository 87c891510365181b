import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { sql } from 'kysely'
import { isSigned, type Receiver, startReceiver } from '../../../test/support/receiver.ts'
import { type World, world } from '../../../test/support/world.ts'
import { startCourier } from './courier.ts'
import { claimDeliveries } from './due.ts'
import { sweepDeliveries } from './jobs.ts'

const orgOf = ({ organizationId }: World) => `/orgs/${organizationId}`

type Hook = { readonly id: string; readonly secret: string; readonly path: string }

async function hook(
  w: World,
  { url }: Pick<Receiver, 'url'>,
  more: object = {},
  of = orgOf(w),
): Promise<Hook> {
  const { status, body, text } = await w.call('POST', `${of}/webhooks`, { body: { url, ...more } })
  assert.equal(status, 201, text)
  return { id: body.id, secret: body.secret, path: `${of}/webhooks/${body.id}` }
}

const CREATED = { types: ['team.created'] }
const tell = async (w: World, title = 'Writers') =>
  (await w.call('PUT', `${orgOf(w)}/teams`, { body: { title, members: [] } })).body.id as string

/** The deliveries of all events until now, in order. */
async function logOf(w: World, { path }: Hook) {
  await w.courier?.idle()
  const { body } = await w.call('GET', `${path}/deliveries`)
  const details = []
  for (const { id } of body.items) details.push((await w.call('GET', `${path}/deliveries/${id}`)).body)
  return details.reverse()
}

async function assertDeliveredOnce(w: World, { path }: Hook): Promise<void> {
  await w.courier?.idle()
  const { items } = (await w.call('GET', `${path}/deliveries`)).body
  for (const { status, attempts } of items) assert.deepEqual([status, attempts], ['delivered', 1])
}

const read = async (w: World, { path }: Hook) => (await w.call('GET', path)).body

/** Makes waiting deliveries due now, and ends all rests. */
async function makeDue(w: World, { id }: Hook): Promise<void> {
  const { db, deliveries } = w.services
  await db.updateTable('webhooks').set({ resting_until: null }).where('id', '=', id).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: sql<Date>`now()` })
    .where('webhook_id', '=', id)
    .execute()
  deliveries.emit('due')
}

test('a receiver that was down gets the missed events, with the same ids, once it is back', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => response.writeHead(503).end('Not now.'))
  await tell(w)
  const [failed] = await logOf(w, one)
  assert.equal(failed.status, 'waiting')
  assert.deepEqual(
    [failed.attempts, failed.lastAttempt.status, failed.lastAttempt.answer],
    [1, 503, 'Not now.'],
  )
  assert.match(failed.lastAttempt.error, /503/)
  assert.ok(Date.parse(failed.nextAttemptAt) > Date.parse(failed.lastAttempt.at))
  receiver.answer(response => response.writeHead(200).end('Thanks.'))
  await makeDue(w, one)
  const [delivered] = await logOf(w, one)
  assert.deepEqual([delivered.status, delivered.attempts, delivered.nextAttemptAt], ['delivered', 2, null])
  const [first, second, ...more] = receiver.received
  assert.deepEqual([first?.text, more], [second?.text, []])
  assert.ok(isSigned(one.secret, second?.headers['x-octavo-signature'] as string, second?.text ?? ''))
})

test('a closed port, a broken connection and an answer that is not HTTP are failures with a reason, and retried', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const answers: readonly [(response: ServerResponse) => void, RegExp][] = [
    [response => response.destroy(), /broke off/],
    [response => response.socket?.end('SSH-2.0-OpenSSH\r\n'), /does not speak http/],
    [response => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), /redirect/],
    [response => response.writeHead(400).end(), /400/],
  ]
  const one = await hook(w, receiver, CREATED)
  for (const [how, problem] of answers) {
    receiver.answer(how)
    await tell(w, String(problem))
    const last = (await logOf(w, one)).at(-1)
    assert.match(last.lastAttempt.error, problem)
    assert.equal(last.status, 'waiting')
  }
  const closed = await hook(w, { url: 'http://127.0.0.1:9/hook' }, CREATED)
  await tell(w, 'closed')
  const [unheard] = await logOf(w, closed)
  assert.match(unheard.lastAttempt.error, /Nothing answers/)
  assert.equal(receiver.received.length, 5, 'the redirect was not followed')
})

test('an answer of ten megabytes, and an endless one, count as delivered, and little of them is stored', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(200).end(Buffer.alloc(10_000_000, 'a')))
  await tell(w, 'long')
  await logOf(w, one)
  receiver.answer(response => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('b'.repeat(10_000)));
    }
    response.on('drain', more).on('error', () => {})
    more()
  })
  await tell(w, 'endless')
  const log = await logOf(w, one)
  assert.deepEqual(
    log.map(({ status, lastAttempt }) => [status, lastAttempt.answer]),
    [
      ['delivered', 'a'.repeat(500)],
      ['delivered', 'b'.repeat(500)],
    ],
  )
})

test('an answer is stored as text, whatever its bytes are', async () => {
  const w = await world()
  const receiver = await startReceiver()
  receiver.answer(response => void response.writeHead(500).end(Buffer.from([0, 0xff, 0xd8, 0x41])))
  const one = await hook(w, receiver, CREATED)
  await tell(w)
  const [failed] = await logOf(w, one)
  assert.match(failed.lastAttempt.answer, /A$/)
})

test('a hanging receiver does not delay the others', async () => {
  const w = await world()
  const hanging = await startReceiver()
  const answering = await startReceiver()
  hanging.answer(() => {})
  await hook(w, hanging, CREATED)
  await hook(w, answering, CREATED)
  const COUNT = 12
  for (let n = 0; n < COUNT; n++) await tell(w, `${n}`)
  await answering.has(COUNT)
  await hanging.has(8)
  assert.equal(hanging.received.length, 8, 'so many at once go to one receiver')
  hanging.answer(response => void response.writeHead(204).end())
})

test('queued deliveries are sent in the order of the feed', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(503).end())
  for (let n = 0; n < 30; n++) await tell(w, `${n}`)
  await w.courier?.idle()
  receiver.answer(response => void response.writeHead(204).end())
  receiver.received.length = 0
  await makeDue(w, one)
  await receiver.has(30)
  const { body } = await w.call('GET', `${orgOf(w)}/events?types=team.created`)
  const ids = body.items.map(({ eventId }: { eventId: string }) => eventId)
  // Eight are under way at a time, and some of them pass others.
  const first = receiver.received.slice(0, 8).map(sent => ids.indexOf(sent.body.eventId))
  assert.ok(Math.max(...first) < 20, `the first to come were ${first.join(', ')}`)
})

test('every event of concurrent writers is delivered, and once if nothing fails', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, { types: ['space.changed'] })
  const spaces = await Promise.all(Array.from({ length: 4 }, () => w.createSpace()))
  await Promise.all(
    spaces.map(async ({ id }) => {
      for (let n = 0; n < 10; n++) await w.call('PATCH', `/spaces/${id}`, { body: { title: `${n}` } })
    }),
  )
  await receiver.has(40)
  await assertDeliveredOnce(w, one)
  assert.equal(new Set(receiver.received.map(({ body }) => body.eventId)).size, 40)
  assert.equal(receiver.received.length, 40)
})

test('two processes share due deliveries, and neither sends those of the other', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  const another = startCourier(w.services)
  for (let n = 0; n < 20; n++) await tell(w, `${n}`)
  await receiver.has(20)
  await another.stop(1000)
  await assertDeliveredOnce(w, one)
  assert.equal(receiver.received.length, 20)
})

test('a delivery that a process sent but did not record before it died is sent again', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(503).end())
  await tell(w)
  const [{ id }] = await logOf(w, one)
  receiver.answer(response => void response.writeHead(204).end())
  const { db } = w.services
  // Another process takes it, sends it, and dies.
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: new Date(0) })
    .where('event_id', '=', id)
    .execute()
  const [claimed] = await claimDeliveries(db, [{ webhookId: one.id, eventId: id }])
  assert.equal(claimed?.attempts, 2)
  w.services.deliveries.emit('due')
  await w.courier?.idle()
  assert.equal(receiver.received.length, 1, 'while it is leased nobody else sends it')
  await db
    .updateTable('webhook_deliveries')
    .set({ locked_until: sql<Date>`now() - interval '1 second'` })
    .where('event_id', '=', id)
    .execute()
  w.services.deliveries.emit('due')
  const [delivered] = await logOf(w, one)
  assert.deepEqual([delivered.status, receiver.received.length], ['delivered', 2])
})

test('a server that stops releases running deliveries, and the next one sends them', async () => {
  const w = await world({})
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(() => {})
  await tell(w)
  await receiver.has(1)
  await w.courier?.stop(10)
  const { db } = w.services
  const row = () =>
    db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', one.id).executeTakeFirstOrThrow()
  const { status, attempts, locked_until } = await row()
  assert.deepEqual([status, attempts, locked_until], ['waiting', 0, null])
  receiver.answer(response => void response.writeHead(204).end())
  const next = startCourier(w.services)
  await receiver.has(2)
  await next.stop(1000)
  assert.equal((await row()).status, 'delivered')
})

test('nothing is sent for an owner who may no longer manage a webhook, and another admin can resume it', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const colleague = `${orgOf(w)}/members/${w.people.review.id}`
  await w.call('PATCH', colleague, { body: { role: 'admin' } })
  const { body } = await w.call('POST', `${orgOf(w)}/webhooks`, {
    as: 'review',
    body: { url: receiver.url, ...CREATED },
  })
  const one = { id: body.id, secret: body.secret, path: `${orgOf(w)}/webhooks/${body.id}` }
  receiver.answer(response => void response.writeHead(503).end())
  await tell(w, 'before')
  await logOf(w, one)
  await w.call('PATCH', colleague, { body: { role: 'review' } })
  receiver.answer(response => void response.writeHead(204).end())
  await makeDue(w, one)
  await w.courier?.idle()
  assert.equal(receiver.received.length, 1, 'it was decided when it was to be sent')
  const paused = await read(w, one)
  assert.deepEqual([paused.active, paused.pausedBecause, paused.owner], [false, 'owner', w.people.review.id])
  await tell(w, 'meanwhile')
  await w.courier?.idle()
  const { body: resumed } = await w.call('PATCH', one.path, { body: { active: true } })
  assert.deepEqual([resumed.active, resumed.owner], [true, w.people.admin.id])
  await makeDue(w, one)
  const log = await logOf(w, one)
  assert.deepEqual(
    log.map(({ status }) => status),
    ['delivered'],
  )
  const { body: feed } = await w.call('GET', `${orgOf(w)}/events?types=webhook.paused`)
  assert.deepEqual(feed.items[0].payload, {
    webhook: one.id,
    receiver: new URL(receiver.url).host,
    because: 'owner',
  })
})

test('a webhook of a space gets events of that space only', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const [space, other] = [await w.createSpace(), await w.createSpace()]
  await hook(w, receiver, {}, `/spaces/${space.id}`)
  await w.courier?.idle()
  receiver.received.length = 0
  await w.call('PATCH', `/spaces/${other.id}`, { body: { title: 'Other' } })
  await tell(w)
  await w.call('PATCH', `/spaces/${space.id}`, { body: { title: 'New' } })
  await w.courier?.idle()
  assert.deepEqual(
    receiver.received.map(({ body }) => [body.type, body.spaceId]),
    [['space.changed', space.id]],
  )
})

test('a space that moves to another organization loses its webhooks', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const space = await w.createSpace()
  const one = await hook(w, receiver, {}, `/spaces/${space.id}`)
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Elsewhere' } })
  const { status } = await w.call('POST', `/spaces/${space.id}/transfer`, {
    body: { organization: other.id },
  })
  assert.ok(status < 300)
  const left = await w.services.db.selectFrom('webhooks').select('id').where('id', '=', one.id).execute()
  assert.deepEqual(left, [])
})

test('after five failures one attempt at a time is made, with rests between, until a success', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(500).end())
  for (let n = 0; n < 5; n++) {
    await tell(w, `${n}`)
    await w.courier?.idle()
  }
  assert.equal(receiver.received.length, 5)
  await tell(w, 'later')
  await w.courier?.idle()
  assert.equal(receiver.received.length, 5, 'it rests')
  await makeDue(w, one)
  await w.courier?.idle()
  assert.equal(receiver.received.length, 6, 'one attempt tells whether the others are worth it')
  receiver.answer(response => void response.writeHead(204).end())
  await makeDue(w, one)
  const log = await logOf(w, one)
  assert.ok(log.every(({ status }) => status === 'delivered'))
  assert.equal((await read(w, one)).failingSince, null)
})

test('a webhook that failed for three days is paused with the reason, and at once if its receiver answers 410', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(500).end())
  await tell(w, 'first')
  await w.courier?.idle()
  await w.services.db
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`now() - interval '73 hours'` })
    .where('id', '=', one.id)
    .execute()
  await makeDue(w, one)
  await w.courier?.idle()
  assert.equal((await read(w, one)).pausedBecause, 'failing')
  await tell(w, 'while it is paused')
  assert.equal((await logOf(w, one)).length, 1)
  await w.call('PATCH', one.path, { body: { active: true } })
  receiver.answer(response => void response.writeHead(410).end())
  await makeDue(w, one)
  await w.courier?.idle()
  assert.equal((await read(w, one)).pausedBecause, 'gone')
})

test('a delivery that fails for a day is given up with the reason, and can be sent again', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(500).end())
  await tell(w)
  await w.courier?.idle()
  const { db } = w.services
  const expire = (ago: string) =>
    db
      .updateTable('webhook_deliveries')
      .set({ expires_at: sql<Date>`now() - ${ago}::interval` })
      .where('webhook_id', '=', one.id)
      .execute()
  // the next attempt would be after it
  await db
    .updateTable('webhook_deliveries')
    .set({ expires_at: sql<Date>`now() + interval '1 second'` })
    .where('webhook_id', '=', one.id)
    .execute()
  await makeDue(w, one)
  const [failed] = await logOf(w, one)
  assert.deepEqual([failed.status, failed.nextAttemptAt, failed.attempts], ['failed', null, 2])
  const { body: renewed } = await w.call('POST', `${one.path}/deliveries/${failed.id}/redeliver`)
  assert.equal(renewed.status, 'waiting')
  await w.courier?.idle()
  await expire('1 second')
  await sweepDeliveries(w.services)
  const [givenUp] = await logOf(w, one)
  assert.equal(givenUp.status, 'failed')
  assert.match(givenUp.log.at(-1).error, /given up/)
  assert.deepEqual([givenUp.attempts, givenUp.log.length], [3, 4], 'giving up is no attempt')
  assert.deepEqual(givenUp.lastAttempt, givenUp.log.at(-2), 'its receiver answered last')
  assert.equal(givenUp.lastAttempt.status, 500)
  receiver.answer(response => void response.writeHead(204).end())
  await w.call('POST', `${one.path}/deliveries/${failed.id}/redeliver`)
  assert.equal((await logOf(w, one))[0].status, 'delivered')
})

test('a log keeps its newest twenty entries, whether a delivery is tried again or given up', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(500).end())
  await tell(w)
  await w.courier?.idle()
  const { db } = w.services
  const fill = (length: number) =>
    sql`update webhook_deliveries
      set log = (select jsonb_agg(log -> 0 || jsonb_build_object('milliseconds', n)) from generate_series(1, ${length}::integer) n)
      where webhook_id = ${one.id}`.execute(db)
  await fill(23)
  await makeDue(w, one)
  const [tried] = await logOf(w, one)
  assert.deepEqual([tried.attempts, tried.log.length, tried.log[0].milliseconds], [20, 20, 5])
  assert.equal(tried.lastAttempt.status, 500)
  await sql`update webhook_deliveries set expires_at = now() - interval '1 second'
    where webhook_id = ${one.id}`.execute(db)
  await sweepDeliveries(w.services)
  const [givenUp] = await logOf(w, one)
  assert.deepEqual([givenUp.attempts, givenUp.log.length, givenUp.log[0].milliseconds], [19, 20, 6])
  assert.match(givenUp.log.at(-1).error, /given up/)
})

test('Retry-After is respected up to an hour', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  receiver.answer(response => void response.writeHead(429, { 'retry-after': '99999' }).end())
  await tell(w)
  const [waiting] = await logOf(w, one)
  const seconds = (Date.parse(waiting.nextAttemptAt) - Date.parse(waiting.lastAttempt.at)) / 1000
  assert.ok(seconds > 2_600 && seconds < 4_600, `${seconds} s`)
})

test('a log is bounded in age and in length', async () => {
  const w = await world()
  const receiver = await startReceiver()
  const one = await hook(w, receiver, CREATED)
  await tell(w)
  await w.courier?.idle()
  const { db } = w.services
  await sql`insert into webhook_deliveries (webhook_id, event_id, type, position, status, completed_at, created_at)
    select ${one.id}, 'old-' || n, 'team.created', n, 'delivered', now() - make_interval(days => n / 100), now() - make_interval(days => n / 100)
    from generate_series(0, 4000) n`.execute(db)
  await sweepDeliveries(w.services)
  const { body } = await w.call('GET', `${one.path}/deliveries?limit=1000`)
  assert.equal(body.count, 1000)
  assert.equal(body.items.at(-1).id.startsWith('old-9'), true)
})

test('one query serves all events of a short interval', async () => {
  const { services } = await world()
  const deliveries = new EventEmitter<{ due: [] }>()
  let asked = 0
  const db = services.db.withPlugin({
    transformQuery({ node }) {
      asked += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const courier = startCourier({ ...services, db, deliveries })
  await courier.idle()
  asked = 0
  deliveries.emit('due')
  deliveries.emit('due')
  assert.equal(asked, 0)
  await courier.idle()
  assert.ok(asked > 0)
  await courier.stop(0)
})

test('a courier can be stopped before its first query', async () => {
  const { services } = await world()
  await startCourier(services).stop(0)
})
