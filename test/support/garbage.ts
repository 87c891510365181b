// Garbage that is collected when a test says so, and not when V8 does by itself.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Collects garbage twice: a thread beside frees the buffers that are garbage, and the next collection waits for it. */
export async function collectGarbage(): Promise<void> {
  for (let time = 0; time < 2; time++) {
    collect()
    await setImmediate()
  }
}
