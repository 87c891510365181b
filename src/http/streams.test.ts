import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { world } from '../../test/support/world.ts'
import { invalid } from '../base/errors.ts'
import { buildApp } from './app.ts'
import { mount, streamsOf } from './operation.ts'
import type { Place } from './place.ts'
import { sendStream } from './streams.ts'

const w = await world()
const Event = Type.Object({ number: Type.Integer() })

const somewhere: Place<'organization', object> = {
  ...{ name: 'test', subject: 'organization', path: '/test', params: Type.Object({}), noun: 'test' },
  find: async () => ({}),
  role: () => 'read',
}

/** A server with one operation that streams what `run` gives. */
const serverOf = (run: (signal: AbortSignal) => AsyncIterable<{ number: number }>) =>
  buildApp(
    mount(
      [somewhere],
      [
        streamsOf<'organization', object>()({
          ...{ id: 'test', path: '/numbers', summary: '', tag: '', may: 'view', scope: 'any', reply: Event },
          run: async ({ signal }) => run(signal),
        }),
      ],
    ),
    w.services,
  )
const url = '/v1/test/numbers'
const headers = { authorization: `Bearer ${w.people.read.token}`, 'accept-encoding': 'gzip' }

test('events are frames of JSON without undeclared fields, and the last one says done', async () => {
  const app = serverOf(async function* () {
    yield { number: 1, secret: 'x' }
    yield { number: 2 }
  })
  const answer = await app.inject({ url, headers })
  assert.equal(answer.body, 'data: {"number":1}\n\ndata: {"number":2}\n\nevent: done\ndata: {}\n\n')
  assert.match(String(answer.headers['content-type']), /^text\/event-stream/)
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.match(String(answer.headers['cache-control']), /no-transform/)
  assert.equal((await app.inject({ method: 'HEAD', url, headers })).statusCode, 404)
  await app.close()
})

test('a failure before the first event is an error answer, a later one an event of the stream', async () => {
  const refused = serverOf(async function* () {
    const isRefused = true
    if (isRefused) throw invalid('no', 'Not like this.')
    yield { number: 1 }
  })
  const refusal = await refused.inject({ url, headers })
  assert.deepEqual([refusal.statusCode, refusal.json().error.message], [400, 'Not like this.'])
  await refused.close()
  const failing = serverOf(async function* () {
    yield { number: 1 }
    throw invalid('no', 'Not any more.')
  })
  const { statusCode, body } = await failing.inject({ url, headers })
  assert.equal(statusCode, 200)
  assert.equal(
    body,
    'data: {"number":1}\n\nevent: error\ndata: {"error":{"code":400,"message":"Not any more."}}\n\n',
  )
  await failing.close()
})

test('work ends when its client leaves, also before the first event', async () => {
  for (const first of [true, false]) {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<unknown>()
    const app = serverOf(async function* (signal) {
      if (first) yield { number: 1 }
      begun.resolve()
      await once(signal, 'abort').catch(() => {})
      ended.resolve(signal.reason)
      yield { number: 2 }
    })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const client = new AbortController()
    const asking = fetch(origin + url, { headers, signal: client.signal })
      .then(answer => answer.text())
      .catch(() => 'left')
    await begun.promise
    client.abort()
    assert.equal(await asking, 'left')
    assert.match(String(await ended.promise), /The client left/)
    await app.close()
  }
})

test('work ends when the server stops, and its client gets an event', async () => {
  const begun = Promise.withResolvers<void>()
  const app = serverOf(async function* (signal) {
    yield { number: 1 }
    begun.resolve()
    await once(signal, 'abort')
    signal.throwIfAborted()
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const asking = fetch(origin + url, { headers }).then(answer => answer.text())
  await begun.promise
  await app.close()
  assert.match(await asking, /event: error\ndata: \{"error":\{"code":503,"message":"The server is stopping/)
})

test('events are made no faster than the client reads them', async () => {
  let made = 0
  const app = serverOf(async function* () {
    for (; made < 10_000; made++) yield { number: made }
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = new AbortController()
  const answer = await fetch(origin + url, { headers, signal: client.signal })
  assert.equal(answer.status, 200)
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  client.abort()
  await app.close()
  assert.ok(made < 10_000, `${made}`)
})

test('a stream without events sends comments, so that proxies keep it open', async () => {
  const app = Fastify()
  app.get('/', async (request, reply) => {
    const go = Promise.withResolvers<void>()
    const events = async function* () {
      yield 1
      await go.promise
      yield 2
    }
    setTimeout(go.resolve, 20)
    return sendStream(reply, request, events(), String, 1)
  })
  const { body } = await app.inject({ url: '/' })
  assert.match(body, /^data: 1\n\n(?:: still at work\n\n)+data: 2\n\nevent: done/)
  await app.close()
})
