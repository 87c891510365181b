import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { DEPTH_MAX } from './tree.ts'

const w = await world()
const org = `/orgs/${w.organizationId}`

type Named = { id: string; title: string }

async function create(body: object = {}, as: PersonName = 'admin') {
  const reply = await w.call('POST', `${org}/collections`, { body, as })
  assert.equal(reply.status, 201, reply.text)
  return reply.body as Named & Record<string, unknown>
}

/** Gives somebody of the world a role on a collection. */
const give = async (collection: string, as: PersonName, role: string | null) => {
  const path = `/collections/${collection}/permissions/users/${w.people[as].id}`
  const { status, text } = await w.call('PATCH', path, { body: { role } })
  assert.equal(status, 204, text)
}

const titles = (body: { items: Named[] }) => body.items.map(({ title }) => title)

test('a new collection is empty, inherits roles, and has addresses and permissions', async () => {
  const { status, body, headers } = await w.call('POST', `${org}/collections`)
  assert.equal(status, 201)
  assert.equal(headers.location, `http://octavo.test/v1/collections/${body.id}`)
  assert.deepEqual(body, {
    object: 'collection',
    id: body.id,
    title: '',
    organization: w.organizationId,
    defaultLevel: 'inherit',
    urls: { location: headers.location, app: 'http://octavo.test/' },
    permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
  })
  assert.deepEqual((await w.call('GET', `/collections/${body.id}`)).body, body)
  const { body: inner } = await w.call('POST', `${org}/collections`, {
    body: { title: 'Inner', parent: body.id },
    as: 'create',
  })
  assert.equal(inner.parent, body.id)
  assert.deepEqual(inner.permissions, { view: true, admin: false, viewInviteLinks: false, create: true })
})

test('changes only the fields that are sent, and names an invalid field', async () => {
  const { id } = await create({ title: 'Before' })
  const patch = (body: object) => w.call('PATCH', `/collections/${id}`, { body })
  const changed = await patch({ title: 'After', description: 'Words', defaultLevel: 'comment' })
  assert.equal(changed.status, 200)
  assert.deepEqual(
    [changed.body.title, changed.body.description, changed.body.defaultLevel],
    ['After', 'Words', 'comment'],
  )
  assert.equal((await patch({ description: '' })).body.description, undefined)
  assert.equal((await patch({ defaultLevel: null })).body.defaultLevel, null)
  assert.equal((await patch({})).body.title, 'After')
  for (const [body, field] of [
    [{ title: 'x'.repeat(51) }, /body\.title/],
    [{ title: 'Late', description: 'x'.repeat(101) }, /body\.description/],
    [{ title: 'Late', defaultLevel: 'owner' }, /body\.defaultLevel/],
  ] as const) {
    const reply = await patch(body)
    assert.equal(reply.status, 400)
    assert.match(reply.body.error.message, field)
  }
  assert.equal((await w.call('GET', `/collections/${id}`)).body.title, 'After')
  assert.equal((await w.call('PATCH', `/collections/${id}`, { body: {}, as: 'create' })).status, 404)
})

test('a list holds what its caller has a role on, in full pages, and at the root only when asked', async () => {
  const own = await world()
  const root = `/orgs/${own.organizationId}/collections`
  const made = async (title: string, parent?: string) =>
    (await own.call('POST', root, { body: { title, parent } })).body.id as string
  const one = await made('One')
  const two = await made('Two')
  const nested = await made('Nested', one)
  await own.call('PATCH', `/collections/${two}`, { body: { defaultLevel: null } })
  const list = async (as: PersonName, query = '') => (await own.call('GET', `${root}${query}`, { as })).body
  assert.deepEqual(titles(await list('admin')), ['One', 'Two', 'Nested'])
  assert.deepEqual(titles(await list('admin', '?nested=false')), ['One', 'Two'])
  assert.deepEqual(titles(await list('read')), ['One', 'Nested'])
  assert.equal((await list('read')).count, 2)
  assert.equal((await list('read')).items[0].permissions.create, false)
  assert.deepEqual(titles(await list('guest')), [])
  const guest = `/collections/${nested}/permissions/users/${own.people.guest.id}`
  assert.equal((await own.call('PATCH', guest, { body: { role: 'create' } })).status, 204)
  const seen = await list('guest')
  assert.deepEqual(titles(seen), ['Nested'])
  assert.deepEqual(seen.items[0].permissions, {
    ...{ view: true, admin: false, viewInviteLinks: false, create: true },
  })
  const first = await list('admin', '?limit=2')
  const second = await list('admin', `?limit=2&page=${first.next.page}`)
  assert.deepEqual([...titles(first), ...titles(second)], ['One', 'Two', 'Nested'])
  assert.equal((await own.call('GET', `${root}?page=${first.next.page}&nested=false`)).status, 400)
})

test('the spaces of a collection are listed for people who may see them, without those further down', async () => {
  const outer = await create({ title: 'Outer' })
  const inner = await create({ title: 'Inner', parent: outer.id })
  const hidden = await w.createSpace({ title: 'Hidden', parent: outer.id })
  await w.createSpace({ title: 'Shown', parent: outer.id })
  await w.createSpace({ title: 'Deep', parent: inner.id })
  await w.call('PATCH', `/spaces/${hidden.id}`, { body: { defaultLevel: null } })
  const list = async (as: PersonName) => (await w.call('GET', `/collections/${outer.id}/spaces`, { as })).body
  assert.deepEqual(titles(await list('admin')), ['Hidden', 'Shown'])
  assert.deepEqual(titles(await list('read')), ['Shown'])
  assert.equal((await list('read')).count, 1)
})

test('who may create in a collection creates there, whatever they are in the organization, and nowhere else', async () => {
  const [mine, other] = [await create({ title: 'Mine' }), await create({ title: 'Other' })]
  for (const as of ['guest', 'read'] as const) {
    await give(mine.id, as, 'create')
    for (const kind of ['spaces', 'collections']) {
      const post = (body: object) => w.call('POST', `${org}/${kind}`, { body, as })
      const made = await post({ title: 'There', parent: mine.id })
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.parent, mine.id)
      const atRoot = await post({ title: 'Root' })
      assert.equal(atRoot.status, 403)
      assert.match(atRoot.body.error.message, /^body\.parent: .*role create in the organization/)
      const elsewhere = await post({ title: 'Elsewhere', parent: other.id })
      assert.equal(elsewhere.status, as === 'guest' ? 400 : 403, 'a guest does not see it')
      assert.match(elsewhere.body.error.message, /^body\.parent/)
    }
    await give(mine.id, as, null)
    assert.equal((await w.call('POST', `${org}/spaces`, { body: { title: 1 }, as })).status, 403)
  }
  const { body } = await w.call('GET', `${org}/spaces?limit=1000`)
  assert.ok(!titles(body).includes('Root') && !titles(body).includes('Elsewhere'))
})

test('a parent that is not there, is another organization’s or is a space is refused by name', async () => {
  const foreign = await world()
  const { body: theirs } = await foreign.call('POST', `/orgs/${foreign.organizationId}/collections`)
  const space = await w.createSpace()
  for (const parent of [newId(), theirs.id, space.id]) {
    for (const kind of ['spaces', 'collections']) {
      const reply = await w.call('POST', `${org}/${kind}`, { body: { parent } })
      assert.equal(reply.status, 400, `${kind} ${parent}: ${reply.text}`)
      assert.match(reply.body.error.message, /^body\.parent: there is no such collection/)
    }
  }
  for (const parent of ['', '\u0001', 'a/b']) {
    const { status, body } = await w.call('POST', `${org}/collections`, { body: { parent } })
    assert.equal(status, 400)
    assert.match(body.error.message, /^body\.parent: must .*an id, which has no slash/)
  }
  const long = await w.call('POST', `${org}/collections`, { body: { parent: 'x'.repeat(129) } })
  assert.match(long.body.error.message, /^body\.parent/)
  assert.equal((await w.call('POST', `${org}/collections`, { body: { parent: 'a\u0000b' } })).status, 400)
})

test(`collections are at most ${DEPTH_MAX} deep`, async () => {
  let parent: string | undefined
  for (let depth = 1; depth <= DEPTH_MAX; depth += 1)
    parent = (await create({ title: `${depth}`, ...(parent === undefined ? {} : { parent }) })).id
  const reply = await w.call('POST', `${org}/collections`, { body: { parent } })
  assert.equal(reply.status, 400)
  assert.match(reply.body.error.message, /^body\.parent: collections are nested at most 20 deep/)
  assert.equal((await w.call('POST', `${org}/spaces`, { body: { parent } })).status, 201)
})

test('only a space in a collection can be in-collection', async () => {
  const { id: parent } = await create({ title: 'Shared' })
  const refused = await w.call('POST', `${org}/spaces`, { body: { visibility: 'in-collection' } })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /^body\.visibility: in-collection/)
  const alone = await w.createSpace()
  const patch = (id: string, visibility: string) => w.call('PATCH', `/spaces/${id}`, { body: { visibility } })
  assert.equal((await patch(alone.id, 'in-collection')).status, 400)
  for (const visibility of ['share-link', 'visitor-auth', 'public', 'unlisted', 'private'])
    assert.equal((await patch(alone.id, visibility)).body.visibility, visibility)
  const space = await w.createSpace({ parent, visibility: 'in-collection' })
  await w.call('PATCH', `/spaces/${space.id}`, { body: { defaultLevel: null } })
  await give(parent, 'guest', 'read')
  const seen = await w.call('GET', `/spaces/${space.id}`, { as: 'guest' })
  assert.deepEqual([seen.status, seen.body.permissions.access], [200, false])
  assert.equal((await w.call('GET', `/spaces/${space.id}`, { as: 'stranger' })).status, 404)
})

test('collections created concurrently are each listed once', async () => {
  const { id: parent } = await create({ title: 'Busy' })
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      w.call('POST', `${org}/spaces`, { body: { title: `${n}`, parent } }),
    ),
  )
  const { body } = await w.call('GET', `/collections/${parent}/spaces`)
  assert.equal(new Set(titles(body)).size, 20)
})
