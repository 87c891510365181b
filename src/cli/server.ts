// The server: the API below /v1, files, the API reference and the reader.
import type { FastifyInstance } from 'fastify'
import { serveFiles } from '../api/content/serve-files.ts'
import { serveRemotes } from '../api/git-remote/serve.ts'
import { operations } from '../api/index.ts'
import { serveScim } from '../api/scim/serve.ts'
import { serveHooks } from '../api/syncs/serve-hooks.ts'
import { buildApp } from '../http/app.ts'
import type { Services } from '../http/context.ts'
import { serveMcp } from '../mcp/routes.ts'
import { watchLoop } from '../platform/loop.ts'
import { readAssets } from '../site/assets.ts'
import { serveCrawlers } from '../site/crawlers/routes.ts'
import { createErrorPage } from '../site/error-page.ts'
import { readerHeaders } from '../site/headers.ts'
import { serveReader } from '../site/reader/routes.ts'
import { serveReference } from '../site/reference/routes.ts'
import { visitorOf } from '../site/session.ts'
import { shellOf } from '../site/shell.ts'
import { servePublishedSpecs } from '../site/specifications/routes.ts'
import { serveSso } from '../site/sso/routes.ts'
import { describe, serveDescription } from './description.ts'
import { serveHealth } from './health.ts'
import { serveMetrics } from './metrics.ts'

// Nothing may block the event loop for longer.
const HOLD_MS_MAX = 50
// One of the named routes blocked it.
const NAMED_MAX = 10

/** Everything that answers. Nothing listens yet. */
export function buildServer(services: Services): FastifyInstance {
  const assets = readAssets()
  const app = buildApp(operations, services, createErrorPage(services, assets))
  const loop = watchLoop(HOLD_MS_MAX, hold =>
    services.log.warn({ ...hold, underWay: app.load.routes().slice(0, NAMED_MAX) }, 'the server was blocked'),
  )
  app.addHook('onListen', async () => loop.start())
  app.addHook('onClose', async () => {
    loop.stop()
    await Promise.all([
      services.searchIndexes.end(),
      services.embeddings?.end(),
      services.rendering.close(),
      services.compute.end(),
    ])
  })
  serveHealth(app, services)
  const document = describe(services.config.publicUrl)
  serveDescription(app, document)
  serveFiles(app, services)
  serveRemotes(app, services)
  serveHooks(app, services)
  serveScim(app, services)
  servePublishedSpecs(app, services)
  serveMcp(app, services)
  serveReader(app, services, assets)
  serveCrawlers(app, services)
  serveMetrics(app, services, loop.counts)
  serveSso(app, services, assets)
  serveReference(app, {
    openApi: () => document,
    shell: async request => shellOf({ assets }, request, await visitorOf(services, request)),
    headers: request => readerHeaders(services.config, request),
  })
  return app
}
