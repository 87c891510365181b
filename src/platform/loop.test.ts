import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadMs } from '../base/clock.ts'
import { type Hold, watchLoop } from './loop.ts'

function holdFor(ms: number): void {
  const end = threadMs() + ms
  while (threadMs() < end);
}

test('a hold is reported with its length, and a wait is none', async () => {
  const told: Hold[] = []
  const watch = watchLoop(100, hold => told.push(hold))
  watch.start()
  await sleep(200)
  assert.equal(told.length, 0)
  holdFor(150)
  await sleep(50)
  assert.equal(told.length, 1)
  assert.ok((told[0]?.processorMs ?? 0) >= 130, JSON.stringify(told))
  const { holds, longestMs, atMost } = watch.counts()
  assert.ok(holds >= 1 && longestMs >= 130)
  assert.equal(atMost.get(100), holds - 1)
  watch.stop()
})

test('many short pieces of work, with a pause after each, are no hold', async () => {
  const told: Hold[] = []
  const watch = watchLoop(100, hold => told.push(hold))
  watch.start()
  for (let piece = 0; piece < 30; piece++) {
    holdFor(10)
    await sleep(1)
  }
  assert.deepEqual(told, [])
  watch.stop()
})

test('what is done before it is started is no hold', async () => {
  const watch = watchLoop(100, () => {})
  holdFor(30)
  watch.start()
  await sleep(50)
  assert.equal(watch.counts().holds, 0)
  watch.stop()
})
