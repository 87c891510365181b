// A bucket that takes connections and says nothing.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newTestDatabase } from '../../test/support/database.ts'
import { serverOn } from '../../test/support/server.ts'

test('a bucket that never answers is asked once at startup, which continues without it', async () => {
  const asked: string[] = []
  const silent = createServer(({ method, url }) => {
    asked.push(`${method} ${url}`)
  })
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const database = await newTestDatabase()
  after(() => database.close())
  const { services, close } = await serverOn(database, {
    OCTAVO_S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    OCTAVO_S3_BUCKET: 'octavo',
    OCTAVO_S3_REGION: 'us-east-1',
    OCTAVO_S3_ACCESS_KEY_ID: 'key',
    OCTAVO_S3_SECRET_ACCESS_KEY: 'secret',
  })
  assert.deepEqual(asked, ['GET /octavo/blobs/owner'])
  await assert.rejects(services.blobs.claim('one', AbortSignal.abort(new Error('no time'))), /no time/)
  assert.equal(asked.length, 1)
  await close()
})
