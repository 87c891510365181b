// Every metric of this server but those of the process, from the counts that the layers keep.
import type { FastifyInstance } from 'fastify'
import { hubOf } from '../api/live/hub.ts'
import type { DeliveryBacklog } from '../api/webhooks/due.ts'
import { waitCounts } from '../base/waits.ts'
import type { SearchIndexes, Services } from '../http/context.ts'
import { countDroppedLines } from '../platform/log-file.ts'
import type { LoopCounts } from '../platform/loop.ts'
import type { PoolCounts } from '../platform/pool/pool.ts'
import { counter, gauge, labelsOf, type Metric, tallied } from './metric-text.ts'

export async function collectMetrics(
  app: FastifyInstance,
  services: Services,
  loop: LoopCounts,
  deliveryBacklog: () => Promise<DeliveryBacklog | undefined>,
): Promise<readonly Metric[]> {
  return [
    ...requestMetrics(app),
    ...databaseMetrics(services),
    ...(await jobMetrics(services)),
    ...deliveryMetrics(services, await deliveryBacklog()),
    tallied(
      'octavo_sign_ins_total',
      'Attempts to sign in.',
      ['way', 'outcome'],
      services.tallies.signIns.counts(),
    ),
    ...blobMetrics(services),
    ...streamMetrics(services),
    ...loopMetrics(loop),
    ...poolMetrics({ ...services.compute.counts(), ...services.rendering.highlighter.counts() }),
    ...searchMetrics(services.searchIndexes.counts()),
    ...sweepMetrics(services),
    counter(
      'octavo_log_lines_dropped_total',
      'Lines of the log that could not be written, because its disk is full or its reader has left.',
      countDroppedLines(),
    ),
  ]
}

function requestMetrics(app: FastifyInstance): readonly Metric[] {
  const { answers, latencies } = app.traffic.requests()
  const { present, underWay, refused } = app.load.counts()
  return [
    {
      type: 'counter',
      name: 'octavo_http_requests_total',
      help: 'Requests, by route, method and status; 499 if the client left before it had the answer.',
      samples: answers.map(({ labels, count }) => ({
        labels: labelsOf(['route', 'method', 'status'], labels),
        value: count,
      })),
    },
    {
      type: 'histogram',
      name: 'octavo_http_request_duration_seconds',
      help: 'From the arrival of a request to the end of its answer, by route; without live streams.',
      samples: [...latencies].map(([route, counts]) => ({ labels: { route }, counts })),
    },
    gauge('octavo_http_requests_in_flight', 'Requests that are not answered to their end.', present),
    gauge('octavo_requests_under_way', 'Requests being answered.', underWay),
    counter(
      'octavo_requests_refused_total',
      'Requests refused at once because too much was waiting.',
      refused,
    ),
    tallied(
      'octavo_http_requests_limited_total',
      'Requests refused by the limit of requests a minute, by whom they counted for.',
      ['caller'],
      app.traffic.limits(),
    ),
  ]
}

function databaseMetrics({ databaseCounts }: Services): readonly Metric[] {
  const { connectionsMax, connections, idle, waiting, statements, failures } = databaseCounts()
  return [
    {
      type: 'gauge',
      name: 'octavo_database_connections',
      help: 'Connections to the database, by state.',
      samples: [
        { labels: { state: 'used' }, value: connections - idle },
        { labels: { state: 'idle' }, value: idle },
      ],
    },
    gauge('octavo_database_connections_max', 'Most connections of this process.', connectionsMax),
    gauge('octavo_database_waiting', 'Requests and jobs that wait for a connection.', waiting),
    {
      type: 'histogram',
      name: 'octavo_database_statement_duration_seconds',
      help: 'Statements, from being sent to their whole answer.',
      samples: [{ labels: {}, counts: statements }],
    },
    tallied(
      'octavo_database_statement_failures_total',
      'Failed statements: beyond their time, in collision with others, against a constraint, without room on the disk, or without an answer.',
      ['kind'],
      failures,
    ),
  ]
}

async function jobMetrics({ jobCounts }: Services): Promise<readonly Metric[]> {
  const backlog = await jobCounts.backlog()
  return [
    tallied('octavo_jobs_total', 'Runs of jobs, by outcome.', ['kind', 'outcome'], jobCounts.ended()),
    {
      type: 'histogram',
      name: 'octavo_job_duration_seconds',
      help: 'Runs of jobs, whatever their outcome.',
      samples: [...jobCounts.durations()].map(([kind, counts]) => ({ labels: { kind }, counts })),
    },
    gauge('octavo_jobs_running', 'Jobs that this process runs.', jobCounts.running()),
    {
      type: 'gauge',
      name: 'octavo_jobs_waiting',
      help: 'Due jobs that no process has taken, counted up to 10,000; absent while the database does not answer.',
      samples: backlog === undefined ? [] : [{ labels: {}, value: backlog.waiting }],
    },
    {
      type: 'gauge',
      name: 'octavo_jobs_oldest_waiting_seconds',
      help: 'For how long the oldest of these has been due.',
      samples: backlog === undefined ? [] : [{ labels: {}, value: backlog.oldestSeconds }],
    },
  ]
}

const deliveryMetrics = (
  { tallies, mail }: Services,
  backlog: DeliveryBacklog | undefined,
): readonly Metric[] => [
  tallied(
    'octavo_webhook_deliveries_total',
    'Attempts to send an event to a webhook.',
    ['outcome'],
    tallies.webhooks.counts(),
  ),
  {
    type: 'histogram',
    name: 'octavo_webhook_delivery_duration_seconds',
    help: 'These attempts, whatever their outcome.',
    samples: [{ labels: {}, counts: tallies.webhookDurations.counts() }],
  },
  {
    type: 'gauge',
    name: 'octavo_webhook_deliveries_waiting',
    help: 'Deliveries that no receiver has taken yet, of webhooks that are not paused, counted up to 10,000; absent while the database does not answer.',
    samples: backlog === undefined ? [] : [{ labels: {}, value: backlog.waiting }],
  },
  {
    type: 'gauge',
    name: 'octavo_webhook_deliveries_oldest_waiting_seconds',
    help: 'How long ago the event of the oldest of these was.',
    samples: backlog === undefined ? [] : [{ labels: {}, value: backlog.oldestSeconds }],
  },
  tallied('octavo_mails_total', 'Messages given to the mail server.', ['outcome'], mail.counts()),
]

function blobMetrics({ blobs }: Services): readonly Metric[] {
  const { operations, bytes } = blobs.counts()
  return [
    tallied('octavo_blob_operations_total', 'Files stored and read.', ['operation', 'outcome'], operations),
    tallied('octavo_blob_bytes_total', 'Bytes of these files.', ['operation'], bytes),
  ]
}

const streamMetrics = (services: Services): readonly Metric[] => [
  gauge('octavo_streams_open', 'Open live streams.', hubOf(services).open),
  counter(
    'octavo_stream_events_total',
    'Events sent over live streams.',
    services.tallies.streamEvents.counts().get('sent') ?? 0,
  ),
  tallied(
    'octavo_streams_closed_total',
    'Live streams that ended: the client left, the server stopped, rights have changed, or the client read too slowly.',
    ['reason'],
    services.tallies.streamEnds.counts(),
  ),
]

function loopMetrics({ atMost, holds, sumMs, longestMs }: LoopCounts): readonly Metric[] {
  const queues = waitCounts()
  return [
    {
      type: 'histogram',
      name: 'octavo_loop_hold_seconds',
      help: 'Blocks of the server thread for at least 20 ms of processor time.',
      samples: [{ labels: {}, counts: { atMost, count: holds, sumMs, longestMs } }],
    },
    gauge('octavo_loop_hold_longest_seconds', 'The longest of them since the start.', longestMs / 1_000),
    {
      type: 'histogram',
      name: 'octavo_wait_seconds',
      help: 'Waits in the queues: for the server thread, a slice of it, a database connection, a turn to write, a pool.',
      samples: queues.map(([queue, counts]) => ({ labels: { queue }, counts })),
    },
    {
      type: 'gauge',
      name: 'octavo_wait_longest_seconds',
      help: 'The longest of these waits since the start.',
      samples: queues.map(([queue, counts]) => ({ labels: { queue }, value: counts.longestMs / 1_000 })),
    },
  ]
}

const POOL_METRICS = [
  ['octavo_pool_threads', 'gauge', 'Threads of the pool.', 'threads'],
  ['octavo_pool_running', 'gauge', 'Running tasks.', 'running'],
  ['octavo_pool_waiting', 'gauge', 'Tasks waiting for a thread.', 'waiting'],
  ['octavo_pool_done_total', 'counter', 'Completed tasks.', 'done'],
  ['octavo_pool_beyond_time_total', 'counter', 'Tasks that exceeded their time limit.', 'beyondTime'],
  ['octavo_pool_beyond_memory_total', 'counter', 'Tasks that exceeded their memory limit.', 'beyondMemory'],
  ['octavo_pool_refused_total', 'counter', 'Tasks refused because too many were waiting.', 'refused'],
] as const satisfies readonly (readonly [string, string, string, keyof PoolCounts])[]

const poolMetrics = (pools: Readonly<Record<string, PoolCounts>>): readonly Metric[] =>
  POOL_METRICS.map(([name, type, help, of]) => ({
    type,
    name,
    help,
    samples: Object.entries(pools).map(([pool, counts]) => ({ labels: { pool }, value: counts[of] })),
  }))

const searchMetrics = (counts: ReturnType<SearchIndexes['counts']>): readonly Metric[] => [
  gauge('octavo_search_index_bytes', 'Memory of the search indexes.', counts.bytes),
  gauge('octavo_search_indexes', 'Search indexes in memory.', counts.indexes),
  counter('octavo_search_index_hits_total', 'Lookups that found an index in memory.', counts.hits),
  counter('octavo_search_index_misses_total', 'Lookups that did not find an index in memory.', counts.misses),
  counter('octavo_search_index_builds_total', 'Indexes built from scratch.', counts.builds),
  counter('octavo_search_index_updates_total', 'Indexes updated from another.', counts.updates),
]

function sweepMetrics({ blobSweep }: Services): readonly Metric[] {
  const { count, bytes, failures, unread } = blobSweep.counts()
  return [
    counter('octavo_files_removed_total', 'Files removed because nothing named them any more.', count),
    counter('octavo_files_removed_bytes_total', 'Bytes of removed files.', bytes),
    counter(
      'octavo_files_removal_failures_total',
      'Failed removals of files; they are retried later.',
      failures,
    ),
    gauge(
      'octavo_objects_unread',
      'Unreadable objects at the last sweep: files that they may name are kept.',
      unread,
    ),
  ]
}
