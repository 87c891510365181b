// What a large upload takes of the server's memory.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testEngine } from '../../../../test/support/database.ts'
import { collectGarbage } from '../../../../test/support/garbage.ts'
import { originOf, serverBeside } from '../../../../test/support/server.ts'
import { worldOn } from '../../../../test/support/world.ts'

const MIB = 1024 * 1024
const MEGABYTES = 256
// Far below it, and above what is on its way and what the server caches meanwhile.
const HELD_MEGABYTES_MAX = 64
const MEGABYTES_BETWEEN_LOOKS = 32

/** What the server holds: without garbage, of which V8 lets the more lie the busier the machine is. */
async function heldMegabytes(): Promise<number> {
  await collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MIB
}

test('an upload of 256 MB takes far less memory than that', {
  skip: testEngine === 'postgres' && 'the bytes of files do not pass through the database',
}, async () => {
  const w = await worldOn(await serverBeside({ OCTAVO_FILE_BYTES_MAX: String(MEGABYTES * MIB) }))
  const space = await w.createSpace()
  const hash = createHash('sha256')
  const piece = Buffer.alloc(MIB, 'a')
  const before = await heldMegabytes()
  let most = 0
  const sending = request(`${await originOf(w)}/v1/spaces/${space.id}/uploads/large`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${w.people.admin.token}`, 'content-length': MEGABYTES * MIB },
    agent: false,
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  for (let sent = 1; sent <= MEGABYTES; sent += 1) {
    hash.update(piece)
    await new Promise(resolve => sending.write(piece, resolve))
    if (sent % MEGABYTES_BETWEEN_LOOKS === 0) most = Math.max(most, await heldMegabytes())
  }
  sending.end()
  const [answer] = await answered
  const kept = JSON.parse(await text(answer))
  assert.deepEqual([kept.size, kept.sha256], [MEGABYTES * MIB, hash.digest('hex')])
  const held = most - before
  assert.ok(held < HELD_MEGABYTES_MAX, `${MEGABYTES} MB took ${Math.round(held)} MB`)
})
