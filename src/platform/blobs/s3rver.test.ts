// The store for buckets against a server that others wrote (https://github.com/jamhall/s3rver), where it is installed.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { blobStoreSuite } from './blobs.conformance.ts'
import { openS3Blobs } from './s3.ts'

type Server = { run(): Promise<{ readonly port: number }>; close(): Promise<void> }
type ServerClass = new (options: Readonly<Record<string, unknown>>) => Server

const PLACE = new URL('../../../node_modules/.cache/s3rver/', import.meta.url)
const S3rver = findServer()

function findServer(): ServerClass | undefined {
  // By a name that is no import, in a folder of its own: it is no dependency.
  const name = 's3rver'
  try {
    return createRequire(PLACE)(name) as ServerClass
  } catch {
    return undefined
  }
}

if (S3rver === undefined) {
  test('a bucket of a server that others wrote', {
    skip: 's3rver is not installed (npm install --prefix node_modules/.cache/s3rver s3rver@3.7.1)',
  }, () => {})
} else {
  let folder = ''
  let server: Server
  let port = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-s3rver-'))
    server = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory: folder },
      configureBuckets: [{ name: 'octavo-test' }],
    })
    port = (await server.run()).port
  })
  after(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  blobStoreSuite(
    'a bucket of s3rver',
    async beforePut =>
      openS3Blobs(
        {
          ...{ endpoint: `http://127.0.0.1:${port}`, bucket: 'octavo-test', region: 'us-east-1' },
          ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
        },
        await mkdtemp(join(folder, 'spool-')),
        beforePut && { beforePut },
      ),
    { firstByte: 'it takes 0 as the last byte for no last byte' },
  )
}
