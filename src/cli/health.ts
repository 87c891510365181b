// Whether this process lives, and whether it can serve.

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Services } from '../http/context.ts'

/** `/healthz` answers while the process lives, `/readyz` once and as long as the database answers too. */
export function serveHealth(app: FastifyInstance, { db, log }: Services): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await sql`select 1`.execute(db)
      return { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}
