// The request log: one line for each request, and a logger for each request whose lines name it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '../platform/log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Part of the address is secret: the log gets the route instead. */
    isAddressSecret?: true
  }
}

/** To be called before routes are added. */
export function logRequests(app: FastifyInstance, log: Log): void {
  // A RequestLogger has all the methods that Fastify calls; the type also asks for pino's.
  app.setChildLoggerFactory((_log, bindings) => new RequestLogger(log, bindings) as never)
  // The fields are chosen here and hold no secret: searching them for one takes longer than reading a cached page.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    lines.info(
      {
        reqId: request.id,
        method: request.method,
        url: loggableUrlOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/** The part of an address that may be logged. */
export const loggableUrlOf = ({ url, routeOptions }: FastifyRequest): string =>
  routeOptions.config?.isAddressSecret === true ? (routeOptions.url ?? '') : pathOf(url)

/** Query strings may contain search words and keys, so they stay out of messages. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Most requests log nothing else, so pino's child logger is created with the first line. */
class RequestLogger {
  readonly #log: Log
  readonly #bindings: object
  #made: Log | undefined

  constructor(log: Log, bindings: object) {
    this.#log = log
    this.#bindings = bindings
  }

  get #child(): Log {
    this.#made ??= this.#log.child(this.#bindings)
    return this.#made
  }

  child(bindings: object): Log {
    return this.#child.child(bindings)
  }
  fatal(what: unknown, message?: string): void {
    this.#child.fatal(what, message)
  }
  error(what: unknown, message?: string): void {
    this.#child.error(what, message)
  }
  warn(what: unknown, message?: string): void {
    this.#child.warn(what, message)
  }
  info(what: unknown, message?: string): void {
    this.#child.info(what, message)
  }
  debug(what: unknown, message?: string): void {
    this.#child.debug(what, message)
  }
  trace(what: unknown, message?: string): void {
    this.#child.trace(what, message)
  }
}
