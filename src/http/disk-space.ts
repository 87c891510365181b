// Writes are refused before the disk of the embedded database is full, so that reading goes on.
import type { FastifyInstance } from 'fastify'
import { diskFull } from '../base/errors.ts'
import type { Config } from '../platform/config.ts'
import { countFreeBytes, FREE_BYTES_MIN } from '../platform/disk-space.ts'

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function refuseWhenDiskIsFull(app: FastifyInstance, { databaseUrl, home }: Config): void {
  if (databaseUrl !== undefined) return
  // After admission, so that a caller who may not write gets 403, and before the body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (READING.has(request.method)) done()
    else requireRoom(home).then(() => done(), done)
  })
}

async function requireRoom(home: string): Promise<void> {
  // Where free space is unknown, the write itself fails.
  const room = await countFreeBytes(home).catch(() => Number.POSITIVE_INFINITY)
  if (room < FREE_BYTES_MIN) throw diskFull()
}
