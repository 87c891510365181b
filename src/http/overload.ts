// What the server does under too much load: it refuses at once requests that could not be answered in time, and
// writes to a full disk; the rest share the one thread.
//
// Waiting times are measured, not guessed: a probe queues for the database like every request, and while it waits too
// long, no other request joins the queue.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { monotonicMs } from '../base/clock.ts'
import { diskFull, type Failure, unavailable } from '../base/errors.ts'
import { isSliceOver, pause } from '../base/slices.ts'
import type { Config } from '../platform/config.ts'
import type { Room } from '../platform/db/database.ts'
import { countFreeBytes, FREE_BYTES_MIN } from '../platform/disk-space.ts'

export type OverloadBounds = {
  /** Requests under way at once, whatever they wait for. */
  readonly underWayMax: number
  /** Fewer requests cannot form a queue: they are not measured. */
  readonly measuredMin: number
  readonly waitMsMax: number
  readonly lookMs: number
}

const BOUNDS: OverloadBounds = { underWayMax: 2_000, measuredMin: 20, waitMsMax: 5_000, lookMs: 250 }

/** For monitoring, which is never refused for load. */
export const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export type LoadCounts = {
  /** Not yet answered or left. */
  readonly present: number
  /** Of these, whose body has arrived and whose answer has not begun. */
  readonly underWay: number
  readonly refused: number
}

export type Load = {
  counts(): LoadCounts
  /** The routes of unfinished requests, each once. */
  routes(): string[]
}

/** `queue` reaches the database in the same way as every request. */
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
    // A failing query does not wait, and requests that need the database report the failure themselves.
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
      // Emitted once the answer is sent or the client has left. After the body has been read, Fastify runs neither
      // `onResponse` nor `onRequestAbort` hooks for a client that leaves.
      reply.raw.once('close', () => present.delete(request))
    }
    done(why)
  })
  // Under way from the arrival of the body to the answer: the time a client takes to send one and to read the other
  // is not work, and must not keep others out.
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
  // An answer written to the raw response skips `onSend`. Work continues after a client leaves, and counts until it
  // is done.
  app.addHook('onResponse', (request, _reply, done) => {
    underWay.delete(request)
    done()
  })
  return {
    counts: () => ({ present: present.size, underWay: underWay.size, refused }),
    routes: () => [
      ...new Set([...present].map(({ method, routeOptions }) => `${method} ${routeOptions.url}`)),
    ],
  }
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

// Asking for free space takes as long as a database statement. No disk fills that fast.
const PLENTY_BYTES = 1024 * 1024 * 1024
const PLENTY_MS = 100

/**
 * Refuses writes before the disk of `home` is full, and while that of a PostgreSQL server is, so that reads continue. To
 * be called before routes are added.
 */
export function refuseWhenDiskIsFull(
  app: FastifyInstance,
  { home }: Pick<Config, 'home'>,
  database: Room,
): void {
  let isPlentyUntil = 0
  const requireRoom = async (): Promise<void> => {
    // If free space is unknown, the write itself fails.
    const room = await countFreeBytes(home).catch(() => Number.POSITIVE_INFINITY)
    if (room < FREE_BYTES_MIN) throw diskFull()
    if (room >= PLENTY_BYTES) isPlentyUntil = monotonicMs() + PLENTY_MS
  }
  app.addHook('onRoute', route => {
    if ([route.method].flat().every(method => READING.has(method))) return
    // After admission, so that a caller who may not write gets 403, and before the body is read.
    route.preParsing = (request, _reply, _payload, done) => {
      if (READING.has(request.method)) done()
      else if (database.isFull) done(diskFull())
      else if (monotonicMs() < isPlentyUntil) done()
      else requireRoom().then(() => done(), done)
    }
  })
}

/**
 * Lets simultaneous requests share the slices of long work. Otherwise the work that each does before its first wait
 * would add up to one long block, as when a browser opens many pages. To be called before routes are added.
 */
export function yieldBeforeHandlers(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    // An answer to monitoring takes no time worth sharing, and would wait behind everybody's slices.
    if (isSliceOver() && !MONITORING_PATHS.has(request.url)) void pause().then(() => done())
    else done()
  })
}
