import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { atOnce } from '../../test/support/compute.ts'
import { toErrorReply } from './failures.ts'
import { readJsonBodies } from './json-body.ts'
import { createBodyBudget } from './overload.ts'

test('large bodies beyond what is read at once are refused with a time to come again, and read once others are done', async () => {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = toErrorReply(error)
    return reply.code(status).headers(headers).send(body)
  })
  readJsonBodies(app, atOnce, createBodyBudget(app, 100))
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  app.post('/held', async () => {
    begun.resolve()
    await gate.promise
    return 'ok'
  })
  app.post('/', async () => 'ok')
  const post = (url: string, length: number) =>
    app.inject({ method: 'POST', url, payload: { text: 'a'.repeat(length) } }).then(reply => reply)
  // alone, a body may be larger than all together
  const held = post('/held', 200)
  await begun.promise
  const refused = await post('/', 10)
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '5'])
  gate.resolve()
  assert.equal((await held).statusCode, 200)
  assert.equal((await post('/', 10)).statusCode, 200)
  assert.equal((await post('/', 10)).statusCode, 200)
})
