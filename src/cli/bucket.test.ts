// Two installations never remove files from one bucket.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newTestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { startS3Server } from '../../test/support/s3-server.ts'
import type { Services } from '../http/context.ts'
import { readConfig } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { createLog } from '../platform/log.ts'
import { createServices } from './compose.ts'

const bucket = await startS3Server()
after(() => bucket.close())
const { endpoint, bucket: name, region, accessKeyId, secretAccessKey } = bucket.settings
const settings = {
  OCTAVO_S3_ENDPOINT: endpoint,
  OCTAVO_S3_BUCKET: name,
  OCTAVO_S3_REGION: region,
  OCTAVO_S3_ACCESS_KEY_ID: accessKeyId,
  OCTAVO_S3_SECRET_ACCESS_KEY: secretAccessKey,
}
const OWNER = 'blobs/owner'

const home = mkdtempSync(join(tmpdir(), 'octavo-bucket-'))
const config = readConfig({ OCTAVO_HOME: home, ...settings })
after(() => rmSync(home, { recursive: true, force: true }))

const database = await openTestDatabase()

/** What a start does with a bucket, before it serves anything. */
async function start(on: Database): Promise<Services> {
  const { services } = await createServices(config, createLog('silent'), on)
  after(() => services.compute.end())
  return services
}

test('the first installation that starts with a bucket has it, a second one does not start, and each sweep asks again', async () => {
  const first = await start(database)
  await start(database)
  assert.equal([...bucket.objects.keys()].filter(key => key === OWNER).length, 1)

  const other = await newTestDatabase()
  after(() => other.close())
  await assert.rejects(start(other), { code: 'bucket_taken' })
  bucket.remove(OWNER)
  const taken = await start(other)
  await assert.rejects(first.blobSweep.run(), { code: 'bucket_taken' })
  await taken.blobSweep.run()
})

test('a bucket that does not answer keeps nobody from starting, and nothing is removed before it does', async () => {
  bucket.failNext(403)
  const services = await start(database)
  await assert.rejects(services.blobSweep.run(), { code: 'bucket_taken' })
})
