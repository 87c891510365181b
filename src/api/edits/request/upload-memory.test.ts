// What a large upload takes of the server's memory.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { testEngine } from '../../../../test/support/database.ts'
import { collectOnce } from '../../../../test/support/garbage.ts'
import { watchMemory } from '../../../../test/support/memory-peak.ts'
import { originOf, serverBeside } from '../../../../test/support/server.ts'
import { worldOn } from '../../../../test/support/world.ts'

const MIB = 1024 * 1024
const MEGABYTES = 256
// Far below it, and above what is on its way and what was let go of since the last collection.
const MEGABYTES_MAX = 128
// How much garbage V8 lets lie depends on the speed of the machine, so it is collected as the upload goes.
const MEGABYTES_BETWEEN_COLLECTIONS = 32

function send(url: string, token: string, megabytes: number): Promise<{ size: number; sha256: string }> {
  const piece = Buffer.alloc(MIB, 'a')
  const headers = { authorization: `Bearer ${token}`, 'content-length': megabytes * MIB }
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'PUT', headers, agent: false }, async answer => {
      resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString()))
    })
    sending.on('error', reject)
    const write = (left: number): void => {
      if (left % MEGABYTES_BETWEEN_COLLECTIONS === 0) collectOnce()
      if (left === 0) sending.end()
      else sending.write(piece, () => write(left - 1))
    }
    write(megabytes)
  })
}

test('an upload of 256 MB takes far less memory than that', {
  skip: testEngine === 'postgres' && 'the bytes of files do not pass through the database',
}, async () => {
  const w = await worldOn(await serverBeside({ OCTAVO_FILE_BYTES_MAX: String(MEGABYTES * MIB) }))
  const space = await w.createSpace()
  const url = `${await originOf(w)}/v1/spaces/${space.id}/uploads/large`
  const hash = createHash('sha256')
  const piece = Buffer.alloc(MIB, 'a')
  for (let n = 0; n < MEGABYTES; n += 1) hash.update(piece)
  const memory = watchMemory()
  memory.begin()
  const kept = await send(url, w.people.admin.token, MEGABYTES)
  const peak = memory.read()
  assert.deepEqual([kept.size, kept.sha256], [MEGABYTES * MIB, hash.digest('hex')])
  assert.ok(peak < MEGABYTES_MAX, `${MEGABYTES} MB took ${Math.round(peak)} MB`)
})
