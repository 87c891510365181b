// Threads whose program is written in TypeScript.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const ENTRY = new URL('./thread-entry.js', import.meta.url)

/** Starts a thread that runs a module and shares this thread's compile cache. It sees no environment variables. */
export function startThread(program: URL, options: WorkerOptions = {}): Worker {
  const compileCache = getCompileCacheDir()
  // Node appends a folder for its version to the given one.
  const argv = [program.href, compileCache === undefined ? '' : dirname(compileCache)]
  return new Worker(ENTRY, { ...options, env: {}, argv })
}
