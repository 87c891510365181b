import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { importWorld } from '../../../test/support/imports.ts'
import { createRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'

const w = await importWorld()
const folder = mkdtempSync(join(tmpdir(), 'octavo-clones-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('clones of one person beyond the limit wait for each other, and all succeed', async () => {
  const space = await w.createSpace()
  await edit(w, liveAt(space.id), {
    operation: 'insert_page',
    title: 'Start',
    document: { markdown: '# Start\n' },
  })
  const address = new URL(`/git/${space.id}.git`, await originOf(w))
  address.username = w.people.admin.token
  const clones = await Promise.all(
    Array.from({ length: 7 }, (_, at) => createRepository(folder, `clone-${at}.git`)),
  )
  const heads = await Promise.all(
    clones.map(async clone => {
      await clone.git(['fetch', '--quiet', address.href, 'main:main'])
      return (await clone.git(['rev-parse', 'main'])).toString()
    }),
  )
  assert.equal(new Set(heads).size, 1)
})
