import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { standingIn } from '../../../test/support/collections.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { DEPTH_MAX } from '../collections/tree.ts'
import { findPosition } from '../spaces/order.ts'

const w = await world()

const { collection, space, orderIn } = standingIn(w)
const move = (kind: 'spaces' | 'collections', id: string, body: object, as: PersonName = 'admin') =>
  w.call('POST', `/${kind}/${id}/move`, { body, as })
const before = (type: string, id: string) => ({ position: { before: { type, [type]: id } } })
const after = (type: string, id: string) => ({ position: { after: { type, [type]: id } } })
const give = (thing: string, as: PersonName, role: string) =>
  w.call('PATCH', `${thing}/permissions/users/${w.people[as].id}`, { body: { role } })

test('spaces and collections share one order, and each can be moved before or after any other', async () => {
  const parent = await collection('Order')
  const a = await space('a', parent)
  const b = await collection('b', parent)
  const c = await space('c', parent)
  const d = await collection('d', parent)
  assert.deepEqual(await orderIn(parent), ['a', 'b', 'c', 'd'])
  assert.equal((await move('spaces', c, before('space', a))).status, 200)
  assert.deepEqual(await orderIn(parent), ['c', 'a', 'b', 'd'])
  assert.equal((await move('collections', d, after('space', a))).status, 200)
  assert.deepEqual(await orderIn(parent), ['c', 'a', 'd', 'b'])
  assert.equal((await move('spaces', a, after('collection', b))).status, 200)
  assert.deepEqual(await orderIn(parent), ['c', 'd', 'b', 'a'])
  assert.equal((await move('collections', b, before('collection', d))).status, 200)
  assert.deepEqual(await orderIn(parent), ['c', 'b', 'd', 'a'])
  assert.equal((await move('spaces', c, {})).status, 200, 'without a position it is last')
  assert.equal((await w.call('POST', `/spaces/${a}/move`)).status, 200, 'the body may be left out')
  assert.deepEqual(await orderIn(parent), ['b', 'd', 'c', 'a'])
  const { body } = await w.call('GET', `/collections/${parent}/spaces`)
  assert.deepEqual(
    body.items.map((one: { title: string }) => one.title),
    ['c', 'a'],
  )
  await space('new', parent)
  assert.deepEqual((await orderIn(parent)).at(-1), 'new')
})

test('a thing moves into a collection and out of it, and keeps an omitted parent', async () => {
  const [one, two] = [await collection('one'), await collection('two')]
  const id = await space('wanders', one)
  assert.equal((await move('spaces', id, { parent: two })).body.parent, two)
  assert.equal((await move('spaces', id, {})).body.parent, two)
  assert.equal((await move('spaces', id, { parent: null })).body.parent, undefined)
  assert.equal((await move('collections', one, { parent: two })).body.parent, two)
  assert.equal((await w.call('GET', `/collections/${one}`)).body.parent, two)
  assert.equal((await move('collections', one, { parent: null })).body.parent, undefined)
})

test('a position is one sibling of the new place, which the caller may see', async () => {
  const [one, two] = [await collection('one'), await collection('two')]
  const id = await space('moved', one)
  const there = await space('there', two)
  const gone = await space('gone', two)
  await w.call('DELETE', `/spaces/${gone}`)
  for (const [body, message] of [
    [{ position: {} }, /either before or after/],
    [
      { position: { ...before('space', there).position, ...after('space', there).position } },
      /either before or after/,
    ],
    [before('space', there), /^body\.position\.before\.space: there is no such space/],
    [{ parent: two, ...before('space', gone) }, /no such space/],
    [{ parent: two, ...after('space', newId()) }, /^body\.position\.after\.space: .*no such space/],
    [{ parent: two, ...after('collection', there) }, /no such collection/],
    [after('space', id), /no such space/],
    [{ parent: two, position: { before: { type: 'space', collection: there } } }, /^body\.position/],
    [{ parent: two, position: { before: { type: 'page', page: there } } }, /^body\.position/],
    [{ parent: two, position: 'first' }, /^body\.position/],
    [{ parent: 7 }, /^body\.parent/],
    [{ parent: newId() }, /^body\.parent: there is no such collection/],
    [{ parent: 'x'.repeat(200) }, /^body\.parent/],
  ] as const) {
    const reply = await move('spaces', id, body)
    assert.equal(reply.status, 400, `${JSON.stringify(body)}: ${reply.text}`)
    assert.match(reply.body.error.message, message)
  }
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.parent, one, 'nothing of it is done')
  await w.call('PATCH', `/spaces/${there}`, { body: { defaultLevel: null } })
  await give(`/spaces/${id}`, 'create', 'admin')
  const blind = await move('spaces', id, { parent: two, ...before('space', there) }, 'create')
  assert.deepEqual([blind.status, /no such space/.test(blind.text)], [400, true])
  assert.equal((await move('spaces', id, { parent: two }, 'create')).status, 200)
})

test('moving needs admin of the thing and create where it goes to', async () => {
  const [from, to] = [await collection('from'), await collection('to')]
  const id = await space('guarded', from)
  assert.equal((await move('spaces', id, { parent: to }, 'create')).status, 403)
  assert.equal((await move('spaces', id, { parent: to }, 'stranger')).status, 404)
  await give(`/spaces/${id}`, 'read', 'admin')
  const weak = await move('spaces', id, { parent: to }, 'read')
  assert.equal(weak.status, 403)
  assert.match(weak.body.error.message, /^body\.parent: .*role create on the collection; yours is read/)
  assert.equal((await move('spaces', id, {}, 'read')).status, 403, 'the order is another’s')
  assert.equal((await move('spaces', id, { parent: null }, 'read')).status, 403)
  await w.call('PATCH', `/collections/${to}`, { body: { defaultLevel: null } })
  assert.equal((await move('spaces', id, { parent: to }, 'read')).status, 400, 'it is hidden from them')
  await give(`/collections/${to}`, 'read', 'create')
  const moved = await move('spaces', id, { parent: to }, 'read')
  assert.equal(moved.status, 200)
  assert.equal(moved.body.permissions.admin, true)
  await w.call('DELETE', `/spaces/${id}`)
  assert.equal((await move('spaces', id, {})).status, 404)
})

test('a collection cannot be in itself, in its descendants, or too deep', async () => {
  const chain: string[] = []
  for (let depth = 1; depth <= DEPTH_MAX - 1; depth += 1)
    chain.push(await collection(`${depth}`, chain.at(-1)))
  const [top = '', below = ''] = chain
  for (const parent of [top, below, chain.at(-1)]) {
    const reply = await move('collections', top, { parent })
    assert.equal(reply.status, 409, reply.text)
    assert.match(reply.body.error.message, /^body\.parent/)
  }
  const other = await collection('other')
  const inner = await collection('inner', other)
  const deep = await move('collections', other, { parent: chain.at(-1) })
  assert.equal(deep.status, 400)
  assert.match(deep.body.error.message, /20 deep/)
  assert.equal((await move('collections', inner, { parent: chain.at(-1) })).status, 200)
})

test('two moves that together would make a circle: one of them is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [await collection('a'), await collection('b')]
    const replies = await Promise.all([
      move('collections', a, { parent: b }),
      move('collections', b, { parent: a }),
    ])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
  }
})

test('many moved to one position at once get positions of their own', async () => {
  const parent = await collection('crowd')
  const first = await space('first', parent)
  const ids = await Promise.all(Array.from({ length: 15 }, (_, n) => space(`${n}`, parent)))
  const replies = await Promise.all(ids.map(id => move('spaces', id, after('space', first))))
  assert.ok(replies.every(({ status }) => status === 200))
  const rows = await w.services.db
    .selectFrom('spaces')
    .select('position')
    .where('parent_id', '=', parent)
    .execute()
  assert.equal(new Set(rows.map(({ position }) => position)).size, 16)
  assert.equal((await orderIn(parent))[0], 'first')
})

test('between two siblings at one position there is room again once it is needed', async () => {
  const parent = await collection('tied')
  const ids = [await space('a', parent), await space('b', parent), await space('c', parent)]
  const inner = await collection('d', parent)
  await sql`update spaces set position = 'tied' where parent_id = ${parent}`.execute(w.services.db)
  await sql`update collections set position = 'tied' where id = ${inner}`.execute(w.services.db)
  const tied = await orderIn(parent)
  const [x = '', y = '', ...rest] = tied
  const idOf = (title: string) => ({ a: ids[0], b: ids[1], c: ids[2], d: inner })[title] as string
  const kindOf = (title: string) => (title === 'd' ? 'collection' : 'space')
  const last = rest.at(-1) as string
  const reply = await move(`${kindOf(last)}s`, idOf(last), after(kindOf(x), idOf(x)))
  assert.equal(reply.status, 200)
  assert.deepEqual(await orderIn(parent), [x, last, y, ...rest.slice(0, -1)])
})

test('always moved to the front, hundreds of times, and the order is still true', async () => {
  const parent = await collection('front')
  const titles = ['a', 'b', 'c']
  const ids = await Promise.all(titles.map(title => space(title, parent)))
  let order = await orderIn(parent)
  const place = { organizationId: w.organizationId, parentId: parent }
  await w.services.transaction(async trx => {
    // Each six moves make a position longer by a character, until there is no room and all are given anew.
    for (let n = 0; n < 650; n += 1) {
      const [first = '', last = ''] = [order[0], order.at(-1)].map(
        title => ids[titles.indexOf(title as string)],
      )
      const position = await findPosition(trx, place, { side: 'before', id: first }, last)
      await trx.updateTable('spaces').set({ position }).where('id', '=', last).execute()
      order = [order.at(-1) as string, ...order.slice(0, -1)]
    }
  })
  assert.deepEqual(await orderIn(parent), order)
  const { rows } = await sql<{ longest: number }>`
    select max(length(position)) as longest from spaces where parent_id = ${parent}`.execute(w.services.db)
  assert.ok((rows[0]?.longest ?? 0) <= 100)
})

test('an in-collection space becomes private when it is in no collection', async () => {
  const [one, two] = [await collection('one'), await collection('two')]
  const { id } = await w.createSpace({ parent: one, visibility: 'in-collection' })
  assert.equal((await move('spaces', id, { parent: two })).body.visibility, 'in-collection')
  assert.equal((await move('spaces', id, { parent: null })).body.visibility, 'private')
})

test('a duplicate comes right after the original and is open to the same people', async () => {
  const parent = await collection('copies')
  const id = await space('one', parent)
  await space('two', parent)
  await give(`/spaces/${id}`, 'guest', 'comment')
  await give(`/spaces/${id}`, 'edit', 'read')
  const { body: copy } = await w.call('POST', `/spaces/${id}/duplicate`)
  assert.equal(copy.parent, parent)
  assert.deepEqual(await orderIn(parent), ['one', 'one (copy)', 'two'])
  const permissions = async (as: PersonName) =>
    (await w.call('GET', `/spaces/${copy.id}`, { as })).body.permissions
  assert.deepEqual([(await permissions('guest')).comment, (await permissions('guest')).edit], [true, false])
  assert.equal((await permissions('edit')).edit, false)
})
