import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mock, test } from 'node:test'
import Fastify from 'fastify'
import { toErrorReply } from './failures.ts'
import { limitRate, type RateLimits } from './rate-limit.ts'

const BOUNDS: RateLimits = { requestsPerMinute: 2, addressRequestsPerMinute: 3, trustProxy: false }

/** What processes on one database hear of each other. */
class Wire extends EventEmitter<{ message: [string, Wire] }> {
  told = 0
  readonly #others: readonly Wire[]

  constructor(...others: Wire[]) {
    super()
    this.#others = others
  }

  tellPeers = (messages: readonly string[]) => {
    this.told += 1
    for (const message of messages) for (const other of this.#others) other.emit('message', message, this)
  }
  hearPeers = (listener: (message: string) => void) => {
    this.on('message', listener)
    return () => this.off('message', listener)
  }
}

function limited(bounds: Partial<RateLimits> = {}, wire = new Wire()) {
  let time = 0
  const warnings: string[] = []
  const known = new Set(['Bearer a', 'Bearer b'])
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.code(toErrorReply(error).status).send(toErrorReply(error).body),
  )
  limitRate(
    app,
    { ...BOUNDS, ...bounds },
    {
      callerOf: ({ authorization, cookie }) =>
        authorization !== undefined
          ? known.has(authorization)
            ? authorization
            : undefined
          : cookie === undefined
            ? null
            : cookie.startsWith('live')
              ? cookie
              : undefined,
    },
    wire,
    { warn: (text: unknown) => void warnings.push(String(text)) },
    () => new Date(time),
  )
  for (const url of ['/', '/healthz', '/v1/stream']) app.get(url, async () => 'ok')
  app.post('/', async () => 'ok')
  const ask = (headers: Record<string, string> = {}, url = '/', method: 'GET' | 'POST' = 'GET') =>
    app.inject({ url, method, headers })
  const statuses = async (times: number, ...asked: Parameters<typeof ask>) => {
    const all: number[] = []
    for (let nth = 0; nth < times; nth += 1) all.push((await ask(...asked)).statusCode)
    return all
  }
  return {
    app,
    ask,
    statuses,
    warnings,
    pass: (ms: number) => {
      time += ms
    },
  }
}

const by = (token: string) => ({ authorization: `Bearer ${token}` })

test('the request above the limit is answered 429 with when to come back, and the next minute is free', async () => {
  const { ask, pass } = limited()
  assert.equal((await ask(by('a'))).headers['x-ratelimit-remaining'], '1')
  await ask(by('a'))
  pass(20_000)
  const refused = await ask(by('a'))
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '40')
  assert.equal(refused.headers['x-ratelimit-reset'], '60')
  assert.match(refused.json().error.message, /40 seconds/)
  pass(40_000)
  assert.equal((await ask(by('a'))).statusCode, 200)
})

test('callers are counted apart, by token, by session, or else by address', async () => {
  const { statuses } = limited()
  for (const headers of [by('a'), by('b'), { cookie: 'live a' }, { cookie: 'live b' }])
    assert.deepEqual(await statuses(3, headers), [200, 200, 429])
  assert.deepEqual(await statuses(4), [200, 200, 200, 429])
})

test('invented tokens and sessions count together for their address, and keep out neither known ones nor those without', async () => {
  const { statuses, ask } = limited()
  assert.equal((await ask(by('invented 1'))).statusCode, 200)
  assert.equal((await ask({ cookie: 'invented' })).statusCode, 200)
  assert.equal((await ask(by('invented 2'))).statusCode, 429)
  assert.deepEqual(await statuses(2, by('a')), [200, 200])
  assert.deepEqual(await statuses(1), [200])
})

test('reading keeps nobody from writing, and the stream of who is known is not counted', async () => {
  const { statuses } = limited()
  assert.deepEqual(await statuses(3, { cookie: 'live a' }), [200, 200, 429])
  assert.deepEqual(await statuses(2, { cookie: 'live a' }, '/', 'POST'), [200, 200])
  assert.deepEqual(await statuses(5, { cookie: 'live a' }, '/v1/stream'), [200, 200, 200, 200, 200])
  assert.deepEqual(await statuses(3, by('invented'), '/v1/stream'), [200, 200, 429])
})

test('a household counts as one address of IPv6', async () => {
  const { app } = limited({ addressRequestsPerMinute: 1 })
  const from = async (remoteAddress: string) => (await app.inject({ url: '/', remoteAddress })).statusCode
  assert.deepEqual(
    [await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:1::1')],
    [200, 429, 200],
  )
})

test('without limits nothing is counted and no header is sent', async () => {
  const { ask } = limited({ requestsPerMinute: 0, addressRequestsPerMinute: 0 })
  for (const headers of [{}, by('a'), by('invented')])
    assert.equal((await ask(headers)).headers['x-ratelimit-limit'], undefined)
})

test('probes are not limited, and take nothing from the callers of their address', async () => {
  const { ask, statuses } = limited({ addressRequestsPerMinute: 1 })
  for (let time = 0; time < 3; time += 1) {
    const { statusCode, headers } = await ask({}, '/healthz')
    assert.equal(statusCode, 200)
    assert.equal(headers['x-ratelimit-limit'], undefined)
  }
  assert.deepEqual(await statuses(1), [200])
})

test('two processes share a bound, and tell each other once a second, however many requests there are', async () => {
  const there = new Wire()
  const here = new Wire(there)
  const bounds = { requestsPerMinute: 500, addressRequestsPerMinute: 500 }
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const [one, other] = [limited(bounds, here), limited(bounds, there)]
    for (const headers of [by('a'), by('b'), {}]) await one.statuses(400, headers)
    assert.equal(here.told, 0)
    mock.timers.tick(1_000)
    assert.equal(here.told, 1)
    assert.equal((await other.ask(by('a'))).headers['x-ratelimit-remaining'], '99')
    mock.timers.tick(10_000)
    assert.deepEqual([here.told, there.told], [1, 1])
  } finally {
    mock.timers.reset()
  }
})

test('that a proxy is not trusted is said once', async () => {
  const { ask, warnings } = limited()
  await ask()
  assert.equal(warnings.length, 0)
  for (let nth = 0; nth < 3; nth += 1) await ask({ 'x-forwarded-for': '203.0.113.9' })
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /OCTAVO_TRUST_PROXY/)
  const trusting = limited({ trustProxy: true })
  await trusting.ask({ 'x-forwarded-for': '203.0.113.9' })
  assert.equal(trusting.warnings.length, 0)
})
