import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../log.ts'
import { startClock } from './clock.ts'

const log = createLog('silent')
const entry = (name: string, everySeconds: number, run: () => Promise<unknown>) => ({
  name,
  everySeconds,
  run,
})

test('an entry runs again and again, also after it failed', async () => {
  let runs = 0
  const clock = startClock(
    [
      entry('x', 0.02, async () => {
        runs += 1
        throw new Error('once more')
      }),
    ],
    log,
  )
  // The limit on a test ends a wait for what never comes.
  while (runs < 3) await sleep(10)
  await clock.stop()
})

test('an entry never runs beside itself, and stop waits for it', async () => {
  let running = 0
  let most = 0
  const clock = startClock(
    [
      entry('x', 0.01, async () => {
        running += 1
        most = Math.max(most, running)
        await sleep(40)
        running -= 1
      }),
    ],
    log,
  )
  await sleep(30)
  await Promise.all([clock.runAll(), clock.runAll()])
  await clock.stop()
  assert.equal(running, 0)
  assert.equal(most, 1)
})

test('after stop nothing starts', async () => {
  let runs = 0
  const clock = startClock([entry('x', 0.01, async () => runs++)], log)
  await clock.stop()
  await sleep(50)
  assert.equal(runs, 0)
})
