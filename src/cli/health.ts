// Whether this process is alive, and whether it can serve.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { monotonicMs } from '../base/clock.ts'
import { Failure } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import { countFreeBytes, FREE_BYTES_MIN } from '../platform/disk-space.ts'

// Probes give up soon; a database with a long queue is busy, not down.
const PATIENCE_MS = 1_000
const BUSY_MS_MAX = 30_000

/** `/healthz` answers while the process is alive, `/readyz` while the database answers too, and no stop has begun. */
export function serveHealth(app: FastifyInstance, { config, db, databaseRoom, log }: Services): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  let answeredAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const ask = async () => {
    try {
      await sql`select 1`.execute(db)
      answeredAt = monotonicMs()
    } finally {
      asking = undefined
    }
  }
  app.get('/readyz', async (_request, reply) => {
    if (app.drain.hasBegun) return reply.code(503).send({ status: 'stopping' })
    try {
      asking ??= ask()
      asking.catch(() => {})
      await Promise.race([asking, sleep(PATIENCE_MS, undefined, { ref: false })])
      if (monotonicMs() - answeredAt > BUSY_MS_MAX) throw new Error('the database does not answer')
      if (databaseRoom.isFull || (await countFreeBytes(config.home)) < FREE_BYTES_MIN)
        return reply.code(503).send({ status: 'disk full' })
      return { status: 'ready' }
    } catch (error) {
      if (error instanceof Failure && error.kind === 'storage_full')
        return reply.code(503).send({ status: 'disk full' })
      log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}
