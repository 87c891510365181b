import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { atOnce } from '../../test/support/compute.ts'
import { toErrorReply } from './failures.ts'
import { readJsonBodies } from './json-body.ts'
import { receiveBodies } from './receive-body.ts'

function appWith(
  arrivingBytesMax: number,
  parsedBytesMax: number,
  compute: Parameters<typeof readJsonBodies>[1] = atOnce,
): FastifyInstance {
  const app = Fastify({ bodyLimit: 10_000_000 })
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = toErrorReply(error)
    return reply.code(status).headers(headers).send(body)
  })
  receiveBodies(app, arrivingBytesMax)
  readJsonBodies(app, compute, parsedBytesMax)
  after(() => app.close())
  app.post('/', async () => 'ok')
  return app
}

function begin(app: FastifyInstance, length: number): Socket {
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  )
  return socket
}

/** Until the server has read what was sent before. */
async function untilRefused(app: FastifyInstance, length: number): Promise<void> {
  while ((await post(app, length))[0] === 200);
}

const untilNobodyIsConnected = async (app: FastifyInstance): Promise<void> => {
  const count = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
    )
  while ((await count()) > 0) await sleep(1)
}

const post = (app: FastifyInstance, length: number, url = '/') =>
  app
    .inject({ method: 'POST', url, payload: { text: 'a'.repeat(length) } })
    .then(({ statusCode, headers }) => [statusCode, headers['retry-after']])

test('large bodies beyond what is parsed at once are refused with a time to come again, and read once others are done', async () => {
  const app = appWith(1_000_000, 100)
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  app.post('/held', async () => {
    begun.resolve()
    await gate.promise
    return 'ok'
  })
  // alone, a body may be larger than all together
  const held = post(app, 200, '/held')
  await begun.promise
  assert.deepEqual(await post(app, 10), [503, '5'])
  gate.resolve()
  assert.deepEqual(await held, [200, undefined])
  assert.deepEqual(await post(app, 10), [200, undefined])
  assert.deepEqual(await post(app, 10), [200, undefined])
})

test('bodies that arrive have a bound together, and the rest of one that is refused is read, so that its sender gets the answer', async () => {
  const app = appWith(1_000, 1_000_000)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const arriving = begin(app, 900)
  arriving.write(' '.repeat(800))
  await untilRefused(app, 300)
  const refused = begin(app, 9_000_000)
  const [written] = await Promise.all([
    once(refused.end(' '.repeat(9_000_000)), 'finish').then(() => 'all'),
    text(refused).then(answer => assert.match(answer, /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n/)),
  ])
  assert.equal(written, 'all')
  const answered = once(arriving, 'data')
  arriving.write(`"${' '.repeat(98)}"`)
  assert.match(String(await answered), /^HTTP\/1\.1 200 /)
  arriving.destroy()
  assert.deepEqual(await post(app, 900), [200, undefined])
})

test('a body that is refused midway returns its share at once, while its rest still arrives', async () => {
  const app = appWith(1_000, 1_000_000)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const arriving = begin(app, 900)
  arriving.write(' '.repeat(800))
  await untilRefused(app, 300)
  const refused = begin(app, 5_000)
  refused.write(' '.repeat(150))
  await untilRefused(app, 100)
  refused.write(' '.repeat(300))
  while ((await post(app, 100))[0] !== 200) await sleep(1)
  refused.destroy()
  arriving.destroy()
})

test('a client that leaves while its body arrives returns its share', async () => {
  const app = appWith(1_000, 1_000_000)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = begin(app, 900)
  leaving.write(' '.repeat(800))
  await untilRefused(app, 300)
  leaving.destroy()
  await untilNobodyIsConnected(app)
  assert.deepEqual(await post(app, 300), [200, undefined])
})

test('the share of a client that leaves while its body is parsed is kept until that is done, and no longer', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const app = appWith(1_000, 100, {
    run: async (...task) => {
      begun.resolve()
      await gate.promise
      return atOnce.run(...task)
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = begin(app, 200)
  leaving.write(`"${' '.repeat(198)}"`)
  await begun.promise
  leaving.destroy()
  await untilNobodyIsConnected(app)
  const refused = begin(app, 10)
  refused.write(`"${' '.repeat(8)}"`)
  assert.match(String(await once(refused, 'data')), /^HTTP\/1\.1 503 /)
  gate.resolve()
  while ((await post(app, 10))[0] !== 200) await sleep(1)
})
