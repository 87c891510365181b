import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { toErrorReply } from './failures.ts'
import { refuseOverload } from './overload.ts'

function serverWith(bounds: Partial<Parameters<typeof refuseOverload>[2]> = {}) {
  const gate = Promise.withResolvers<void>()
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = toErrorReply(error)
    return reply.code(status).headers(headers).send(body)
  })
  let probes = 0
  const queue = () => {
    probes += 1
    return gate.promise
  }
  const { counts, routes } = refuseOverload(app, queue, {
    underWayMax: 10,
    measuredMin: 2,
    waitMsMax: 30,
    lookMs: 1,
    ...bounds,
  })
  app.get('/', async () => gate.promise.then(() => 'ok'))
  app.get('/readyz', async () => 'ready')
  app.post('/', async () => 'ok')
  app.post('/slow', async () => gate.promise.then(() => 'ok'))
  return {
    app,
    counts,
    routes,
    probes: () => probes,
    /** On its way at once. */
    get: (url = '/') => app.inject({ url }).then(reply => reply),
    open: () => gate.resolve(),
  }
}

test('while queries wait too long for the database, new requests are refused at once with a Retry-After', async () => {
  const server = serverWith()
  const held = [server.get(), server.get()]
  while (server.counts().underWay < 2) await sleep(1)
  await sleep(60)
  const refused = await server.get()
  assert.equal(refused.statusCode, 503)
  assert.equal(refused.headers['retry-after'], '5')
  assert.equal((await server.get('/readyz')).statusCode, 200)
  assert.deepEqual(server.counts(), { present: 2, underWay: 2, refused: 1 })
  server.open()
  for (const { statusCode } of await Promise.all(held)) assert.equal(statusCode, 200)
  assert.equal((await server.get()).statusCode, 200)
  while (server.counts().underWay > 0) await sleep(1)
})

test('one probe waits at a time, so that requests which come later do not hide how long it waits', async () => {
  const server = serverWith({ waitMsMax: 60_000 })
  const held = Array.from({ length: 5 }, () => server.get())
  while (server.counts().underWay < 5) await sleep(1)
  assert.equal(server.probes(), 1)
  server.open()
  await Promise.all(held)
  while (server.counts().underWay > 0) await sleep(1)
})

test('more requests than may be under way are refused, whatever they wait for', async () => {
  const server = serverWith({ underWayMax: 3, waitMsMax: 60_000 })
  const held = [server.get(), server.get(), server.get()]
  while (server.counts().underWay < 3) await sleep(1)
  assert.equal((await server.get()).statusCode, 503)
  server.open()
  for (const { statusCode } of await Promise.all(held)) assert.equal(statusCode, 200)
  assert.equal((await server.get()).statusCode, 200)
})

test('clients that send no body do not count towards the limit', async () => {
  const { app, counts, get, open } = serverWith({ underWayMax: 1 })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
  )
  const [asked] = (await once(socket, 'data')) as [Buffer]
  assert.match(asked.toString(), /^HTTP\/1\.1 100 /)
  assert.equal(counts().underWay, 0)
  open()
  assert.equal((await get()).statusCode, 200)
  socket.destroy()
  await app.close()
})

test('work of a client that has left counts until it is done', async () => {
  const { app, counts, get, open } = serverWith({ underWayMax: 1, waitMsMax: 60_000 })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  while (counts().underWay < 1) await sleep(1)
  socket.destroy()
  while ((await connectionsOf(app)) > 0) await sleep(1)
  assert.equal((await get()).statusCode, 503)
  open()
  while (counts().underWay > 0) await sleep(1)
  assert.equal((await get()).statusCode, 200)
  await app.close()
})

test('a request whose client left after it sent its body is not kept', async () => {
  const { app, counts, routes, open } = serverWith()
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('POST /slow HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 1\r\n\r\na')
  while (counts().underWay < 1) await sleep(1)
  assert.deepEqual(routes(), ['POST /slow'])
  socket.destroy()
  while ((await connectionsOf(app)) > 0) await sleep(1)
  open()
  while (counts().underWay > 0) await sleep(1)
  assert.deepEqual(routes(), [])
  await app.close()
})

const connectionsOf = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
