import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { deltaBomb } from '../../../test/support/packs.ts'
import { createRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { type PersonName, type World, world, worldOn } from '../../../test/support/world.ts'

const w = await world()
const folder = mkdtempSync(join(tmpdir(), 'octavo-push-bounds-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function spaceOf(of: World) {
  const space = await of.createSpace({ defaultLevel: 'edit' })
  const document = { markdown: '# Start\n\nHello.\n' }
  await edit(of, liveAt(space.id), { operation: 'insert_page', title: 'Start', document })
  return space
}

const TYPE = 'application/x-git-receive-pack-request'

async function sendPack(spaceId: string, pack: Buffer): Promise<string> {
  const command = `${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/mine\0 report-status`
  const answer = await fetch(`${await originOf(w)}/git/${spaceId}.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: `Bearer ${w.people.admin.token}`, 'content-type': TYPE },
    body: Buffer.concat([
      Buffer.from(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`),
      pack,
    ]),
  })
  return await answer.text()
}

let clones = 0

/** Pushes a change by the git of this machine. */
async function pushChange(of: World, spaceId: string): Promise<void> {
  const clone = await createRepository(folder, `clone-${++clones}.git`)
  const address = new URL(`/git/${spaceId}.git`, await originOf(w))
  address.username = of.people.admin.token
  await clone.git(['fetch', '--quiet', address.href, 'main:main'])
  await clone.commit({ changes: [{ path: 'start.md', content: '# Start\n\nElse.\n' }] })
  await clone.git(['push', '--quiet', address.href, 'main:refs/heads/main'])
}

test('packs of a few kilobytes that unpack to gigabytes are refused with both numbers, and others push meanwhile', async () => {
  const [own, other] = [await spaceOf(w), await worldOn(w)]
  const elsewhere = await spaceOf(other)
  const bombs = Array.from({ length: 4 }, (_, at) => sendPack(own.id, deltaBomb(300 + at)))
  await pushChange(other, elsewhere.id)
  for (const said of await Promise.all(bombs))
    assert.match(
      said,
      /unpack A push of 1 MiB may unpack to at most 51\d MiB, and this one has \d{3,} MiB or more\. Push in smaller steps\./,
    )
})

test('slow pushes of an organization take a few places, wait or are refused, and those of others are not held up', async () => {
  const [own, other] = [await spaceOf(w), await worldOn(w)]
  const elsewhere = await spaceOf(other)
  const at = `${await originOf(w)}/git/${own.id}.git/git-receive-pack`
  const statuses: number[] = []
  const people: PersonName[] = ['admin', 'create', 'edit']
  const slow = people.flatMap(person =>
    Array.from({ length: 9 }, () => {
      const headers = { authorization: `Bearer ${w.people[person].token}`, 'content-type': TYPE }
      const asked = request(at, { method: 'POST', headers })
      asked.on('response', ({ statusCode = 0 }) => statuses.push(statusCode)).on('error', () => {})
      asked.write('00')
      return asked
    }),
  )
  // Three are read and twelve wait.
  while (statuses.length < 12) await new Promise(resolve => setTimeout(resolve, 5))
  await pushChange(other, elsewhere.id)
  assert.deepEqual(statuses, Array(12).fill(503))
  for (const asked of slow) asked.destroy()
})
