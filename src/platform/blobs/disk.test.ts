import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Failure } from '../../base/errors.ts'
import { blobStoreSuite } from './blobs.conformance.ts'
import { openDiskBlobs } from './disk.ts'

let root: string
let count = 0

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'octavo-blobs-'))
})
after(() => rm(root, { recursive: true, force: true }))

blobStoreSuite('a folder', beforePut => openDiskBlobs(join(root, `${++count}`), beforePut))

describe('a folder of blobs', () => {
  it('is emptied of what a killed process left half-written, and keeps what was acknowledged', async () => {
    const folder = join(root, 'killed')
    const script = `
      import { openDiskBlobs } from ${JSON.stringify(new URL('./disk.ts', import.meta.url).href)}
      const store = await openDiskBlobs(${JSON.stringify(folder)})
      for (let i = 0; ; i++) {
        const half = (async function* () { yield Buffer.alloc(1000); await new Promise(() => {}) })()
        void store.put(half, { contentType: 'a/b' })
        await Promise.all([1, 2, 3].map(async j => {
          const { sha256 } = await store.put(Buffer.from('blob ' + i + ' ' + j), { contentType: 'a/b' })
          process.stdout.write(sha256 + '\\n')
        }))
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let acknowledged = ''
    for await (const chunk of child.stdout) {
      acknowledged += chunk
      if (acknowledged.length > 65 * 60) break
    }
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('exit', resolve))
    assert.notEqual((await readdir(join(folder, 'temporary'))).length, 0)

    const store = await openDiskBlobs(folder)
    const hashes = acknowledged.split('\n').filter(line => line.length === 64)
    assert.ok(hashes.length >= 50)
    for (const hash of hashes) assert.ok(await store.find(hash))
    assert.deepEqual(await readdir(join(folder, 'temporary')), [])
  })

  it('lists and reads nothing that is no blob', async () => {
    const folder = join(root, 'strange')
    const store = await openDiskBlobs(folder)
    const { sha256 } = await store.put(Buffer.from('x'), { contentType: 'a/b' })
    await writeFile(join(folder, sha256.slice(0, 2), sha256.slice(2, 4), 'notes.txt'), 'x')
    await writeFile(join(folder, 'README'), 'x')
    const listed: string[] = []
    for await (const blob of store.list()) listed.push(blob.sha256)
    assert.deepEqual(listed, [sha256])
  })

  it('says that the disk refused a file', async () => {
    const folder = join(root, 'gone')
    const store = await openDiskBlobs(folder)
    await rm(folder, { recursive: true })
    await assert.rejects(store.put(Buffer.from('x'), { contentType: 'a/b' }), (reason: unknown) => {
      assert.ok(reason instanceof Failure)
      assert.deepEqual([reason.kind, reason.code], ['unavailable', 'blobs_unavailable'])
      return true
    })
  })

  it('leaves nothing half-written behind when a put fails', async () => {
    const folder = join(root, 'failing')
    const store = await openDiskBlobs(folder)
    const options = { contentType: 'a/b', sha256: '0'.repeat(64) }
    const stream = (async function* () {
      yield Buffer.from('x')
    })()
    await assert.rejects(store.put(stream, options))
    assert.deepEqual(await readdir(join(folder, 'temporary')), [])
  })
})
