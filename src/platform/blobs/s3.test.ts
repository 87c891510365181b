import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failureOf } from '../../../test/support/failures.ts'
import { type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { sha256 as hashOf } from '../../base/canonical.ts'
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

  it('is asked once when the keys are wrong, and the failure says why without the keys', async () => {
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

  const inParts = () => openS3Blobs(server.settings, join(root, 'parts'), { firstWaitMs: 1, partBytes: 1000 })
  async function* pieces(bytes: Buffer) {
    yield bytes
  }
  const putsSince = (start: number) =>
    server.requests.slice(start).filter(line => line.startsWith('PUT ')).length

  it('takes a large file in parts, each of which is asked for again alone', async () => {
    const parted = await inParts()
    const bytes = Buffer.alloc(4_500, 'in parts ')
    const { length } = server.requests
    // The HEAD, the list of uploads, the beginning and the first part are answered.
    server.failNext(null, null, null, null, 503, 0)
    const { sha256 } = await parted.put(pieces(bytes), TEXT)
    assert.ok(server.objects.get(`blobs/${sha256}`)?.bytes.equals(bytes))
    assert.equal(server.uploads.size, 0)
    assert.equal(putsSince(length), 5 + 2, 'the second one was sent three times')
    await parted.put(pieces(Buffer.alloc(1_000, 'one')), TEXT)
    assert.ok(!server.requests.slice(-1)[0]?.startsWith('POST'), 'a file of one part is sent whole')
  })

  for (const status of [501, 403])
    it(`that answers ${status} to who lists its uploads takes large files and is swept all the same`, async () => {
      const parted = await inParts()
      const bytes = Buffer.alloc(2_500, `unlisted ${status}`)
      server.failNext(status)
      const { sha256 } = await parted.put(pieces(bytes), TEXT)
      assert.ok(server.objects.get(`blobs/${sha256}`)?.bytes.equals(bytes))
      server.failNext(status)
      await parted.removeAbandoned(new Date())
    })

  it('whose key may list uploads but not end them, or not list their parts, works all the same', async () => {
    const parted = await inParts()
    const bytes = Buffer.alloc(2_500, 'parts are not listed')
    server.uploads.set('old', { key: `blobs/${hashOf(bytes)}`, at: new Date(0), parts: new Map() })
    server.failNext(null, 403)
    await parted.removeAbandoned(new Date())
    assert.equal(server.uploads.size, 1)
    server.failNext(null, 403)
    const { sha256 } = await parted.put(pieces(bytes), TEXT)
    assert.ok(server.objects.get(`blobs/${sha256}`)?.bytes.equals(bytes))
    assert.equal(server.uploads.size, 0)
  })

  it('goes on with a large file where it broke off', async () => {
    const parted = await inParts()
    const bytes = Buffer.from(Array.from({ length: 4_500 }, (_, i) => i % 251))
    const name = hashOf(bytes)
    const sent = [
      bytes.subarray(0, 1000),
      bytes.subarray(1000, 2000),
      bytes.subarray(2000, 3000),
      bytes.subarray(3000, 3100),
    ]
    const parts = new Map(sent.map((part, i) => [i + 1, part]))
    server.uploads.set('older', { key: `blobs/${name}`, at: new Date(0), parts: new Map() })
    server.uploads.set('newer', { key: `blobs/${name}`, at: new Date(), parts })
    const { length } = server.requests
    await parted.put(pieces(bytes), TEXT)
    assert.ok(server.objects.get(`blobs/${name}`)?.bytes.equals(bytes))
    assert.equal(putsSince(length), 2, 'the fourth part was cut off, the fifth was never sent')
    server.uploads.clear()
  })

  it('that puts a large file together wrongly has not taken it', async () => {
    const parted = await inParts()
    const bytes = Buffer.alloc(2_500, 'wrong')
    server.uploads.set('bad', {
      ...{ key: `blobs/${hashOf(bytes)}`, at: new Date() },
      parts: new (class extends Map<number, Buffer> {
        override set(number: number): this {
          return super.set(number, Buffer.from('other'))
        }
      })(),
    })
    assert.equal((await failureOf(parted.put(pieces(bytes), TEXT))).code, 'blobs_unavailable')
    server.uploads.clear()
  })

  it('is rid of parts that nobody went on with, and of no others', async () => {
    server.uploads.set('left', { key: 'blobs/x', at: new Date('2020-01-01'), parts: new Map() })
    server.uploads.set('under way', { key: 'blobs/y', at: new Date(), parts: new Map() })
    server.uploads.set('of somebody', { key: 'other/z', at: new Date('2020-01-01'), parts: new Map() })
    await store.removeAbandoned(new Date('2024-01-01'))
    assert.deepEqual([...server.uploads.keys()], ['under way', 'of somebody'])
    server.uploads.clear()
  })

  it('belongs to the first installation that claims it, and to it alone', async () => {
    await Promise.allSettled([store.claim('first'), store.claim('first')])
    await store.claim('first')
    const failure = await failureOf(store.claim('second'))
    assert.deepEqual([failure.kind, failure.code], ['conflict', 'bucket_taken'])
    assert.match(failure.message, /its object blobs\/owner names "first", and this one is "second"/)
    const listed: string[] = []
    for await (const { sha256 } of store.list()) listed.push(sha256)
    assert.ok(
      listed.every(name => /^[0-9a-f]{64}$/.test(name)),
      'the mark is no file',
    )
  })
})
