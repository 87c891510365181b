import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { inSlices, pause } from './slices.ts'

// A step of work takes a millisecond of this clock.
let ms = 1_000_000_000
mock.method(globalThis.performance, 'now', () => ms)
const STEPS = 100
// Of a slice, and the last one of each of three works that begin at once.
const STEPS_OF_TURN_MAX = 8

/** How many steps the works take in each turn of the loop. */
async function stepsByTurn(...works: ((step: () => void) => Promise<void>)[]): Promise<number[]> {
  const steps = [0]
  let isDone = false
  const turn = () => {
    steps.push(0)
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const step = () => {
    ms += 1
    steps.push((steps.pop() ?? 0) + 1)
  }
  await Promise.all(works.map(work => work(step)))
  isDone = true
  return steps
}

async function work(step: () => void): Promise<void> {
  for await (const _ of inSlices(Array.from({ length: STEPS }))) step()
}

test('long work takes many turns of the loop, a slice in each', async () => {
  const steps = await stepsByTurn(work)
  assert.ok(Math.max(...steps) <= STEPS_OF_TURN_MAX, steps.join(' '))
})

test('concurrent pieces of work share one slice per turn of the loop', async () => {
  const steps = await stepsByTurn(work, work, work)
  assert.ok(Math.max(...steps) <= STEPS_OF_TURN_MAX, steps.join(' '))
})

test('consecutive short pieces of work share one slice per turn of the loop', async () => {
  const steps = await stepsByTurn(async step => {
    for (let at = 0; at < STEPS; at++) {
      step()
      await pause()
    }
  })
  assert.ok(Math.max(...steps) <= STEPS_OF_TURN_MAX, steps.join(' '))
})
