// How long the server's only thread was blocked without a pause. Measured in processor time: on a busy machine the
// clock continues while the process waits for a core.
import { monotonicMs, threadMs } from '../base/clock.ts'
import { recordWait } from '../base/waits.ts'

export type Hold = { readonly processorMs: number; readonly clockMs: number }

export interface LoopWatch {
  /** Starts counting the holds of COUNTED_MS_MIN or more. */
  start(): void
  counts(): LoopCounts
  stop(): void
}

export type LoopCounts = {
  /** Histogram of holds by processor milliseconds: how many took at most that long. */
  readonly atMost: ReadonlyMap<number, number>
  readonly holds: number
  readonly sumMs: number
  readonly longestMs: number
}

const LOOK_MS = 10
// Shorter ones are normal: a tick, a small answer.
const COUNTED_MS_MIN = 20
const BUCKETS = [20, 50, 100, 250, 500, 1_000, 5_000] as const

/** Once started, calls `report` after each hold of more than `reportedMs`. */
export function watchLoop(reportedMs: number, report: (hold: Hold) => void): LoopWatch {
  const atMost = new Map<number, number>(BUCKETS.map(ms => [ms, 0]))
  let holds = 0
  let longestMs = 0
  let sumMs = 0
  let clock = 0
  let processor = 0
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const clockMs = monotonicMs() - clock - LOOK_MS
    const spent = threadMs()
    const processorMs = Math.min(clockMs, spent - processor)
    clock += clockMs + LOOK_MS
    recordWait('loop', Math.max(0, clockMs))
    processor = spent
    if (processorMs < COUNTED_MS_MIN) return
    holds += 1
    sumMs += processorMs
    longestMs = Math.max(longestMs, processorMs)
    for (const ms of BUCKETS) if (processorMs <= ms) atMost.set(ms, (atMost.get(ms) ?? 0) + 1)
    if (processorMs > reportedMs)
      report({ processorMs: Math.round(processorMs), clockMs: Math.round(clockMs) })
  }
  return {
    start() {
      clock = monotonicMs()
      processor = threadMs()
      timer = setInterval(look, LOOK_MS)
      timer.unref()
    },
    counts: () => ({ atMost, holds, sumMs, longestMs }),
    stop: () => clearInterval(timer),
  }
}
