// How many requests a minute one caller may make, if the operator sets a limit (OCTAVO_RATE_LIMIT). Counted in this
// process, in fixed windows, by session, by token or, without either, by address: a guard against a runaway script, not a quota.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/canonical.ts'
import { type Clock, now } from '../base/clock.ts'
import { throttled } from '../base/errors.ts'
import { entries } from '../platform/cache/cache.ts'
import { MONITORING_PATHS } from './overload.ts'

const WINDOW_MS = 60_000
// Callers remembered at once; beyond it the least recently seen one starts afresh.
const CALLERS_MAX = 50_000

/**
 * Adds the limit to every route, defined before or after; 0 adds nothing. docs/api.md describes the headers.
 * `findSession`: the id of the session that the request counts for.
 */
export function limitRate(
  app: FastifyInstance,
  requestsPerMinute: number,
  findSession: (headers: IncomingHttpHeaders) => Promise<string | undefined>,
  clock: Clock = now,
): void {
  if (requestsPerMinute === 0) return
  // Only a session that exists counts as one: names that a caller makes up would have no limit.
  const callerOf = async ({ headers, ip }: FastifyRequest): Promise<string> => {
    if (headers.authorization !== undefined) return sha256(headers.authorization)
    const session = await findSession(headers)
    return session === undefined ? `ip ${ip}` : `session ${session}`
  }
  const windows = new LRUCache<string, { start: number; count: number }>(entries(CALLERS_MAX))
  app.addHook('onRequest', async (request, reply) => {
    if (MONITORING_PATHS.has(request.url)) return
    const caller = await callerOf(request)
    const time = clock().getTime()
    const start = time - (time % WINDOW_MS)
    const known = windows.get(caller)
    const window = known?.start === start ? known : { start, count: 0 }
    window.count += 1
    windows.set(caller, window)
    const resetSeconds = Math.ceil((start + WINDOW_MS) / 1000)
    reply.headers({
      'x-ratelimit-limit': requestsPerMinute,
      'x-ratelimit-remaining': Math.max(0, requestsPerMinute - window.count),
      'x-ratelimit-reset': resetSeconds,
    })
    if (window.count <= requestsPerMinute) return
    const waitSeconds = Math.max(1, Math.ceil((start + WINDOW_MS - time) / 1000))
    reply.header('retry-after', waitSeconds)
    throw throttled(`More than ${requestsPerMinute} requests in a minute. Wait ${waitSeconds} seconds.`)
  })
}
