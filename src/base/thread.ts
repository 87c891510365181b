// Threads whose program is in TypeScript.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const ENTRY = new URL('./thread-entry.js', import.meta.url)

/** Starts a thread that runs a module, with the compile cache of this one. It sees nothing of the environment. */
export function startThread(program: URL, options: WorkerOptions = {}): Worker {
  const compileCache = getCompileCacheDir()
  // Node adds a folder of its version to the one that it is given.
  const argv = [program.href, compileCache === undefined ? '' : dirname(compileCache)]
  return new Worker(ENTRY, { ...options, env: {}, argv })
}
