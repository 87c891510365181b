import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { standingIn } from '../../../test/support/collections.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const org = `/orgs/${w.organizationId}`

const { collection, space, orderIn } = standingIn(w)

test('the contents of a deleted collection take its position, in their order', async () => {
  const top = await collection('top')
  await space('before', top)
  const folder = await collection('folder', top)
  await space('after', top)
  await space('a', folder)
  const b = await collection('b', folder)
  await space('c', folder)
  const gone = await space('gone', folder)
  await w.call('DELETE', `/spaces/${gone}`)
  assert.equal((await w.call('DELETE', `/collections/${folder}`, {})).status, 204)
  assert.deepEqual(await orderIn(top), ['before', 'a', 'b', 'c', 'after'])
  assert.equal((await w.call('GET', `/collections/${folder}`)).status, 404)
  assert.equal((await w.call('DELETE', `/collections/${folder}`)).status, 204)
  assert.equal((await w.call('GET', `/collections/${b}`)).body.parent, top)
  const restored = await w.call('POST', `/spaces/${gone}/restore`)
  assert.deepEqual([restored.status, restored.body.parent], [200, top])
  await w.call('DELETE', `/spaces/${gone}`)
  await w.call('DELETE', `/collections/${top}`)
  assert.equal((await w.call('POST', `/spaces/${gone}/restore`)).body.parent, undefined, 'at the root')
})

test('without room for them all, all siblings get new positions', async () => {
  const top = await collection('top')
  await space('before', top)
  const folder = await collection('folder', top)
  await space('after', top)
  await space('a', folder)
  await space('b', folder)
  await sql`update collections set position = '5' where id = ${folder}`.execute(w.services.db)
  await sql`update spaces set position = '5' where parent_id = ${top}`.execute(w.services.db)
  const siblings = await orderIn(top)
  assert.equal((await w.call('DELETE', `/collections/${folder}`)).status, 204)
  const at = siblings.indexOf('folder')
  assert.deepEqual(await orderIn(top), [...siblings.slice(0, at), 'a', 'b', ...siblings.slice(at + 1)])
})

test('a weak role deletes nothing', async () => {
  const folder = await collection('folder')
  assert.equal((await w.call('DELETE', `/collections/${folder}`, { as: 'create' })).status, 403)
  assert.equal((await w.call('DELETE', `/collections/${folder}`, { as: 'stranger' })).status, 204)
  assert.equal((await w.call('GET', `/collections/${folder}`)).status, 200)
})

test('nothing is opened to anybody by deleting what kept it shut, and nobody loses what they were given', async () => {
  const folder = await collection('Personnel')
  await w.call('PATCH', `/collections/${folder}`, { body: { defaultLevel: null } })
  const path = `/collections/${folder}/permissions/users/`
  for (const [as, role] of [
    ['guest', 'comment'],
    ['edit', 'read'],
  ] as const)
    await w.call('PATCH', path + w.people[as].id, { body: { role } })
  const [id, inner] = [await space('Salaries', folder), await collection('Letters', folder)]
  const { id: open } = await w.createSpace({ title: 'Open', parent: folder, visibility: 'in-collection' })
  const statuses = async () =>
    Promise.all(
      (['create', 'read', 'edit', 'guest'] as PersonName[]).flatMap(as =>
        [`/spaces/${id}`, `/collections/${inner}`, `/spaces/${open}`].map(async thing => {
          const { body } = await w.call('GET', thing, { as })
          return JSON.stringify(body.permissions)
        }),
      ),
    )
  const before = await statuses()
  assert.equal((await w.call('GET', `/spaces/${id}`, { as: 'create' })).status, 404)
  assert.equal((await w.call('DELETE', `/collections/${folder}`)).status, 204)
  assert.deepEqual(await statuses(), before)
  assert.equal((await w.call('GET', `/spaces/${open}`)).body.visibility, 'private')
})

test('deleted twice at once, and filled meanwhile: nothing is lost', async () => {
  const top = await collection('top')
  const folder = await collection('folder', top)
  const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => space(`${n}`, folder)))
  const replies = await Promise.all([
    w.call('DELETE', `/collections/${folder}`),
    w.call('DELETE', `/collections/${folder}`),
    w.call('POST', `${org}/spaces`, { body: { title: 'late', parent: folder } }),
    w.call('POST', `/collections/${folder}/move`, { body: { parent: null } }),
  ])
  for (const { status, text } of replies) assert.ok(status < 500, text)
  for (const id of ids) assert.equal((await w.call('GET', `/spaces/${id}`)).status, 200)
})
