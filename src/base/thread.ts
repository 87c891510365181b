// Threads whose program is in TypeScript.
import { getCompileCacheDir } from 'node:module'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const ENTRY = new URL('./thread-entry.js', import.meta.url)

/** Starts a thread that runs a module. It sees nothing of the environment. */
export const startThread = (program: URL, options: WorkerOptions = {}): Worker =>
  new Worker(ENTRY, { ...options, env: {}, argv: [program.href, getCompileCacheDir() ?? ''] })
