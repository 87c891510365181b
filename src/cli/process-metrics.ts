// What the process itself takes, under the names that dashboards for Node.js know.
import { readdir } from 'node:fs/promises'
import { PerformanceObserver, performance } from 'node:perf_hooks'
import { Durations } from '../base/tallies.ts'
import { VERSION } from '../platform/version.ts'
import { counter, gauge, type Metric } from './metric-text.ts'

const GC_BOUNDS_MS = [1, 5, 10, 50, 100, 500]

/** The pauses of the garbage collector, from `start` to `stop`. */
export function watchCollector() {
  const pauses = new Durations(GC_BOUNDS_MS)
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) pauses.add(duration)
  })
  return {
    start: () => observer.observe({ entryTypes: ['gc'] }),
    counts: () => pauses.counts(),
    stop: () => observer.disconnect(),
  }
}

export async function processMetrics(pauses: ReturnType<Durations['counts']>): Promise<readonly Metric[]> {
  const { user, system } = process.cpuUsage()
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  const files = await countOpenFiles()
  return [
    counter('process_cpu_seconds_total', 'Processor time of all threads.', (user + system) / 1_000_000),
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge(
      'process_start_time_seconds',
      'When the process started, in seconds since 1970.',
      performance.timeOrigin / 1_000,
    ),
    ...(files === undefined ? [] : [gauge('process_open_fds', 'Open file descriptors.', files)]),
    gauge('nodejs_heap_size_total_bytes', 'Memory of the JavaScript heap of the server thread.', heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Used memory of this heap.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that its objects hold.', external),
    {
      type: 'histogram',
      name: 'nodejs_gc_duration_seconds',
      help: 'Pauses of the garbage collector.',
      samples: [{ labels: {}, counts: pauses }],
    },
    {
      type: 'gauge',
      name: 'octavo_build_info',
      help: 'The versions that run; always 1.',
      samples: [{ labels: { version: VERSION, node: process.version }, value: 1 }],
    },
  ]
}

/** Undefined where the system does not list them. */
const countOpenFiles = async (): Promise<number | undefined> =>
  (await readdir('/proc/self/fd').catch(() => undefined))?.length
