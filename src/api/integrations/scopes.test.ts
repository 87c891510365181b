// What a narrowed token reads of integrations, blocks and invitations needs the scope for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'

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

test('private integrations are not for a token that was narrowed to other things', async () => {
  const name = `t${newId().toLowerCase()}`
  const body = { organization: w.organizationId, title: name, description: '', script: 'x', scopes: [] }
  assert.equal((await w.call('POST', `/integrations/${name}`, { body })).status, 200)
  const seen = async (as: { token: string }) => {
    const list = (await w.call('GET', `/integrations?search=${name}`, { as })).body
    return [list.count, (await w.call('GET', `/integrations/${name}`, { as })).status]
  }
  for (const scopes of [['user:read'], ['space:read', 'organization:read'], ['openapi:write']])
    assert.deepEqual(await seen(await narrowed(...scopes)), [0, 404], scopes.join())
  for (const scope of ['integration:read', 'integration:delete', 'integration:installations:read'])
    assert.deepEqual(await seen(await narrowed(scope)), [1, 200], scope)
  await w.call('POST', `/integrations/${name}`, { body: { ...body, visibility: 'public' } })
  assert.deepEqual(await seen(await narrowed('user:read')), [1, 200], 'public ones are for everybody')
})
