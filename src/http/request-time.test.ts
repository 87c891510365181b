import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { Failure } from '../base/errors.ts'
import { limitRequestTime, type Pace, readAtPace } from './request-time.ts'
import { uploadBodyOf } from './upload-body.ts'

const app = Fastify()
const MS_MAX = 100
limitRequestTime(app, MS_MAX)
const overdue = Promise.withResolvers<void>()
app.post('/usual', async () => {
  // Work that takes longer than a request may take to arrive.
  await overdue.promise
  return 'done'
})
app.register(async scope => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
  const pace = { windowMs: 60_000, bytesMin: 1, totalMsMax: 60_000 }
  scope.post('/slow', async request => text(readAtPace(request.body as Readable, pace)))
  scope.post('/bytes', async request => text(uploadBodyOf(request).bytes))
  scope.post('/refused', async (_request, reply) => reply.code(403).send('no'))
})
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())
const { port } = app.server.address() as { port: number }

function begin(path: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nab`)
  return socket
}

test('a request that does not arrive in time is answered and cut off, and one that works for longer is not', async () => {
  const working = fetch(`http://127.0.0.1:${port}/usual`, { method: 'POST', body: 'text' })
  assert.match(await text(begin('/usual')), /^HTTP\/1\.1 408 /)
  const refused = await text(begin('/refused')).catch(String)
  assert.match(refused, /^HTTP\/1\.1 403 |reset/i, 'the rest of what is refused has to arrive in time, too')
  assert.doesNotMatch(refused, /HTTP\/1\.1 408/, 'a request has one answer')
  overdue.resolve()
  assert.equal(await (await working).text(), 'done')
})

test('routes that check the pace themselves, and routes that stream their body, may wait for longer', async () => {
  const sockets = [begin('/slow'), begin('/bytes')]
  assert.match(await text(begin('/usual')), /^HTTP\/1\.1 408 /, 'so long it took by now')
  await sleep(MS_MAX)
  for (const socket of sockets) {
    const answer = text(socket)
    socket.write('cd')
    socket.end()
    assert.match(await answer, /^HTTP\/1\.1 200 [\s\S]*abcd$/)
  }
})

test('an injected request, which has no connection, is never cut off', async () => {
  const { statusCode } = await app.inject({ method: 'POST', url: '/refused', payload: 'text' })
  assert.equal(statusCode, 403)
  // An error of the timer would fail this file.
  await sleep(2 * MS_MAX)
})

const PACE: Pace = { windowMs: 20, bytesMin: 4, totalMsMax: 600_000 }

async function codeOf(source: AsyncIterable<string>, pace: Pace): Promise<string> {
  const body = Readable.from(source, { objectMode: false })
  try {
    for await (const _ of readAtPace(body, pace));
    return 'taken'
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.code
  } finally {
    // Its rest would be read for ever.
    body.destroy()
  }
}

test('what stops, is too slow, or does not end is not waited for', async () => {
  async function* stopping() {
    yield 'abcd'
    await new Promise(() => {})
  }
  async function* trickling() {
    for (;;) {
      yield 'a'
      await sleep(15)
    }
  }
  async function* endless() {
    for (;;) {
      yield 'abcd'
      await nextTurn()
    }
  }
  assert.equal(await codeOf(stopping(), PACE), 'request_too_slow')
  assert.equal(await codeOf(trickling(), PACE), 'request_too_slow')
  assert.equal(await codeOf(endless(), { ...PACE, totalMsMax: 20 }), 'request_too_slow')
})

test('a reader that is slow has time', async t => {
  let ms = 0
  t.mock.method(performance, 'now', () => ms)
  const pace = { ...PACE, windowMs: 60_000 }
  const read: string[] = []
  for await (const bytes of readAtPace(Readable.from(['a', 'b', 'c'], { objectMode: false }), pace)) {
    read.push(String(bytes))
    ms += 2 * pace.windowMs
  }
  assert.equal(read.join(''), 'abc')
})
