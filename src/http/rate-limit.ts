// How many requests a minute one caller may make (OCTAVO_RATE_LIMIT): by token or session once that is proved, by
// network address until then. In fixed windows, which the processes of an installation tell each other of at most once a
// second: a guard against a runaway script and against invented tokens, not a quota.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/canonical.ts'
import { type Clock, now } from '../base/clock.ts'
import { throttled } from '../base/errors.ts'
import { Tally } from '../base/tallies.ts'
import { entries } from '../platform/cache/cache.ts'
import type { Config } from '../platform/config.ts'
import type { Changes } from '../platform/db/changes.ts'
import { networkOf } from '../platform/fairness/party.ts'
import type { Log } from '../platform/log.ts'
import { MONITORING_PATHS } from './overload.ts'
import { RateExchange } from './rate-exchange.ts'
import { pathOf } from './request-log.ts'

const WINDOW_MS = 60_000
// Callers remembered at once; beyond it the least recently seen one starts afresh.
const CALLERS_MAX = 50_000
const KEY_CHARACTERS = 16
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
// Open for hours, and bounded in number where it is served.
const LIVE_STREAM = '/v1/stream'

/** Refused requests, by whom they counted for: a caller that is proved, claims without proof, or an address. */
export type LimitCounts = ReadonlyMap<'proved' | 'claimed' | 'address', number>

export type RateLimits = Pick<Config, 'requestsPerMinute' | 'addressRequestsPerMinute' | 'trustProxy'>

/** Whether credentials have proved to be somebody's lately. Asks nobody. */
export type KnownCallers = {
  /** Whom the requests of these headers count for; undefined if nothing proves it; null if they claim nothing. */
  callerOf(headers: IncomingHttpHeaders): string | undefined | null
}

/**
 * Adds the limits to every route, defined before or after; docs/api.md describes the headers. Returns the counts of
 * refused requests.
 */
export function limitRate(
  app: FastifyInstance,
  limits: RateLimits,
  { callerOf }: KnownCallers,
  peers: Pick<Changes, 'tellPeers' | 'hearPeers'>,
  log: Pick<Log, 'warn'>,
  clock: Clock = now,
): () => LimitCounts {
  const refused = new Tally(['proved', 'claimed', 'address'] as const)
  warnOfUntrustedProxy(app, limits, log)
  const windows = new LRUCache<string, { start: number; count: number }>(entries(CALLERS_MAX))
  const windowStart = (): number => clock().getTime() - (clock().getTime() % WINDOW_MS)
  const add = (key: string, count: number) => {
    const start = windowStart()
    const known = windows.get(key)
    const window = known?.start === start ? known : { start, count: 0 }
    window.count += count
    windows.set(key, window)
    return window
  }
  const exchange = new RateExchange(peers, add)
  app.addHook('onClose', async () => exchange.close())

  /** Colleagues behind one address who read without a token do not keep out those with one. */
  const bucketOf = ({ headers, ip, method }: FastifyRequest) => {
    const caller = callerOf(headers)
    const isClaimed = caller !== null
    const who = caller ?? `${isClaimed ? 'claims' : 'address'} ${networkOf(ip)}`
    // Reading, however much of it, keeps nobody from saving what they type.
    const what = READING.has(method) ? 'reads' : 'writes'
    return {
      key: sha256(`${who} ${what}`).slice(0, KEY_CHARACTERS),
      bound: isClaimed ? limits.requestsPerMinute : limits.addressRequestsPerMinute,
      isProved: typeof caller === 'string',
      kind: typeof caller === 'string' ? 'proved' : isClaimed ? 'claimed' : 'address',
    } as const
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (MONITORING_PATHS.has(request.url)) return done()
    const { key, bound, isProved, kind } = bucketOf(request)
    if (bound === 0 || (isProved && pathOf(request.url) === LIVE_STREAM)) return done()
    const { start, count } = add(key, 1)
    exchange.count(key)
    const endMs = start + WINDOW_MS
    reply.headers({
      'x-ratelimit-limit': bound,
      'x-ratelimit-remaining': Math.max(0, bound - count),
      'x-ratelimit-reset': Math.ceil(endMs / 1000),
    })
    if (count <= bound) return done()
    const waitSeconds = Math.max(1, Math.ceil((endMs - clock().getTime()) / 1000))
    reply.header('retry-after', waitSeconds)
    refused.add(kind)
    done(throttled(`More than ${bound} requests in a minute. Wait ${waitSeconds} seconds.`))
  })
  return () => refused.counts()
}

/** Behind a proxy that is not trusted, everybody has the address of the proxy, and shares its bound. */
function warnOfUntrustedProxy(
  app: FastifyInstance,
  { trustProxy }: RateLimits,
  log: Pick<Log, 'warn'>,
): void {
  if (trustProxy) return
  let isWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isWarned && headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      log.warn(
        'a request has X-Forwarded-For, which is not trusted: all clients of a proxy count as one address. If this server is behind a proxy of yours, set OCTAVO_TRUST_PROXY=true; this is said once',
      )
    }
    done()
  })
}
