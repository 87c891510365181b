import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import Fastify from 'fastify'
import { world } from '../../test/support/world.ts'
import { buildApp } from './app.ts'
import { yieldBeforeHandlers } from './overload.ts'

const { services } = await world()

// What a request does takes four milliseconds of this clock, and a slice is five.
let ms = 1_000_000_000
mock.method(globalThis.performance, 'now', () => ms)
const REQUESTS = 10
const REQUESTS_OF_TURN_MAX = 2

test('requests that come at once are answered in several turns of the loop', async () => {
  const app = Fastify()
  yieldBeforeHandlers(app)
  let turn = 0
  const turns: number[] = []
  app.get('/', async () => {
    ms += 4
    turns.push(turn)
    return 'done'
  })
  await app.ready()
  let isDone = false
  const next = () => {
    turn += 1
    if (!isDone) setImmediate(next)
  }
  setImmediate(next)
  await Promise.all(Array.from({ length: REQUESTS }, () => app.inject('/')))
  isDone = true
  const most = Math.max(...turns.map(at => turns.filter(other => other === at).length))
  assert.equal(turns.length, REQUESTS)
  assert.ok(most <= REQUESTS_OF_TURN_MAX, turns.join(' '))
})

test('monitoring is answered while other requests wait for their turns', async () => {
  const app = Fastify()
  yieldBeforeHandlers(app)
  const answered: string[] = []
  for (const path of ['/', '/healthz', '/readyz', '/metrics'])
    app.get(path, async () => {
      ms += 4
      answered.push(path)
      return 'done'
    })
  await app.ready()
  ms += 1_000
  const waiting = Array.from({ length: REQUESTS }, () => app.inject('/'))
  await Promise.all([...waiting, ...['/healthz', '/readyz', '/metrics'].map(path => app.inject(path))])
  assert.deepEqual(answered.slice(0, 3), ['/healthz', '/readyz', '/metrics'])
})

test('a request sees what other processes wrote before it; monitoring is answered without that', async () => {
  const heard = Promise.withResolvers<void>()
  const answered: string[] = []
  const changes = { catchUp: () => heard.promise, tellPeers: () => {}, hearPeers: () => () => {} }
  // Requests use these three of its methods.
  const app = buildApp([], { ...services, changes: changes as never })
  for (const path of ['/', '/healthz'])
    app.get(path, async () => {
      answered.push(path)
      return 'done'
    })
  await app.ready()
  const read = app.inject('/')
  await app.inject('/healthz')
  assert.deepEqual(answered, ['/healthz'])
  heard.resolve()
  await read
  await app.close()
  assert.deepEqual(answered, ['/healthz', '/'])
})

test('requests that wait for others to run count as under way', async () => {
  const app = buildApp([], services)
  const underWay: number[] = []
  app.get('/', async () => {
    underWay.push(app.load.counts().underWay)
    return 'done'
  })
  await app.ready()
  ms += 1_000
  await Promise.all(Array.from({ length: REQUESTS }, () => app.inject('/')))
  await app.close()
  assert.equal(underWay[0], REQUESTS)
})
