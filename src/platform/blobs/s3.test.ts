import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { Failure } from '../../base/errors.ts'
import { blobStoreSuite } from './blobs.conformance.ts'
import { openS3Blobs } from './s3.ts'
import type { BlobStore } from './store.ts'

let root: string
let server: S3Server

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'octavo-s3-'))
  server = await startS3Server()
})

after(async () => {
  await server.close()
  await rm(root, { recursive: true, force: true })
})

blobStoreSuite('a bucket', beforePut =>
  openS3Blobs(server.settings, join(root, 'spool'), beforePut && { beforePut }),
)

async function failureOf(run: Promise<unknown>): Promise<Failure> {
  const reason = await run.then(
    () => assert.fail('it should have failed'),
    (thrown: unknown) => thrown,
  )
  if (!(reason instanceof Failure)) throw reason
  return reason
}

describe('a bucket of blobs', () => {
  const TEXT = { contentType: 'text/plain' }
  let store: BlobStore

  beforeEach(async () => {
    store = await openS3Blobs(server.settings, join(root, 'spool'), { firstWaitMs: 1 })
  })

  it('has the type of the file and its own prefix', async () => {
    const { sha256 } = await store.put(Buffer.from('typed'), TEXT)
    assert.equal(server.objects.get(`blobs/${sha256}`)?.contentType, 'text/plain')
  })

  it('is not sent large bytes that it has', async () => {
    const bytes = Buffer.alloc(100_000, 'large')
    await store.put(bytes, TEXT)
    const { length } = server.requests
    await store.put(bytes, TEXT)
    assert.deepEqual(
      server.requests.slice(length).map(line => line.split(' ')[0]),
      ['HEAD'],
    )
  })

  it('is not asked to remove anything once there is no time left', async () => {
    const { sha256 } = await store.put(Buffer.from('late'), TEXT)
    await assert.rejects(store.remove(sha256, AbortSignal.abort()))
    assert.ok(await store.find(sha256))
  })

  it('that knows no ranges answers with everything, and says so', async () => {
    const { sha256 } = await store.put(Buffer.from('0123456789'), TEXT)
    server.ignoreRanges()
    const found = await store.read(sha256, { first: 2, last: 4 })
    assert.deepEqual([found?.size, found?.first, found?.length], [10, 0, 10])
    found?.stream.destroy()
  })

  it('is asked again when it fails, with the whole body', async () => {
    const stream = (async function* () {
      yield Buffer.alloc(150_000, 'retried')
    })()
    server.failNext(503, 0, 500)
    const { sha256, size } = await store.put(stream, TEXT)
    assert.equal(server.objects.get(`blobs/${sha256}`)?.bytes.length, size)
  })

  it('that goes on failing is unavailable', async () => {
    server.failNext(503, 503, 503, 503)
    const failure = await failureOf(store.put(Buffer.from('never'), TEXT))
    assert.deepEqual([failure.kind, failure.code], ['unavailable', 'blobs_unavailable'])
  })

  it('is asked once when the keys are wrong, and the failure tells the operator why and nobody the keys', async () => {
    const settings = { ...server.settings, secretAccessKey: 'not-the-secret' }
    const stranger = await openS3Blobs(settings, join(root, 'stranger'))
    const { length } = server.requests
    const failure = await failureOf(stranger.put(Buffer.from('x'), TEXT))
    assert.equal(server.requests.length, length + 1)
    assert.match(String(failure.cause), /403.*SignatureDoesNotMatch/)
    assert.doesNotMatch(`${failure.message}${failure.cause}`, /not-the-secret/)
  })

  it('that does not exist is unavailable, not empty', async () => {
    const settings = { ...server.settings, bucket: 'other' }
    const lost = await openS3Blobs(settings, join(root, 'lost'))
    assert.equal((await failureOf(lost.put(Buffer.from('x'), TEXT))).code, 'blobs_unavailable')
  })

  it('is listed page after page', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 250 }, async (_, i) => (await store.put(Buffer.from(`page ${i}`), TEXT)).sha256),
    )
    const listed = new Set<string>()
    for await (const { sha256 } of store.list()) listed.add(sha256)
    assert.ok(hashes.every(hash => listed.has(hash)))
  })

  it('leaves no temporary file behind', async () => {
    const stream = (async function* () {
      yield Buffer.from('passing through')
    })()
    await store.put(stream, TEXT)
    assert.deepEqual(await readdir(join(root, 'spool')), [])
  })
})
