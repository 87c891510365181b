// What a large upload takes of the server's memory.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { testEngine } from '../../../test/support/database.ts'
import { watchMemory } from '../../../test/support/memory-peak.ts'
import { world } from '../../../test/support/world.ts'

const MIB = 1024 * 1024
// Far below the larger of them, and above what is on its way and not collected yet.
const MEGABYTES_MAX = 128

const w = await world({ OCTAVO_FILE_BYTES_MAX: String(256 * MIB) })
await w.app.listen({ host: '127.0.0.1', port: 0 })
after(() => w.app.close())
const { port } = w.app.server.address() as AddressInfo

function send(path: string, megabytes: number): Promise<{ size: number; sha256: string }> {
  const piece = Buffer.alloc(MIB, 'a')
  const headers = { authorization: `Bearer ${w.people.admin.token}`, 'content-length': megabytes * MIB }
  return new Promise((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port, method: 'PUT', path, headers, agent: false },
      async answer => {
        resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString()))
      },
    )
    sending.on('error', reject)
    const write = (left: number): void => {
      if (left === 0) sending.end()
      else sending.write(piece, () => write(left - 1))
    }
    write(megabytes)
  })
}

test('an upload of 64 MB and one of 256 MB take a memory that does not depend on their size', {
  skip: testEngine === 'postgres' && 'the bytes of files do not pass through the database',
}, async () => {
  const space = await w.createSpace()
  for (const megabytes of [64, 256]) {
    const hash = createHash('sha256')
    const piece = Buffer.alloc(MIB, 'a')
    for (let n = 0; n < megabytes; n += 1) hash.update(piece)
    const memory = watchMemory()
    memory.begin()
    const kept = await send(`/v1/spaces/${space.id}/uploads/large`, megabytes)
    const peak = memory.read()
    assert.deepEqual([kept.size, kept.sha256], [megabytes * MIB, hash.digest('hex')])
    assert.ok(peak < MEGABYTES_MAX, `${megabytes} MB took ${Math.round(peak)} MB`)
  }
})
