// Long work of one thread in slices, between which everything else runs.
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'

const SLICE_MS = 10

/** To be awaited between two steps of long work: where the steps since the last pause fill a slice, others run. */
export function createPauses(): () => Promise<void> {
  let since = monotonicMs()
  return async () => {
    if (monotonicMs() - since < SLICE_MS) return
    await letOthersRun()
    since = monotonicMs()
  }
}

/** The items one after the other, with pauses between them. */
export async function* inSlices<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  const pause = createPauses()
  for await (const item of items) {
    yield item
    await pause()
  }
}
