import assert from 'node:assert/strict'
import { once } from 'node:events'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { test } from 'node:test'
import { startThread } from './thread.ts'

test('a thread has the compile cache of the one that starts it, and nothing of its environment', async () => {
  enableCompileCache()
  const program = `
    import { getCompileCacheDir } from 'node:module'
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage([getCompileCacheDir(), process.env])`
  const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  const [answer] = await once(thread, 'message')
  await thread.terminate()
  assert.notEqual(getCompileCacheDir(), undefined)
  assert.deepEqual(answer, [getCompileCacheDir(), {}])
})
