// Refuses at once what could not be answered in time. How long work waits is measured and not guessed: a probe queues
// for the database like every request, and while it waits for too long, no other request joins the queue.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { monotonicMs } from '../base/clock.ts'
import { type Failure, unavailable } from '../base/errors.ts'

export type OverloadBounds = {
  /** Requests under way at once, whatever they wait for. */
  readonly underWayMax: number
  /** Fewer cannot make a queue: they are not measured. */
  readonly measuredMin: number
  readonly waitMsMax: number
  readonly lookMs: number
}

const BOUNDS: OverloadBounds = { underWayMax: 2_000, measuredMin: 20, waitMsMax: 5_000, lookMs: 250 }

/** Paths of what watches the server: never refused for load. */
export const WATCHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

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
  // Undefined until there is something to measure; in the future while the next probe is not due.
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

  const isMeasured = ({ url }: FastifyRequest) => !WATCHED.has(url)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isMeasured(request)) return done()
    const why = refusal()
    if (why === undefined) present.add(request)
    done(why)
  })
  // Under way from when its body is there until its answer is: how long a client takes to send the one and to read the
  // other is no work, and must not keep others out.
  app.addHook('preValidation', (request, _reply, done) => {
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
  app.addHook('onResponse', (request, _reply, done) => {
    underWay.delete(request)
    present.delete(request)
    done()
  })
  // The work goes on when a client leaves, and counts until it is done.
  app.addHook('onRequestAbort', (request, done) => {
    present.delete(request)
    done()
  })
  return {
    counts: () => ({ underWay: underWay.size, refused }),
    routes: () => [
      ...new Set([...present].map(({ method, routeOptions }) => `${method} ${routeOptions.url}`)),
    ],
  }
}
