// The commits of somebody who is erased: those that clones have stay as they are, and later ones do not name them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/support/process.ts'
import { createRepository } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { world } from '../../../test/support/world.ts'
import { DELETED_PERSON } from '../accounts/rows.ts'
import { ERASED_DOMAIN } from '../accounts/wire.ts'

test('a clone of before somebody was erased goes on, and commits that are made later name nobody', async () => {
  const w = await world()
  const space = await w.createSpace()
  const { edit: ada } = w.people
  const write = async (title: string) => {
    const changes = [{ operation: 'insert_page', title, document: { markdown: 'Words.\n' } }]
    const { status, body } = await w.call('POST', `/spaces/${space.id}/content`, {
      as: 'edit',
      body: { changes },
    })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const address = new URL(`/git/${space.id}.git`, await originOf(w))
  address.username = w.people.admin.token
  const clone = await createRepository(temporaryFolder(), 'clone.git')
  // Without a plus: what is no continuation of what the clone has is refused.
  const fetch = () => clone.git(['fetch', '--quiet', address.href, 'refs/heads/main:refs/heads/main'])
  const authors = async () =>
    (await clone.git(['log', '--format=%an %ae', 'main'])).toString().trim().split('\n')

  await write('Fetched')
  await fetch()
  const [known] = await authors()
  assert.ok(known?.endsWith(ada.email), known)
  await write('Not fetched')
  const { status } = await w.call('POST', '/user/erasure', { as: 'edit', body: { email: ada.email } })
  assert.equal(status, 204)
  await fetch()
  const [later = '', before] = await authors()
  assert.equal(before, known)
  assert.ok(later.startsWith(`${DELETED_PERSON} `) && later.endsWith(ERASED_DOMAIN), later)
})
