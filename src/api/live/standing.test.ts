import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { contextTemplateOf } from '../../http/admission.ts'
import { awaitExpiry } from './standing.ts'
import { streamLive } from './stream.ts'

const w = await world()
const found = await w.services.principals.find(w.people.read.token)
assert.ok(found?.kind === 'user')
const person = found

const DAY_MS = 86_400_000

test('a token or session that ends by the clock is told of then and not before, however far off that is', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const told: string[] = []
  const ending = (days: number) => ({ ...person, expiresAt: new Date(Date.now() + days * DAY_MS) })
  awaitExpiry(ending(1), () => told.push('a day'))
  awaitExpiry(ending(60), () => told.push('sixty days'))
  awaitExpiry({ ...person, expiresAt: null }, () => told.push('never'))
  awaitExpiry(ending(1), () => told.push('not listened to any more'))()
  t.mock.timers.tick(DAY_MS - 1)
  assert.deepEqual(told, [])
  t.mock.timers.tick(1)
  assert.deepEqual(told, ['a day'])
  for (let day = 2; day < 60; day++) t.mock.timers.tick(DAY_MS)
  assert.deepEqual(told, ['a day'])
  t.mock.timers.tick(DAY_MS)
  assert.deepEqual(told, ['a day', 'sixty days'])
})

test('a stream ends with the token or session that began it, by the clock', async () => {
  const principal = { ...person, expiresAt: new Date(Date.now() + 1) }
  const context = { ...contextTemplateOf(w.services), principal }
  const stream = streamLive(context, {}, new AbortController().signal)
  assert.deepEqual((await stream.next()).value, { type: 'hello' })
  assert.equal((await stream.next()).done, true)
})
