import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLanes } from './lanes.ts'

type One = { readonly receiver: string; readonly name: string }

/** Lanes whose runs end on demand. */
function lanes(bounds: { all: number; each: number }) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const made = createLanes<One>(
    one =>
      new Promise(resolve => {
        begun.push(one.name)
        ends.set(one.name, resolve)
      }),
    bounds,
  )
  return {
    begun,
    add: (...names: string[]) => {
      for (const name of names) made.add({ name, receiver: name.slice(0, 1) })
    },
    drop: (receiver: string) => made.drop(one => one.receiver === receiver).map(({ name }) => name),
    async end(name: string) {
      ends.get(name)?.()
      await setImmediate()
    },
  }
}

test('concurrency to one receiver is bounded, in order, and others overtake it', async () => {
  const { begun, add, end } = lanes({ all: 10, each: 2 })
  add('a1', 'a2', 'a3', 'a4', 'b1')
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  await end('a2')
  assert.deepEqual(begun.slice(3), ['a3'])
})

test('total concurrency is bounded', async () => {
  const { begun, add, end } = lanes({ all: 2, each: 2 })
  add('a1', 'b1', 'c1')
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('b1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1'])
})

test('those that have not begun can be dropped', async () => {
  const { begun, add, drop, end } = lanes({ all: 10, each: 1 })
  add('a1', 'a2', 'b1', 'b2', 'a3')
  assert.deepEqual(drop('a'), ['a2', 'a3'])
  await end('a1')
  await end('b1')
  assert.deepEqual(begun, ['a1', 'b1', 'b2'])
})
