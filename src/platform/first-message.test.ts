import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { firstMessage } from './first-message.ts'

const first = (code: string) => firstMessage(new Worker(code, { eval: true }))

test('a thread that says something is heard', async () => {
  assert.equal(await first('require("node:worker_threads").parentPort.postMessage("open")'), 'open')
})

test('a thread that ends before it says anything is not waited for', async () => {
  await assert.rejects(first('process.exit(3)'), /ended \(3\)/)
  await assert.rejects(first('0'), /ended \(0\)/)
})

test('a thread that breaks says of what', () =>
  assert.rejects(first('throw new Error("no room")'), /no room/))
