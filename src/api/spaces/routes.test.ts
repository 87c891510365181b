import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../../test/support/world.ts'
import { toCopyTitle } from './actions.ts'
import { readEmoji } from './emoji.ts'
import { purgeSpaces } from './jobs.ts'

const w = await world()

const setDeletedAt = (id: string, daysAgo: number) =>
  sql`update spaces set deleted_at = now() - make_interval(days => ${daysAgo}, mins => 1) where id = ${id}`
    .execute(w.services.db)
    .then(() => w.services.changes.touch())

test('a new space has a revision, defaults and addresses', async () => {
  const { status, body, headers } = await w.call('POST', `/orgs/${w.organizationId}/spaces`)
  assert.equal(status, 201)
  assert.equal(headers.location, `http://octavo.test/v1/spaces/${body.id}`)
  assert.equal(body.title, '')
  assert.equal(body.emoji, '📖')
  assert.equal(body.visibility, 'private')
  assert.equal(body.editMode, 'live')
  assert.equal(body.defaultLevel, 'inherit')
  assert.deepEqual(body.mergeRules, { type: 'inherit' })
  assert.equal(body.urls.app, `http://octavo.test/s/${body.id}`)
  assert.equal(body.urls.published, undefined)
  assert.equal((await w.call('GET', `/spaces/${body.id}/revisions/${body.revision}`)).status, 200)
})

test('a member below the role create cannot create a space', async () => {
  const { status } = await w.call('POST', `/orgs/${w.organizationId}/spaces`, { as: 'review', body: {} })
  assert.equal(status, 403)
})

test('the default level of a space decides what members may do, and admins stay admins', async () => {
  const { id } = await w.createSpace({ title: 'Levels' })
  await w.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: 'comment' } })
  const permissions = async (as: 'create' | 'admin') =>
    (await w.call('GET', `/spaces/${id}`, { as })).body.permissions
  assert.equal((await permissions('create')).edit, false)
  assert.equal((await permissions('create')).comment, true)
  assert.equal((await permissions('admin')).admin, true)
  await w.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } })
  assert.equal((await w.call('GET', `/spaces/${id}`, { as: 'create' })).status, 404)
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.defaultLevel, null)
})

test('lists hold what the caller may see, and the count is of that', async () => {
  const own = await world()
  const spaces = [
    await own.createSpace({ title: 'One' }),
    await own.createSpace({ title: 'Two' }),
    await own.createSpace({ title: 'Three' }),
  ]
  await own.call('PATCH', `/spaces/${spaces[1]?.id}`, { body: { defaultLevel: null } })
  const list = async (as: 'admin' | 'read' | 'guest') =>
    (await own.call('GET', `/orgs/${own.organizationId}/spaces`, { as })).body
  const titles = (body: { items: { title: string }[] }) => body.items.map(item => item.title)
  assert.deepEqual(titles(await list('admin')), ['One', 'Two', 'Three'])
  assert.deepEqual(titles(await list('read')), ['One', 'Three'])
  assert.equal((await list('read')).count, 2)
  assert.deepEqual((await list('guest')).items, [])
  const first = await own.call('GET', `/orgs/${own.organizationId}/spaces?limit=2`)
  const second = await own.call(
    'GET',
    `/orgs/${own.organizationId}/spaces?limit=2&page=${first.body.next.page}`,
  )
  assert.deepEqual([...titles(first.body), ...titles(second.body)], ['One', 'Two', 'Three'])
})

test('a public space is read by everyone, without a token too, but not its history', async () => {
  const { id, revision } = await w.createSpace({ title: 'Open', visibility: 'public' })
  const { body } = await w.call('GET', `/spaces/${id}`, { as: 'stranger' })
  assert.equal(body.urls.public, `http://octavo.test/s/${id}`)
  assert.equal(body.permissions.view, true)
  assert.equal(body.permissions.access, false)
  assert.equal((await w.call('GET', `/spaces/${id}/content/pages`, { as: 'stranger' })).status, 200)
  assert.equal((await w.call('GET', `/spaces/${id}/revisions`, { as: 'stranger' })).status, 403)
  assert.equal(
    (await w.call('GET', `/spaces/${id}/revisions/${revision}`, { as: 'stranger' })).status,
    200,
    'the head is open',
  )
  assert.equal((await w.call('GET', `/spaces/${id}/content/pages`, { as: null })).status, 200)
  assert.equal((await w.call('GET', `/spaces/${id}/revisions`, { as: null })).status, 401)
  const hidden = await w.createSpace()
  const paths = [`/spaces/${hidden.id}/content/pages`, '/spaces/nowhere/content/pages']
  const [there, nowhere] = await Promise.all(paths.map(path => w.call('GET', path, { as: null })))
  assert.deepEqual([there?.status, there?.text], [401, nowhere?.text], 'nobody is told what is there')
})

test('emoji and icon exclude each other', async () => {
  const { id } = await w.createSpace({ emoji: '1f680' })
  const patch = async (body: object) => (await w.call('PATCH', `/spaces/${id}`, { body })).body
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.emoji, '🚀')
  assert.equal(
    (await patch({ icon: 'https://pictures.test/i.png' })).urls.icon,
    'https://pictures.test/i.png',
  )
  const withEmoji = await patch({ emoji: '🐢' })
  assert.equal(withEmoji.emoji, '🐢')
  assert.equal(withEmoji.urls.icon, undefined)
  assert.equal((await patch({ emoji: null, icon: null })).emoji, '📖')
  assert.equal(
    (await w.call('PATCH', `/spaces/${id}`, { body: { emoji: 'x', icon: 'https://a.test/' } })).status,
    400,
  )
})

test('settings that break a rule are refused by name, and nothing of the body is applied', async () => {
  const { id } = await w.createSpace({ title: 'Before' })
  for (const [body, message] of [
    [{ title: 'x'.repeat(51) }, /body\.title/],
    [{ title: 'After', editMode: 'frozen' }, /body\.editMode/],
    [{ title: 'After', language: 'klingon' }, /body\.language/],
    [{ title: 'After', mergeRules: { type: 'rules', rules: [{ rule: 'magic' }] } }, /body\.mergeRules/],
    [{ visibility: 'secret' }, /body\.visibility/],
  ] as const) {
    const answer = await w.call('PATCH', `/spaces/${id}`, { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.title, 'Before')
})

test('a deleted space is missing for everyone but those who may restore it', async () => {
  const { id } = await w.createSpace({ title: 'Short-lived' })
  assert.equal((await w.call('DELETE', `/spaces/${id}`)).status, 204)
  assert.equal((await w.call('DELETE', `/spaces/${id}`)).status, 204)
  const { status, body } = await w.call('GET', `/spaces/${id}`)
  assert.equal(status, 200)
  assert.ok(body.deletedAt)
  assert.equal((await w.call('GET', `/spaces/${id}`, { as: 'create' })).status, 404)
  assert.equal((await w.call('GET', `/spaces/${id}/content`)).status, 404)
  assert.equal((await w.call('PATCH', `/spaces/${id}`, { body: { title: 'x' } })).status, 404)
  const { body: list } = await w.call('GET', `/orgs/${w.organizationId}/spaces?limit=1000`)
  assert.ok(!list.items.some((item: { id: string }) => item.id === id))
  const restored = await w.call('POST', `/spaces/${id}/restore`)
  assert.equal(restored.status, 200)
  assert.equal(restored.body.deletedAt, undefined)
  assert.equal((await w.call('POST', `/spaces/${id}/restore`)).status, 200)
  assert.equal((await w.call('GET', `/spaces/${id}/content`)).status, 200)
})

test('GET /orgs/{id}/deleted-spaces → those that can be restored, the last one first, for admins alone', async () => {
  const path = `/orgs/${w.organizationId}/deleted-spaces`
  const spaces = [await w.createSpace({ title: 'First' }), await w.createSpace({ title: 'Second' })]
  const late = await w.createSpace({ title: 'Too late' })
  for (const { id } of [...spaces, late]) await w.call('DELETE', `/spaces/${id}`)
  await setDeletedAt(late.id, 7)
  const ids = async (query = '') => {
    const { body } = await w.call('GET', path + query)
    return body.items.map(({ id }: { id: string }) => id)
  }
  const [first, second] = spaces.map(({ id }) => id)
  assert.deepEqual((await ids()).slice(0, 2), [second, first])
  assert.ok(!(await ids('?limit=1000')).includes(late.id))
  const { body } = await w.call('GET', `${path}?limit=1`)
  assert.equal(typeof body.items[0].deletedAt, 'string')
  assert.equal((await ids(`?limit=1&page=${body.next.page}`))[0], first)
  assert.equal((await w.call('GET', path, { as: 'create' })).status, 403)
  await w.call('POST', `/spaces/${first}/restore`)
  assert.ok(!(await ids()).includes(first))
})

test('after seven days a space cannot be restored and is purged, with its revisions', async () => {
  const [old, recent] = [await w.createSpace({ title: 'Old' }), await w.createSpace({ title: 'Recent' })]
  for (const { id } of [old, recent]) await w.call('DELETE', `/spaces/${id}`)
  await setDeletedAt(old.id, 7)
  await setDeletedAt(recent.id, 6)
  assert.equal((await w.call('POST', `/spaces/${old.id}/restore`)).status, 404)
  assert.ok((await purgeSpaces(w.services)) >= 1)
  assert.equal((await w.call('GET', `/spaces/${old.id}`)).status, 404)
  assert.equal((await w.call('POST', `/spaces/${recent.id}/restore`)).status, 200)
  const left = await w.services.db
    .selectFrom('revisions')
    .select('id')
    .where('space_id', '=', old.id)
    .execute()
  assert.deepEqual(left, [])
})

test('a duplicate is private, has the content and none of the history', async () => {
  const { id } = await w.createSpace({
    title: 'A title that is fifty characters long, every of it',
    emoji: '🚀',
    visibility: 'public',
  })
  const { status, body, headers } = await w.call('POST', `/spaces/${id}/duplicate`, { as: 'create' })
  assert.equal(status, 201)
  assert.equal(headers.location, body.urls.location)
  assert.equal(body.title, 'A title that is fifty characters long, ever (copy)')
  assert.equal(body.visibility, 'private')
  assert.equal(body.emoji, '🚀')
  assert.equal((await w.call('GET', `/spaces/${body.id}/revisions`)).body.count, 1)
})

test('who may create on a space duplicates it only where they may create beside it', async () => {
  const collection = (await w.call('POST', `/orgs/${w.organizationId}/collections`)).body.id
  for (const [parent, beside] of [
    [undefined, null],
    [collection, `/collections/${collection}`],
  ] as const) {
    const { id } = await w.createSpace({ parent })
    const give = (path: string, role: string) =>
      w.call('PATCH', `${path}/permissions/users/${w.people.guest.id}`, { body: { role } })
    await give(`/spaces/${id}`, 'create')
    const duplicate = () => w.call('POST', `/spaces/${id}/duplicate`, { as: 'guest' })
    assert.equal((await duplicate()).status, 403)
    if (beside === null) continue
    await give(beside, 'edit')
    assert.equal((await duplicate()).status, 403)
    await give(beside, 'create')
    assert.equal((await duplicate()).status, 201)
  }
})

test('a title is cut between characters', () => {
  assert.equal(toCopyTitle('👩‍👩‍👧‍👦'.repeat(4)), `${'👩‍👩‍👧‍👦'.repeat(3)} (copy)`)
})

test('code points become the character they name, other text stays', () => {
  assert.equal(readEmoji('1f468-200d-1f4bb'), '👨‍💻')
  assert.equal(readEmoji('U+1F4D8'), '📘')
  assert.equal(readEmoji('📘'), '📘')
  for (const none of ['ffffff', 'd800', '1f4d8-dfff', '0000', 'U+000A']) assert.equal(readEmoji(none), none)
})
