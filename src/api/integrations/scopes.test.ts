// What a narrowed token reads of blocks and invitations needs the scope for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'

const w = await world()
const space = await w.createSpace()

const narrowed = async (...scopes: string[]) =>
  (await w.call('POST', '/user/tokens', { body: { label: scopes.join(), scopes } })).body as { token: string }

test('blocks and links that let people in are not for a token of another scope', async () => {
  const other = await narrowed('user:read')
  for (const [path, scope] of [
    [`/spaces/${space.id}/integration-blocks`, 'space:read'],
    [`/orgs/${w.organizationId}/link-invites`, 'organization:members:write'],
  ] as const) {
    assert.equal((await w.call('GET', path, { as: other })).status, 403, path)
    assert.equal((await w.call('GET', path, { as: await narrowed(scope) })).status, 200, path)
  }
  const listing = await narrowed('organization:members:read')
  assert.equal((await w.call('GET', `/orgs/${w.organizationId}/link-invites`, { as: listing })).status, 403)
})
