import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const LOADED = `
const { registerHooks } = require('node:module')
const { parentPort, workerData } = require('node:worker_threads')
const urls = []
registerHooks({
  load(url, context, nextLoad) {
    urls.push(url)
    return nextLoad(url, context)
  },
})
import(workerData).then(() => parentPort.postMessage(urls))
`

test('a thread of the pool starts without schemas and without a client of the database', async () => {
  const workerData = new URL('./tasks.ts', import.meta.url).href
  const [urls] = (await once(new Worker(LOADED, { eval: true, workerData }), 'message')) as [string[]]
  assert.ok(urls.includes(workerData))
  const unwanted = urls.filter(url => /\/node_modules\/(?:typebox|kysely|pg)\//.test(url))
  assert.deepEqual(unwanted, [])
})
