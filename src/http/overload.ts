// What the server does when it has too much to do: requests that could not be answered in time are refused at once, and so
// are writes onto a full disk; the rest share the one thread.
//
// How long work waits is measured and not guessed: a probe queues for the database like every request, and while it waits
// for too long, no other request joins the queue.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { monotonicMs } from '../base/clock.ts'
import { diskFull, type Failure, unavailable } from '../base/errors.ts'
import { isSliceOver, pause } from '../base/slices.ts'
import type { Config } from '../platform/config.ts'
import { countFreeBytes, FREE_BYTES_MIN } from '../platform/disk-space.ts'

export type OverloadBounds = {
  /** Requests under way at once, whatever they wait for. */
  readonly underWayMax: number
  /** Fewer cannot make a queue: they are not measured. */
  readonly measuredMin: number
  readonly waitMsMax: number
  readonly lookMs: number
}

const BOUNDS: OverloadBounds = { underWayMax: 2_000, measuredMin: 20, waitMsMax: 5_000, lookMs: 250 }

/** For monitoring, which is never refused for load. */
export const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export type LoadCounts = { readonly underWay: number; readonly refused: number }

export type Load = {
  counts(): LoadCounts
  /** The routes of requests that are not over, each once. */
  routes(): string[]
}

/** `queue` takes the way to the database that every request takes. */
export function refuseOverload(
  app: FastifyInstance,
  queue: () => Promise<unknown>,
  { underWayMax, measuredMin, waitMsMax, lookMs }: OverloadBounds = BOUNDS,
): Load {
  const underWay = new Set<FastifyRequest>()
  const present = new Set<FastifyRequest>()
  let refused = 0
  // When the running probe began; undefined while nothing is measured, infinite between two probes.
  let queuedAt: number | undefined

  const probe = async (): Promise<void> => {
    queuedAt = monotonicMs()
    // A query that fails does not wait, and requests that need the database report it themselves.
    await queue().catch(() => {})
    queuedAt = Number.POSITIVE_INFINITY
    setTimeout(() => {
      if (underWay.size < measuredMin) queuedAt = undefined
      else void probe()
    }, lookMs).unref()
  }

  const refusal = (): Failure | undefined => {
    const isLate = queuedAt !== undefined && monotonicMs() - queuedAt > waitMsMax
    if (!isLate && underWay.size < underWayMax) return undefined
    refused += 1
    return unavailable(
      'overloaded',
      'The server has more work than it can do in time. Try again in a few seconds.',
    )
  }

  const isMeasured = ({ url }: FastifyRequest) => !MONITORING_PATHS.has(url)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isMeasured(request)) return done()
    const why = refusal()
    if (why === undefined && !reply.raw.destroyed) {
      present.add(request)
      // Emitted when the answer was sent and when the client left. Once the body is read, Fastify runs neither the hooks of
      // `onResponse` nor those of `onRequestAbort` for a client that leaves.
      reply.raw.once('close', () => present.delete(request))
    }
    done(why)
  })
  // Under way from when its body is there until its answer is: how long a client takes to send the one and to read the
  // other is no work, and must not keep others out.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isMeasured(request)) return done()
    const why = refusal()
    if (why !== undefined) return done(why)
    underWay.add(request)
    if (underWay.size >= measuredMin && queuedAt === undefined) void probe()
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    underWay.delete(request)
    done(null, payload)
  })
  // An answer that is written by hand passes no `onSend`. Work goes on when a client leaves, and counts until it is done.
  app.addHook('onResponse', (request, _reply, done) => {
    underWay.delete(request)
    done()
  })
  return {
    counts: () => ({ underWay: underWay.size, refused }),
    routes: () => [
      ...new Set([...present].map(({ method, routeOptions }) => `${method} ${routeOptions.url}`)),
    ],
  }
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

// To ask for free space takes as long as a statement of the database. No disk takes so much in so little time.
const PLENTY_BYTES = 1024 * 1024 * 1024
const PLENTY_MS = 100

/**
 * Refuses writes before the disk of the embedded database is full, so that reading goes on. To be called before routes
 * are added.
 */
export function refuseWhenDiskIsFull(app: FastifyInstance, { databaseUrl, home }: Config): void {
  if (databaseUrl !== undefined) return
  let isPlentyUntil = 0
  const requireRoom = async (): Promise<void> => {
    // Where free space is unknown, the write itself fails.
    const room = await countFreeBytes(home).catch(() => Number.POSITIVE_INFINITY)
    if (room < FREE_BYTES_MIN) throw diskFull()
    if (room >= PLENTY_BYTES) isPlentyUntil = monotonicMs() + PLENTY_MS
  }
  app.addHook('onRoute', route => {
    if ([route.method].flat().every(method => READING.has(method))) return
    // After admission, so that a caller who may not write gets 403, and before the body is read.
    route.preParsing = (request, _reply, _payload, done) => {
      if (READING.has(request.method) || monotonicMs() < isPlentyUntil) done()
      else requireRoom().then(() => done(), done)
    }
  })
}

/**
 * Lets requests that come at once share the slices of long work: what each does before it waits for something would add
 * up to one hold, as when a browser opens many pages. To be called before routes are added.
 */
export function yieldBeforeHandlers(app: FastifyInstance): void {
  app.addHook('preHandler', (_request, _reply, done) => {
    if (isSliceOver()) void pause().then(() => done())
    else done()
  })
}
