// Ten connections that send requests in turn, and what the server takes for them.
import autocannon from 'autocannon'
import { round } from './measure.ts'
import { processorMs } from './processor.ts'
import type { BenchServer } from './server.ts'

const SECONDS = 4
export const CONNECTIONS = 10

/** Throws unless all of them succeed. */
export async function sendInTurn(
  { url, headers, pid }: BenchServer,
  requests: readonly autocannon.Request[],
) {
  const before = processorMs(pid)
  const outcome = await autocannon({
    ...{ url, headers, connections: CONNECTIONS, duration: SECONDS },
    requests: [...requests],
  })
  if (outcome.non2xx > 0 || outcome.errors > 0)
    throw new Error(`${outcome.non2xx} refusals, ${outcome.errors} errors`)
  return {
    perSecond: round(outcome.requests.average),
    p50Ms: outcome.latency.p50,
    p99Ms: outcome.latency.p99,
    processorMs: round((processorMs(pid) - before) / outcome.requests.total),
  }
}
