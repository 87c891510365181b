import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { toErrorReply } from './failures.ts'
import { limitRate } from './rate-limit.ts'

function limited(requestsPerMinute: number) {
  let time = 0
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.code(toErrorReply(error).status).send(toErrorReply(error).body),
  )
  limitRate(
    app,
    requestsPerMinute,
    async ({ cookie }) => (cookie?.startsWith('live') ? cookie : undefined),
    () => new Date(time),
  )
  app.get('/', async () => 'ok')
  app.get('/healthz', async () => 'ok')
  const get = (authorization?: string, cookie?: string) =>
    app.inject({
      url: '/',
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(cookie === undefined ? {} : { cookie }),
      },
    })
  return {
    get,
    probe: () => app.inject('/healthz'),
    pass: (ms: number) => {
      time += ms
    },
  }
}

test('the request above the limit is answered 429 with when to come back, and the next minute is free', async () => {
  const { get, pass } = limited(2)
  assert.equal((await get('Bearer a')).headers['x-ratelimit-remaining'], '1')
  await get('Bearer a')
  pass(20_000)
  const refused = await get('Bearer a')
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '40')
  assert.equal(refused.headers['x-ratelimit-reset'], '60')
  assert.match(refused.json().error.message, /40 seconds/)
  pass(40_000)
  assert.equal((await get('Bearer a')).statusCode, 200)
})

test('callers are counted apart, by token or else by address', async () => {
  const { get } = limited(1)
  assert.equal((await get('Bearer a')).statusCode, 200)
  assert.equal((await get('Bearer b')).statusCode, 200)
  assert.equal((await get()).statusCode, 200)
  assert.equal((await get()).statusCode, 429)
})

test('people of one address are counted apart by their sessions, and those who make sessions up are not', async () => {
  const { get } = limited(1)
  for (const session of ['live a', 'live b'])
    assert.deepEqual(
      [(await get(undefined, session)).statusCode, (await get(undefined, session)).statusCode],
      [200, 429],
    )
  assert.equal((await get(undefined, 'made up 1')).statusCode, 200)
  assert.equal((await get(undefined, 'made up 2')).statusCode, 429)
  assert.equal((await get('Bearer a', 'live a')).statusCode, 200)
})

test('without a limit nothing is counted and no header is sent', async () => {
  const { get } = limited(0)
  assert.equal((await get()).headers['x-ratelimit-limit'], undefined)
})

test('probes are not limited, and take nothing from the callers of their address', async () => {
  const { get, probe } = limited(1)
  for (let time = 0; time < 3; time += 1) {
    const { statusCode, headers } = await probe()
    assert.equal(statusCode, 200)
    assert.equal(headers['x-ratelimit-limit'], undefined)
  }
  assert.equal((await get()).statusCode, 200)
})
