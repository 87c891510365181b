import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goesFirst, goFirst, PriorityQueue } from './priority.ts'

test('work goes first while it holds something, and what it leaves behind does not', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let left: Promise<boolean> | undefined
  await goFirst(async () => {
    assert.equal(goesFirst(), true)
    left = released.then(goesFirst)
  })
  release()
  assert.deepEqual([goesFirst(), await left], [false, false])
})

test('what goes first overtakes what came before it, and lets one of the others pass after a few', async () => {
  const queue = new PriorityQueue<string>(2)
  for (const name of ['read 1', 'read 2', 'read 3']) queue.push(name)
  await goFirst(async () => {
    for (const name of ['write 1', 'write 2', 'write 3']) queue.push(name)
  })
  queue.remove('read 2')
  assert.equal(queue.length, 5)
  const order = Array.from({ length: 6 }, () => queue.shift())
  assert.deepEqual(order, ['write 1', 'write 2', 'read 1', 'write 3', 'read 3', undefined])
})
