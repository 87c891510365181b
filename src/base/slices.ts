// Runs long work in slices, between which everything else runs. Concurrent work shares the slices: several steps in a
// row, or several tasks side by side, hold the thread no longer than one of them alone.
import { monotonicMs } from './clock.ts'

const SLICE_MS = 5

let since = monotonicMs()
const waiting: (() => void)[] = []

/** Whether a slice is over, so that `pause` would let others run. */
export const isSliceOver = (): boolean => monotonicMs() - since >= SLICE_MS

/** To be awaited between two steps of long work: when a slice is over, others run. */
export async function pause(): Promise<void> {
  if (!isSliceOver()) return
  await new Promise<void>(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })
}

/** One per turn of the event loop, so that many of them do not hold it in a row. */
function resumeNext(): void {
  since = monotonicMs()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** The items in order, with pauses between them. */
export async function* inSlices<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) {
    yield item
    await pause()
  }
}
