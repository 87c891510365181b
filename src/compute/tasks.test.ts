import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

// Every module that the catalogue loads, and then each of its tasks but those left out.
const THREAD = `
const { registerHooks } = require('node:module')
const { parentPort, workerData } = require('node:worker_threads')
const urls = []
registerHooks({
  load(url, context, nextLoad) {
    urls.push(url)
    return nextLoad(url, context)
  },
})
async function report() {
  const { catalogue } = await import(workerData.tasks)
  for (const [name, { load }] of Object.entries(catalogue))
    if (workerData.isLoading && !workerData.leftOut.includes(name)) await load()
  parentPort.postMessage(urls)
}
report()
`

/** The modules of the catalogue; with `leftOut` those of all tasks but these as well. */
async function modulesOf(leftOut?: readonly string[]): Promise<string[]> {
  const tasks = new URL('./tasks.ts', import.meta.url).href
  const workerData = { tasks, isLoading: leftOut !== undefined, leftOut }
  const [urls] = (await once(new Worker(THREAD, { eval: true, workerData }), 'message')) as [string[]]
  assert.ok(urls.includes(tasks))
  return urls
}

test('a thread of the pool loads no engine and no package before it is asked for something', async () => {
  const modules = await modulesOf()
  assert.deepEqual(
    modules.filter(url => /\/(?:engines|node_modules)\//.test(url)),
    [],
  )
})

test('no task but the one that checks rich documents loads schemas, and none a client of the database', async () => {
  const modules = await modulesOf(['documentMetadata'])
  assert.ok(modules.some(url => url.includes('/engines/markdown/document/')))
  assert.deepEqual(
    modules.filter(url => /\/node_modules\/(?:typebox|kysely|pg)\//.test(url)),
    [],
  )
})

// A module that cannot be read when it is imported first.
const UNREADABLE_ONCE = `
const { registerHooks } = require('node:module')
const { parentPort, workerData } = require('node:worker_threads')
let isReadable = false
registerHooks({
  load(url, context, nextLoad) {
    if (isReadable || !url.endsWith('/anchors.ts')) return nextLoad(url, context)
    isReadable = true
    throw new Error('too many open files')
  },
})
async function report() {
  const { catalogue } = await import(workerData.tasks)
  const { load } = catalogue.anchorProblem
  const found = []
  for (let n = 0; n < 3; n += 1) found.push(await load().then(task => typeof task, error => error.message))
  parentPort.postMessage(found)
}
report()
`

test('a task whose module could not be read is loaded when it is asked for again', async () => {
  const tasks = new URL('./tasks.ts', import.meta.url).href
  const [found] = await once(new Worker(UNREADABLE_ONCE, { eval: true, workerData: { tasks } }), 'message')
  assert.deepEqual(found, ['too many open files', 'function', 'function'])
})
