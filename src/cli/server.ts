// The one server: the API below /v1, files, the API reference and the reader.
import type { FastifyInstance } from 'fastify'
import { serveFiles } from '../api/content/serve-files.ts'
import { operations } from '../api/index.ts'
import { buildApp } from '../http/app.ts'
import type { Services } from '../http/services.ts'
import { serveReader } from '../site/routes.ts'
import { serveDescription } from './description.ts'
import { serveHealth } from './health.ts'

/** Everything that answers. Nothing listens yet. */
export function buildServer(services: Services): FastifyInstance {
  const app = buildApp(operations, services)
  serveHealth(app, services)
  serveDescription(app, services)
  serveFiles(app, services)
  serveReader(app, services)
  return app
}
