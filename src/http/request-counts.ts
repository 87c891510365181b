// Counts every answer by route, method and status, and how long each route takes. By the pattern of the route and never
// by the address, so that strangers cannot make more of them.
import type { FastifyInstance } from 'fastify'
import { type DurationCounts, Durations } from '../base/tallies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It is open for as long as somebody listens: how long says nothing about the server. */
    isOpenEnded?: true
  }
}

export type RequestCounts = {
  /** Label values `route`, `method` and `status`. */
  readonly answers: readonly { readonly labels: readonly [string, string, string]; readonly count: number }[]
  /** By route, without those that stay open. */
  readonly latencies: ReadonlyMap<string, DurationCounts>
}

const BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

/** Of every address that no route is for. */
const NO_ROUTE = 'none'

/** The client left before it had the whole answer. The number is nginx's. */
const CLIENT_LEFT = 499

type Route = { readonly latency: Durations; readonly answers: Map<string, Map<number, number>> }

/** To be called before routes are added. */
export function countRequests(app: FastifyInstance): () => RequestCounts {
  const routes = new Map<string, Route>()
  const routeOf = (name: string): Route => {
    let route = routes.get(name)
    if (route === undefined) {
      route = { latency: new Durations(BOUNDS_MS), answers: new Map() }
      routes.set(name, route)
    }
    return route
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    // Emitted once the answer is sent or the client has left: for the latter Fastify runs no hook.
    raw.once('close', () => {
      const { routeOptions, method } = request
      const { latency, answers } = routeOf(routeOptions.url ?? NO_ROUTE)
      const status = raw.writableEnded ? raw.statusCode : CLIENT_LEFT
      const statuses = answers.get(method) ?? new Map<number, number>()
      answers.set(method, statuses.set(status, (statuses.get(status) ?? 0) + 1))
      if (routeOptions.config?.isOpenEnded !== true) latency.add(reply.elapsedTime)
    })
    done()
  })
  return () => ({
    answers: [...routes].flatMap(([route, { answers }]) =>
      [...answers].flatMap(([method, statuses]) =>
        [...statuses].map(([status, count]) => ({ labels: [route, method, String(status)] as const, count })),
      ),
    ),
    latencies: new Map(
      [...routes].flatMap(([route, { latency }]) => {
        const counts = latency.counts()
        return counts.count === 0 ? [] : [[route, counts] as const]
      }),
    ),
  })
}
