// Decisions about who may see what are kept under a number of the organization. It has to move with everything that
// decides, and with nothing that is written all day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { findAccessVersion } from '../../access/decisions.ts'
import { NO_PROOFS } from '../../access/proofs.ts'
import { insertMember } from '../members/rows.ts'
import { findSpaceFor } from '../spaces/place.ts'

const w = await world()
const org = `/orgs/${w.organizationId}`
const version = async () => Number(await findAccessVersion(w.services, w.organizationId))

async function moves(method: string, path: string, body?: object): Promise<[boolean, { id: string }]> {
  const before = await version()
  const reply = await w.call(method, path, body === undefined ? {} : { body })
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
  return [(await version()) > before, reply.body]
}

test('the number that decisions are kept under moves with everything that decides, and with nothing else', async () => {
  const [, space] = await moves('POST', `${org}/spaces`)
  const [isMovedByCollection, collection] = await moves('POST', `${org}/collections`)
  const [, team] = await moves('PUT', `${org}/teams`, { title: 'Writers' })
  assert.equal(isMovedByCollection, true)
  const s = `/spaces/${space.id}`
  const [read, edit] = [w.people.read.id, w.people.edit.id]
  for (const [method, path, body] of [
    ['PATCH', s, { defaultLevel: 'read' }],
    ['PATCH', s, { visibility: 'public' }],
    ['POST', `${s}/move`, { parent: collection.id }],
    ['PATCH', `/collections/${collection.id}`, { defaultLevel: null }],
    ['PATCH', `${s}/permissions/users/${read}`, { role: 'edit' }],
    ['PATCH', `${s}/permissions/users/${read}`, { role: null }],
    ['DELETE', `${s}/permissions/users/${read}`],
    ['PATCH', `/collections/${collection.id}/permissions/teams/${team.id}`, { role: 'create' }],
    ['PUT', `${org}/teams/${team.id}/members`, { add: [edit] }],
    ['DELETE', `${org}/teams/${team.id}/members/${edit}`],
    ['PATCH', `${org}/members/${edit}`, { role: 'comment' }],
    ['PATCH', `${org}/members/${edit}`, { disabled: true }],
    ['DELETE', `${org}/members/${edit}`],
    ['DELETE', `${org}/teams/${team.id}`],
    ['DELETE', `/collections/${collection.id}`],
    ['DELETE', s],
    ['POST', `${s}/restore`],
  ] as const)
    assert.equal((await moves(method, path, body))[0], true, `${method} ${path} ${JSON.stringify(body)}`)

  const page = { operation: 'insert_page', document: { markdown: '# Rain\n' } }
  for (const [method, path, body] of [
    ['POST', `${s}/content`, { changes: [page] }],
    ['PATCH', s, { title: 'Named' }],
    ['POST', `${s}/change-requests`],
    ['POST', `${s}/comments`, { body: { markdown: 'Said.' } }],
    ['POST', `${org}/ping`],
    ['POST', '/user/tokens', { label: 'one' }],
  ] as const)
    assert.equal((await moves(method, path, body))[0], false, `${method} ${path}`)
})

test('a role that was kept is not the role any more once something above it has changed', async () => {
  const { body: collection } = await w.call('POST', `${org}/collections`, { body: { title: 'Above' } })
  const { id } = await w.createSpace({ parent: collection.id })
  const status = async () => (await w.call('GET', `/spaces/${id}`, { as: 'comment' })).status
  const listed = async () =>
    (await w.call('GET', `${org}/spaces`, { as: 'comment' })).body.items.some(
      (one: { id: string }) => one.id === id,
    )
  assert.deepEqual([await status(), await listed()], [200, true])
  await w.call('PATCH', `/collections/${collection.id}`, { body: { defaultLevel: null } })
  assert.deepEqual([await status(), await listed()], [404, false])
  await w.call('PATCH', `/collections/${collection.id}/permissions/users/${w.people.comment.id}`, {
    body: { role: 'read' },
  })
  assert.deepEqual([await status(), await listed()], [200, true])
})

test('a role that is decided for a member while they are removed is not kept for later requests', async () => {
  const { id } = await w.createSpace({ defaultLevel: 'read' })
  const { services } = w
  // As a request has it that began before the removal.
  const principal = await services.principals.find(w.people.review.token)
  assert.ok(principal?.kind === 'user')
  assert.equal((await w.call('DELETE', `${org}/members/${w.people.review.id}`)).status, 204)
  const at = await findSpaceFor({ ...services, principal, proofs: NO_PROOFS }, id)
  assert.equal(at?.role, 'review')
  assert.equal((await w.call('GET', `/spaces/${id}`, { as: 'review' })).status, 404)
})

test('a role in one organization is not found again for a space in another one of the same version', async () => {
  const there = await world()
  await there.services.transaction(trx =>
    insertMember(trx, {
      organization_id: there.organizationId,
      user_id: w.people.admin.id,
      role: 'admin',
    }),
  )
  const { id } = await w.createSpace({ defaultLevel: 'read' })
  const status = async () => (await w.call('GET', `/spaces/${id}`, { as: 'comment' })).status
  assert.equal(await status(), 200)
  const kept = await version()
  const { status: transferred } = await w.call('POST', `/spaces/${id}/transfer`, {
    body: { organization: there.organizationId },
  })
  assert.ok(transferred < 300)
  await w.services.transaction(trx =>
    trx
      .updateTable('access_versions')
      .set({ version: kept })
      .where('organization_id', '=', there.organizationId)
      .execute(),
  )
  assert.equal(await status(), 404)
})
