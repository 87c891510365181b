import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptAlive } from './kept-alive.ts'

test('while a clone waits for its answer, the server sends keep-alive packets that clients ignore', async () => {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const sent = keptAlive(promise, 1)
  const nothing = '0005\u0001'
  assert.equal(String((await sent.next()).value), nothing)
  assert.equal(String((await sent.next()).value), nothing)
  resolve(Buffer.from('0000'))
  let last = ''
  for await (const bytes of sent) last = String(bytes)
  assert.equal(last, '0000')
})
