// Two installations never remove files from one bucket.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newTestDatabase } from '../../test/support/database.ts'
import { startS3Server } from '../../test/support/s3-server.ts'
import { serverOn } from '../../test/support/server.ts'

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

const database = await newTestDatabase()
after(() => database.close())

test('the first installation that starts with a bucket has it, a second one does not start, and each sweep asks again', async () => {
  const first = await serverOn(database, settings)
  const again = await serverOn(database, settings)
  assert.equal([...bucket.objects.keys()].filter(key => key === OWNER).length, 1)
  await again.close()

  const other = await newTestDatabase()
  after(() => other.close())
  await assert.rejects(serverOn(other, settings), { code: 'bucket_taken' })
  bucket.remove(OWNER)
  const taken = await serverOn(other, settings)
  await assert.rejects(first.services.blobSweep.run(), { code: 'bucket_taken' })
  await taken.services.blobSweep.run()
  for (const server of [first, taken]) await server.close()
})

test('a bucket that does not answer keeps nobody from starting, and nothing is removed before it does', async () => {
  bucket.failNext(403)
  const { services, close } = await serverOn(database, settings)
  await assert.rejects(services.blobSweep.run(), { code: 'bucket_taken' })
  await close()
})
