// A span for each request, which everything that it leads to is below. Its name is the pattern of the route.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentTracer, type Span } from '../base/traces.ts'
import type { Config } from '../platform/config.ts'
import { MONITORING_PATHS } from './overload.ts'
import { pathOf } from './request-log.ts'

/**
 * To be called before routes are added. A proxy that is trusted may say which trace a request belongs to; anybody else
 * could make this server record everything, or hang their request below somebody's trace.
 */
export function traceRequests(app: FastifyInstance, { trustProxy }: Pick<Config, 'trustProxy'>): void {
  const codes = new WeakMap<FastifyRequest, string>()
  app.addHook('onRequest', (request, reply, done) => {
    const tracer = currentTracer()
    if (tracer === undefined || MONITORING_PATHS.has(pathOf(request.url))) return done()
    const { method, headers, id } = request
    const { traceparent } = headers
    const span = tracer.start({
      name: method,
      kind: 'server',
      attributes: { 'http.request.method': method, 'octavo.request_id': id },
      traceparent: trustProxy && typeof traceparent === 'string' ? traceparent : undefined,
      isRoot: !trustProxy || traceparent === undefined,
    })
    reply.raw.once('close', () => endSpan(span, request, reply.raw, codes.get(request)))
    tracer.within(span, done)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if (currentTracer() !== undefined) codes.set(request, error.code ?? error.name)
    done()
  })
}

function endSpan(
  span: Span,
  { method, routeOptions }: FastifyRequest,
  raw: { readonly statusCode: number; readonly writableEnded: boolean },
  code: string | undefined,
): void {
  const route = routeOptions.url
  span.rename(route === undefined ? method : `${method} ${route}`)
  span.set({
    'http.response.status_code': raw.statusCode,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(code === undefined ? {} : { 'octavo.refusal': code }),
  })
  if (!raw.writableEnded) span.end('client_left')
  else if (raw.statusCode >= 500) span.end(code ?? String(raw.statusCode))
  else span.end()
}
