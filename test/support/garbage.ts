// Garbage that is collected when a test says so, and not when V8 does by itself.
import { setImmediate } from 'node:timers/promises'

/**
 * Collects garbage, as the runner of tests lets every process do (tools/schedule.ts). Twice: a thread beside frees the
 * buffers that are garbage, and the next collection waits for it.
 */
export async function collectGarbage(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('Run this test with npm test: it collects garbage.')
  for (let time = 0; time < 2; time++) {
    globalThis.gc()
    await setImmediate()
  }
}
