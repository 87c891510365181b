// Runs long work in slices, between which everything else runs. Concurrent work shares the slices: several steps in a
// row, or several tasks side by side, hold the thread no longer than one of them alone.
import { monotonicMs } from './clock.ts'
import { PriorityQueue } from './priority.ts'
import { recordWait } from './waits.ts'

const SLICE_MS = 5

let since = monotonicMs()
// Work that others wait for has every second slice: each of many requests that arrive together takes one.
const waiting = new PriorityQueue<() => void>(1)

/** Whether a slice is over, so that `pause` would let others run. */
export const isSliceOver = (): boolean => monotonicMs() - since >= SLICE_MS

/** To be awaited between two steps of long work: when a slice is over, others run. */
export async function pause(): Promise<void> {
  if (!isSliceOver()) return
  const began = monotonicMs()
  await new Promise<void>(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeNext)
  })
  recordWait('slice', monotonicMs() - began)
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
