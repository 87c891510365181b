import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goFirst } from '../../base/priority.ts'
import { createPlaces } from './places.ts'

test('a writer gets the next connection before readers who came earlier', async () => {
  const places = createPlaces(1, 60_000)
  const order: string[] = []
  const use = async (name: string) => {
    const giveBack = await places.take()
    order.push(name)
    giveBack()
  }
  const first = await places.take()
  const all = [use('read 1'), use('read 2'), goFirst(() => use('write'))]
  first()
  await Promise.all(all)
  assert.deepEqual(order, ['write', 'read 1', 'read 2'])
})

test('a place that is given back twice is one place', async () => {
  const places = createPlaces(1, 1)
  const giveBack = await places.take()
  giveBack()
  giveBack()
  await places.take()
  await assert.rejects(places.take(), { kind: 'unavailable', code: 'busy' })
})

test('who waited too long is refused, and its place goes to the next', async () => {
  const places = createPlaces(1, 1)
  const giveBack = await places.take()
  await assert.rejects(places.take(), { kind: 'unavailable', code: 'busy' })
  giveBack()
  await places.take()
})
