// The one server: the API below /v1, files, the API reference and the reader.
import type { FastifyInstance } from 'fastify'
import { serveFiles } from '../api/content/serve-files.ts'
import { operations } from '../api/index.ts'
import { buildApp } from '../http/app.ts'
import type { Services } from '../http/context.ts'
import { readAssets } from '../site/assets.ts'
import { serveReference } from '../site/reference/routes.ts'
import { serveReader } from '../site/routes.ts'
import { visitorOf } from '../site/session.ts'
import { shellOf } from '../site/shell.ts'
import { serveSso } from '../site/sso/routes.ts'
import { describe, serveDescription } from './description.ts'
import { serveHealth } from './health.ts'

/** Everything that answers. Nothing listens yet. */
export function buildServer(services: Services): FastifyInstance {
  const app = buildApp(operations, services)
  serveHealth(app, services)
  serveDescription(app, services)
  serveFiles(app, services)
  const assets = readAssets()
  serveReader(app, services, assets)
  serveSso(app, services, assets)
  const document = describe(services.config.publicUrl)
  serveReference(app, {
    openApi: () => document,
    shell: async request => shellOf({ services, assets }, request, await visitorOf(services, request)),
  })
  return app
}
