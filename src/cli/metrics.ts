// `GET /metrics`: what this process counts, in the text format of Prometheus. Behind a token, because it reveals the
// load.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { findDeliveryBacklog } from '../api/webhooks/due.ts'
import { missing, unauthenticated } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import { createGlance } from '../platform/db/glance.ts'
import type { LoopCounts } from '../platform/loop.ts'
import { collectMetrics } from './metric-sources.ts'
import { renderMetric } from './metric-text.ts'
import { processMetrics, watchCollector } from './process-metrics.ts'

/** The address exists only if the operator set a token for it. */
export function serveMetrics(app: FastifyInstance, services: Services, loop: () => LoopCounts): void {
  const { metricsToken } = services.config
  if (metricsToken === undefined) {
    app.get('/metrics', async () => {
      throw missing('address')
    })
    return
  }
  const collector = watchCollector()
  const deliveryBacklog = createGlance(() => findDeliveryBacklog(services.db))
  app.addHook('onListen', async () => collector.start())
  app.addHook('onClose', async () => collector.stop())
  app.get('/metrics', async (request, reply) => {
    if (!isEqual(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw unauthenticated('Send the token of OCTAVO_METRICS_TOKEN as Authorization: Bearer <token>.')
    const metrics = [
      ...(await collectMetrics(app, services, loop(), deliveryBacklog)),
      ...(await processMetrics(collector.counts())),
    ]
    const text = metrics.flatMap(metric => [...renderMetric(metric)]).join('')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text)
  })
}

const isEqual = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
