// `GET /metrics`: process metrics in the Prometheus text format
// (https://prometheus.io/docs/instrumenting/exposition_formats/). Behind a token, because they reveal the load.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { missing, unauthenticated } from '../base/errors.ts'
import { waitCounts } from '../base/waits.ts'
import type { SearchIndexes, Services } from '../http/context.ts'
import type { LoadCounts } from '../http/overload.ts'
import type { BlobSweep } from '../platform/blobs/sweep.ts'
import { countDroppedLines } from '../platform/log-file.ts'
import type { LoopCounts } from '../platform/loop.ts'
import type { PoolCounts } from '../platform/pool/pool.ts'

export type Sources = {
  readonly loop: () => LoopCounts
  readonly load: () => LoadCounts
  readonly pools: () => Readonly<Record<string, PoolCounts>>
  readonly search: SearchIndexes['counts']
  readonly swept: BlobSweep['counts']
}

/** The address exists only if the operator set a token for it. */
export function serveMetrics(app: FastifyInstance, { config }: Services, sources: Sources): void {
  app.get('/metrics', async (request, reply) => {
    if (config.metricsToken === undefined) throw missing('address')
    if (!isEqual(request.headers.authorization ?? '', `Bearer ${config.metricsToken}`))
      throw unauthenticated('Send the token of OCTAVO_METRICS_TOKEN as Authorization: Bearer <token>.')
    const text = [...renderMetrics(sources)].join('')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

const isEqual = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const POOL_METRICS = [
  ['octavo_pool_threads', 'gauge', 'Threads of the pool.', 'threads'],
  ['octavo_pool_running', 'gauge', 'Running tasks.', 'running'],
  ['octavo_pool_waiting', 'gauge', 'Tasks waiting for a thread.', 'waiting'],
  ['octavo_pool_done_total', 'counter', 'Completed tasks.', 'done'],
  ['octavo_pool_beyond_time_total', 'counter', 'Tasks that exceeded their time limit.', 'beyondTime'],
  ['octavo_pool_beyond_memory_total', 'counter', 'Tasks that exceeded their memory limit.', 'beyondMemory'],
  ['octavo_pool_refused_total', 'counter', 'Tasks refused because too many were waiting.', 'refused'],
] as const satisfies readonly (readonly [string, string, string, keyof PoolCounts])[]

type SearchCounts = ReturnType<SearchIndexes['counts']>

const SEARCH_METRICS = [
  ['octavo_search_index_bytes', 'gauge', 'Memory of the search indexes.', 'bytes'],
  ['octavo_search_indexes', 'gauge', 'Search indexes in memory.', 'indexes'],
  ['octavo_search_index_hits_total', 'counter', 'Lookups that found an index in memory.', 'hits'],
  ['octavo_search_index_misses_total', 'counter', 'Lookups that did not find an index in memory.', 'misses'],
  ['octavo_search_index_builds_total', 'counter', 'Indexes built from scratch.', 'builds'],
  ['octavo_search_index_updates_total', 'counter', 'Indexes updated from another.', 'updates'],
] as const satisfies readonly (readonly [string, string, string, keyof SearchCounts])[]

function* renderMetrics({ loop, load, pools, search, swept }: Sources): Generator<string> {
  const { atMost, holds, sumMs, longestMs } = loop()
  yield head(
    'octavo_loop_hold_seconds',
    'histogram',
    'Blocks of the server thread for at least 20 ms of processor time.',
  )
  for (const [ms, count] of atMost) yield `octavo_loop_hold_seconds_bucket{le="${ms / 1_000}"} ${count}\n`
  yield `octavo_loop_hold_seconds_bucket{le="+Inf"} ${holds}\n`
  yield `octavo_loop_hold_seconds_sum ${sumMs / 1_000}\noctavo_loop_hold_seconds_count ${holds}\n`
  yield gauge('octavo_loop_hold_longest_seconds', 'The longest of them since the start.', longestMs / 1_000)
  yield* renderWaits()
  const { underWay, refused } = load()
  yield gauge('octavo_requests_under_way', 'Requests being answered.', underWay)
  yield counter(
    'octavo_requests_refused_total',
    'Requests refused at once because too much was waiting.',
    refused,
  )
  const counts = Object.entries(pools())
  for (const [name, type, help, of] of POOL_METRICS) {
    yield head(name, type, help)
    for (const [pool, each] of counts) yield `${name}{pool="${pool}"} ${each[of]}\n`
  }
  const searching = search()
  for (const [name, type, help, of] of SEARCH_METRICS)
    yield `${head(name, type, help)}${name} ${searching[of]}\n`
  const { count, bytes, failures, unread } = swept()
  yield counter('octavo_files_removed_total', 'Files removed because nothing named them any more.', count)
  yield counter('octavo_files_removed_bytes_total', 'Bytes of removed files.', bytes)
  yield counter(
    'octavo_files_removal_failures_total',
    'Failed removals of files; they are retried later.',
    failures,
  )
  yield gauge(
    'octavo_objects_unread',
    'Unreadable objects at the last sweep: files that they may name are kept.',
    unread,
  )
  yield counter(
    'octavo_log_lines_dropped_total',
    'Lines of the log that could not be written, because its disk is full or its reader has left.',
    countDroppedLines(),
  )
  const { user, system } = process.cpuUsage()
  yield counter('process_cpu_seconds_total', 'Processor time of all threads.', (user + system) / 1_000_000)
  yield gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss())
}

const WAIT = 'octavo_wait_seconds'

function* renderWaits(): Generator<string> {
  const queues = waitCounts()
  yield head(
    WAIT,
    'histogram',
    'Waits in the queues: for the server thread, a slice of it, a database connection, a turn to write, a pool.',
  )
  for (const [queue, { atMost, count, sumMs }] of queues) {
    for (const [ms, within] of atMost) yield `${WAIT}_bucket{queue="${queue}",le="${ms / 1_000}"} ${within}\n`
    yield `${WAIT}_bucket{queue="${queue}",le="+Inf"} ${count}\n`
    yield `${WAIT}_sum{queue="${queue}"} ${sumMs / 1_000}\n${WAIT}_count{queue="${queue}"} ${count}\n`
  }
  yield head('octavo_wait_longest_seconds', 'gauge', 'The longest of these waits since the start.')
  for (const [queue, { longestMs }] of queues)
    yield `octavo_wait_longest_seconds{queue="${queue}"} ${longestMs / 1_000}\n`
}

const head = (name: string, type: string, help: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
const gauge = (name: string, help: string, value: number) => `${head(name, 'gauge', help)}${name} ${value}\n`
const counter = (name: string, help: string, value: number) =>
  `${head(name, 'counter', help)}${name} ${value}\n`
