// Long work of one thread in slices, between which everything else runs. What runs at the same time shares them: steps
// of one work after another, and works beside each other, hold the thread no longer than one of them alone.
import { monotonicMs } from './clock.ts'

const SLICE_MS = 5

let since = monotonicMs()
const waiting: (() => void)[] = []

/** Whether a slice is over, so that `pause` would let others run. */
export const isSliceOver = (): boolean => monotonicMs() - since >= SLICE_MS

/** To be awaited between two steps of long work: where a slice is over, others run. */
export async function pause(): Promise<void> {
  if (!isSliceOver()) return
  await new Promise<void>(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })
}

/** One in a turn of the loop, so that many do not hold it one after the other. */
function resumeNext(): void {
  since = monotonicMs()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** The items one after the other, with pauses between them. */
export async function* inSlices<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) {
    yield item
    await pause()
  }
}
