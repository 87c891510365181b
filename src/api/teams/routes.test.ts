import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PersonName, type World, world } from '../../../test/support/world.ts'
import { PEOPLE_MAX } from './schema.ts'

const w = await world()
const teamsOf = (own: World) => `/orgs/${own.organizationId}/teams`

async function createTeam(own: World, title: string, names: readonly PersonName[] = []) {
  const members = names.map(name => own.people[name].id)
  const { status, body } = await own.call('PUT', teamsOf(own), { body: { title, members } })
  assert.equal(status, 201, body?.error?.message)
  return { id: body.id as string, path: `${teamsOf(own)}/${body.id}` }
}

/** The members of a team with their roles, by name. */
async function inTeam(own: World, path: string): Promise<Record<string, string>> {
  const { body } = await own.call('GET', `${path}/members`)
  const names = new Map(Object.entries(own.people).map(([name, { id }]) => [id, name]))
  type Item = { organization: { id: string }; team: { role: string } }
  return Object.fromEntries(
    body.items.map(({ organization, team }: Item) => [names.get(organization.id), team.role]),
  )
}

const payloads = async (own: World, type: string) => {
  const rows = await own.services.db
    .selectFrom('events')
    .select('payload')
    .where('organization_id', '=', own.organizationId)
    .where('type', '=', type)
    .orderBy('occurred_at')
    .execute()
  return rows.map(({ payload }) => payload)
}

const titles = (body: { items: { title: string }[] }) => body.items.map(({ title }) => title)

test('a team is created with members, and its creator is not in it unless listed', async () => {
  const own = await world()
  const { status, body, headers } = await own.call('PUT', teamsOf(own), {
    body: { title: 'Writers', members: [own.people.edit.id, own.people.guest.id, own.people.edit.id] },
  })
  assert.equal(status, 201)
  assert.equal(headers.location, undefined)
  const { id, createdAt, ...rest } = body
  assert.ok(Date.parse(createdAt) > 0)
  assert.deepEqual(rest, {
    object: 'team',
    title: 'Writers',
    members: 2,
    spaces: 0,
    permissions: { admin: true, view: true },
  })
  assert.deepEqual(await inTeam(own, `${teamsOf(own)}/${id}`), { edit: 'member', guest: 'member' })
  assert.deepEqual((await own.call('GET', `${teamsOf(own)}/${id}`)).body, body)
  assert.deepEqual(await payloads(own, 'team.created'), [
    { team: id, title: 'Writers', members: [own.people.edit.id, own.people.guest.id] },
  ])
})

test('only admins make teams', async () => {
  for (const [as, expected] of [
    ['create', 403],
    ['guest', 403],
    ['stranger', 404],
    [null, 401],
  ] as const)
    assert.equal((await w.call('PUT', teamsOf(w), { as, body: { title: 'Mine' } })).status, expected)
})

test('a team that cannot be made is refused by name, and none is made', async () => {
  const own = await world()
  const other = await world()
  const many = Array.from({ length: 10_000 }, (_, index) => `user${index}`)
  const { read } = own.people
  for (const [body, message] of [
    [{}, /^body\.title/],
    [{ title: '' }, /^body\.title/],
    [{ title: 'x'.repeat(257) }, /^body\.title/],
    [{ title: 'a\u0000b' }, /U\+0000/],
    [{ title: 'Team', members: read.id }, /^body\.members/],
    [{ title: 'Team', members: [read.id, 7] }, /^body\.members\.1/],
    [{ title: 'Team', members: many }, /^body\.members\b.*1000/],
    [{ title: 'Team', members: [read.id, 'nobody'] }, /^body\.members\.1: nobody is not a member/],
    [{ title: 'Team', members: [read.id, other.people.read.id] }, /^body\.members\.1/],
    [{ title: 'Team', members: [own.people.stranger.id] }, /^body\.members\.0/],
    [{ title: 'Team', members: [''] }, /^body\.members\.0/],
  ] as const) {
    const answer = await own.call('PUT', teamsOf(own), { body })
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80))
    assert.match(answer.body.error.message, message)
  }
  assert.equal((await own.call('GET', teamsOf(own))).body.count, 0)
})

test('teams are listed by title, filtered and a page at a time, with what the caller may do', async () => {
  const own = await world()
  await createTeam(own, 'Beta 50%', ['edit'])
  await createTeam(own, 'alpha')
  await createTeam(own, 'Gamma', ['edit'])
  const list = async (query: string, as: PersonName = 'read') => {
    const { status, body } = await own.call('GET', `${teamsOf(own)}?${query}`, { as })
    assert.equal(status, 200)
    return body
  }
  const all = await list('')
  assert.equal(all.count, 3)
  assert.deepEqual(titles(all).toSorted(), ['Beta 50%', 'Gamma', 'alpha'])
  assert.deepEqual(all.items[0].permissions, { admin: false, view: true })
  assert.deepEqual((await list('', 'admin')).items[0].permissions, { admin: true, view: true })
  assert.deepEqual(titles(await list('title=MM')), ['Gamma'])
  assert.deepEqual(titles(await list('title=0%25')), ['Beta 50%'])
  assert.deepEqual(titles(await list('title=B__a')), [])
  const first = await list('limit=2')
  const second = await list(`limit=2&page=${first.next.page}`)
  assert.deepEqual([...titles(first), ...titles(second)], titles(all))
  assert.equal((await own.call('GET', teamsOf(own), { as: 'guest' })).status, 403)
  assert.equal((await own.call('GET', `${teamsOf(own)}?title=${'x'.repeat(257)}`)).status, 400)
  assert.equal((await own.call('GET', `${teamsOf(own)}?owner=${'x'.repeat(129)}`)).status, 400)
})

test('the filter owner finds the teams that somebody can manage', async () => {
  const own = await world()
  const other = await world()
  const owned = await createTeam(own, 'Owned')
  await createTeam(own, 'In it', ['edit'])
  await own.call('PUT', `${owned.path}/members/${own.people.edit.id}`, { body: { role: 'owner' } })
  const of = async (id: string) => titles((await own.call('GET', `${teamsOf(own)}?owner=${id}`)).body)
  assert.deepEqual(await of(own.people.edit.id), ['Owned'])
  assert.deepEqual(await of(own.people.admin.id), ['In it', 'Owned'])
  assert.deepEqual(await of(own.people.read.id), [])
  assert.deepEqual(await of(other.people.admin.id), [])
  await own.call('PATCH', `/orgs/${own.organizationId}/members/${own.people.edit.id}`, {
    body: { disabled: true },
  })
  assert.deepEqual(await of(own.people.edit.id), [])
})

test('a team is visible to its members and to people who may list teams, and to nobody else', async () => {
  const own = await world()
  const other = await world()
  const { id, path } = await createTeam(own, 'Seen', ['guest'])
  const hidden = await createTeam(own, 'Hidden')
  const see = async (as: PersonName, where = path) => own.call('GET', where, { as })
  assert.deepEqual((await see('read')).body.permissions, { admin: false, view: true })
  assert.equal((await see('guest')).status, 200)
  assert.equal((await see('guest', hidden.path)).status, 404)
  assert.equal((await see('stranger')).status, 404)
  assert.equal((await other.call('GET', `${teamsOf(other)}/${id}`)).status, 404)
  assert.equal((await other.call('PATCH', `${teamsOf(other)}/${id}`, { body: { title: 'x' } })).status, 404)
  assert.equal((await other.call('DELETE', `${teamsOf(other)}/${id}`)).status, 204)
  assert.equal((await see('read')).status, 200)
})

test('a team is renamed by admins, with an event if the name changes', async () => {
  const own = await world()
  const { id, path } = await createTeam(own, 'Before', ['edit'])
  await own.call('PUT', `${path}/members/${own.people.edit.id}`, { body: { role: 'owner' } })
  assert.equal((await own.call('PATCH', path, { as: 'edit', body: { title: 'After' } })).status, 403)
  for (const body of [{}, { title: '' }, { title: 'x'.repeat(257) }, { title: null }]) {
    const answer = await own.call('PATCH', path, { body })
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, /^body\.title/)
  }
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await own.call('PATCH', path, { body: { title: 'After' } })
    assert.equal(status, 200)
    assert.equal(body.title, 'After')
    assert.equal(body.members, 1)
  }
  assert.deepEqual(await payloads(own, 'team.changed'), [{ team: id, title: 'After', before: 'Before' }])
})

test('what a team was given ends with it, at once', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const team = await createTeam(own, 'Short-lived', ['guest'])
  await own.services.transaction(trx =>
    trx
      .insertInto('grants')
      .values({
        id: `grant-of-${team.id}`,
        organization_id: own.organizationId,
        space_id: id,
        team_id: team.id,
        role: 'edit',
      })
      .execute(),
  )
  const see = async () => (await own.call('GET', `/spaces/${id}`, { as: 'guest' })).status
  assert.equal(await see(), 200)
  assert.equal((await own.call('GET', team.path)).body.spaces, 1)
  assert.equal((await own.call('DELETE', team.path, { as: 'create' })).status, 403)
  assert.equal((await own.call('DELETE', team.path)).status, 204)
  assert.equal(await see(), 404)
  assert.equal((await own.call('GET', team.path)).status, 404)
  assert.equal((await own.call('DELETE', team.path)).status, 204)
  const member = `/orgs/${own.organizationId}/members/${own.people.guest.id}`
  assert.equal((await own.call('GET', member)).body.teams, 0)
  assert.deepEqual(await payloads(own, 'team.deleted'), [{ team: team.id, title: 'Short-lived' }])
})

test('members are added, changed and removed in one call; removal precedes the others', async () => {
  const own = await world()
  const { id, path } = await createTeam(own, 'Mixed', ['read', 'comment', 'edit'])
  const of = (name: PersonName) => own.people[name].id
  const { status, body } = await own.call('PUT', `${path}/members`, {
    body: {
      add: [of('guest'), of('comment'), of('review'), of('read'), of('guest')],
      memberships: {
        [of('comment')]: { role: 'owner' },
        [of('create')]: { role: 'owner' },
        [of('edit')]: { role: 'member' },
        [of('review')]: { role: 'owner' },
      },
      remove: [of('read'), of('review'), of('admin'), of('read')],
    },
  })
  assert.equal(status, 204)
  assert.equal(body, undefined)
  assert.deepEqual(await inTeam(own, path), {
    comment: 'owner',
    edit: 'member',
    guest: 'member',
    create: 'owner',
  })
  assert.deepEqual(await payloads(own, 'team.members_changed'), [
    {
      team: id,
      added: [
        { user: of('guest'), role: 'member' },
        { user: of('create'), role: 'owner' },
      ],
      changed: [{ user: of('comment'), role: 'owner' }],
      removed: [of('read')],
    },
  ])
  await own.call('PUT', `${path}/members`, { body: { add: [of('comment')], remove: [of('admin')] } })
  assert.equal((await inTeam(own, path)).comment, 'owner', 'added again, they keep their role')
  await own.call('PUT', `${path}/members`, { body: {} })
  assert.equal((await payloads(own, 'team.members_changed')).length, 1, 'nothing changed, nothing is told')
})

test('people who cannot be in a team are refused by field, and nothing is half done', async () => {
  const own = await world()
  const other = await world()
  const { path } = await createTeam(own, 'Strict', ['read'])
  const { edit } = own.people
  const foreign = other.people.edit.id
  const many = Array.from({ length: 10_000 }, (_, index) => `user${index}`)
  const owner = { role: 'owner' }
  for (const [body, message] of [
    [{ add: [edit.id, 'nobody'] }, /^body\.add\.1: nobody is not a member/],
    [{ add: [edit.id], memberships: { [foreign]: owner } }, new RegExp(`^body\\.memberships\\.${foreign}`)],
    [{ add: [edit.id], remove: [own.people.read.id, foreign] }, /^body\.remove\.1/],
    [{ add: [edit.id], memberships: { [edit.id]: { role: 'boss' } } }, /^body\.memberships\..*role/],
    [{ add: [edit.id], memberships: { [edit.id]: {} } }, /^body\.memberships\..*role/],
    [{ add: [edit.id], memberships: [] }, /^body\.memberships/],
    [{ add: many }, /^body\.add\b.*1000/],
    [{ remove: many }, /^body\.remove\b.*1000/],
    [{ memberships: Object.fromEntries(many.map(id => [id, owner])) }, /^body\.memberships\b.*1000/],
    [{ add: [edit.id, null] }, /^body\.add\.1/],
    [{ add: [edit.id, 'a\u0000b'] }, /^body\.add\.1/],
    [{ remove: [edit.id, 'x'.repeat(129)] }, /^body\.remove\.1/],
    [{ memberships: { [edit.id]: owner, ['x'.repeat(129)]: owner } }, /^body\.memberships/],
    [{ memberships: { 'a\u0000b': owner } }, /^body\.memberships/],
    [{ add: edit.id }, /^body\.add/],
  ] as const) {
    const answer = await own.call('PUT', `${path}/members`, { body })
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80))
    assert.match(answer.body.error.message, message)
  }
  const polluted = await own.call('PUT', `${path}/members`, {
    payload: '{"memberships":{"__proto__":{"role":"owner"},"constructor":{"role":"owner"}}}',
  })
  assert.equal(polluted.status, 400, polluted.text)
  assert.deepEqual(await inTeam(own, path), { read: 'member' })
})

test('a thousand people can be added to a team in one call, and removed again', async () => {
  const own = await world()
  const { path } = await createTeam(own, 'Crowd')
  const ids = await own.services.transaction(async trx => {
    const people = Array.from({ length: PEOPLE_MAX }, (_, index) => ({
      id: `crowd-${own.organizationId}-${index}`,
      email: `${index}@${own.organizationId}.test`,
      display_name: `${index}`,
    }))
    await trx.insertInto('users').values(people).execute()
    await trx
      .insertInto('members')
      .values(
        people.map(({ id }) => ({ organization_id: own.organizationId, user_id: id, role: 'read' as const })),
      )
      .execute()
    return people.map(({ id }) => id)
  })
  const put = (body: object) => own.call('PUT', `${path}/members`, { body })
  assert.equal((await put({ add: ids })).status, 204)
  assert.equal((await own.call('GET', path)).body.members, PEOPLE_MAX)
  const memberships = Object.fromEntries(ids.map(id => [id, { role: 'owner' }]))
  assert.equal((await put({ memberships })).status, 204)
  const { body } = await own.call('GET', `${path}/members?limit=1000`)
  assert.equal(body.count, PEOPLE_MAX)
  assert.ok(body.items.every(({ team }: { team: { role: string } }) => team.role === 'owner'))
  assert.equal((await put({ add: ids, remove: ids })).status, 204)
  assert.equal((await own.call('GET', path)).body.members, 0)
})

test('a person can be added to a team, given another role there, and removed', async () => {
  const own = await world()
  const other = await world()
  const { path } = await createTeam(own, 'One by one')
  const member = `${path}/members/${own.people.edit.id}`
  assert.equal((await own.call('PUT', member)).status, 204)
  assert.deepEqual(await inTeam(own, path), { edit: 'member' })
  assert.equal((await own.call('PUT', member, { body: { role: 'owner' } })).status, 204)
  assert.equal((await own.call('PUT', member, { body: {} })).status, 204)
  assert.deepEqual(await inTeam(own, path), { edit: 'owner' })
  assert.equal((await payloads(own, 'team.members_changed')).length, 2)
  const wrong = await own.call('PUT', member, { body: { role: 'admin' } })
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.error.message, /^body\.role/)
  for (const id of ['nobody', other.people.edit.id, own.people.stranger.id]) {
    const { status, body } = await own.call('PUT', `${path}/members/${id}`)
    assert.equal(status, 404)
    assert.match(body.error.message, /member/)
    assert.equal((await own.call('DELETE', `${path}/members/${id}`)).status, 204)
  }
  assert.equal((await own.call('DELETE', member)).status, 204)
  assert.equal((await own.call('DELETE', member)).status, 204)
  assert.deepEqual(await inTeam(own, path), {})
  assert.equal((await payloads(own, 'team.members_changed')).length, 3)
})

test('an owner manages the members of the team; its members and onlookers do not', async () => {
  const own = await world()
  const { path } = await createTeam(own, 'Managed', ['comment', 'guest'])
  await own.call('PUT', `${path}/members/${own.people.edit.id}`, { body: { role: 'owner' } })
  for (const [as, expected] of [
    ['comment', 403],
    ['guest', 403],
    ['create', 403],
    ['stranger', 404],
    ['edit', 204],
    ['admin', 204],
  ] as const) {
    const add = { body: { add: [own.people.review.id] }, as }
    assert.equal((await own.call('PUT', `${path}/members`, add)).status, expected, as)
    assert.equal((await own.call('PUT', `${path}/members/${own.people.create.id}`, { as })).status, expected)
    const { status } = await own.call('DELETE', `${path}/members/${own.people.create.id}`, { as })
    assert.equal(status, as === 'stranger' ? 204 : expected)
  }
  assert.equal((await own.call('DELETE', path, { as: 'edit' })).status, 403)
  await own.call('PATCH', `/orgs/${own.organizationId}/members/${own.people.edit.id}`, {
    body: { disabled: true },
  })
  assert.equal((await own.call('PUT', `${path}/members`, { as: 'edit', body: {} })).status, 404)
})

test('the members of a team are listed in the order they joined, in pages', async () => {
  const own = await world()
  const { path } = await createTeam(own, 'Ordered')
  for (const name of ['review', 'guest', 'edit'] as const)
    await own.call('PUT', `${path}/members/${own.people[name].id}`)
  const list = async (query: string, as: PersonName = 'admin') =>
    (await own.call('GET', `${path}/members?${query}`, { as })).body
  const first = await list('limit=2')
  const second = await list(`limit=2&page=${first.next.page}`)
  assert.equal(second.next, undefined)
  assert.equal(second.count, 3)
  type Item = { organization: { id: string; teams: number }; permissions: { view: boolean } }
  const items: Item[] = [...first.items, ...second.items]
  assert.deepEqual(
    items.map(({ organization }) => organization.id),
    [own.people.review.id, own.people.guest.id, own.people.edit.id],
  )
  assert.ok(items.every(({ organization, permissions }) => organization.teams === 1 && permissions.view))
  const seen: Item[] = (await list('', 'guest')).items
  assert.deepEqual(
    seen.map(({ permissions }) => permissions.view),
    [false, true, false],
    'a guest may read no other member of the organization',
  )
  assert.equal((await own.call('GET', `${path}/members`, { as: 'read' })).status, 200)
  assert.equal((await own.call('GET', `${path}/members`, { as: 'stranger' })).status, 404)
})

test('the teams of a member are listed by title, with what they are there', async () => {
  const own = await world()
  await createTeam(own, 'B team', ['guest'])
  const a = await createTeam(own, 'A team', ['edit'])
  await createTeam(own, 'Without', ['edit'])
  await own.call('PUT', `${a.path}/members/${own.people.guest.id}`, { body: { role: 'owner' } })
  const list = (as: PersonName, query = '') =>
    own.call('GET', `/orgs/${own.organizationId}/members/${own.people.guest.id}/teams${query}`, { as })
  for (const as of ['guest', 'read', 'admin'] as const) {
    const { status, body } = await list(as)
    assert.equal(status, 200)
    assert.equal(body.count, 2)
    assert.deepEqual(
      body.items.map(({ team, member }: { team: { title: string }; member: object }) => [team.title, member]),
      [
        ['A team', { role: 'owner' }],
        ['B team', { role: 'member' }],
      ],
    )
    const isAdmin = as === 'admin'
    assert.deepEqual(body.items[0].team.permissions, { admin: isAdmin, view: true })
  }
  assert.equal((await list('read', '?title=b%20')).body.items[0].team.title, 'B team')
  const first = await list('read', '?limit=1')
  assert.equal((await list('read', `?limit=1&page=${first.body.next.page}`)).body.items.length, 1)
  assert.equal((await list('stranger')).status, 404)
  const other = `/orgs/${own.organizationId}/members/${own.people.edit.id}/teams`
  assert.equal((await own.call('GET', other, { as: 'guest' })).status, 404)
})

test('a member who is added to a team while they leave is in no team in the end', async () => {
  for (let round = 0; round < 4; round += 1) {
    const own = await world()
    const { path } = await createTeam(own, 'Late')
    const { id } = own.people.edit
    const [added, left] = await Promise.all([
      round % 2 === 0
        ? own.call('PUT', `${path}/members`, { body: { add: [id] } })
        : own.call('PUT', `${path}/members/${id}`),
      own.call('DELETE', `/orgs/${own.organizationId}/members/${id}`),
    ])
    assert.equal(left.status, 204)
    assert.ok([204, 400, 404].includes(added.status), added.text)
    assert.deepEqual(await inTeam(own, path), {})
  }
})

test('a member who is added four times at once is added once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const own = await world()
    const { id, path } = await createTeam(own, 'Once')
    const user = own.people.edit.id
    const add = () => own.call('PUT', `${path}/members`, { body: { add: [user] } })
    const answers = await Promise.all([add(), add(), add(), add()])
    assert.ok(answers.every(({ status }) => status === 204))
    assert.deepEqual(await payloads(own, 'team.members_changed'), [
      { team: id, added: [{ user, role: 'member' }], changed: [], removed: [] },
    ])
  }
})

test('a team that is deleted while people are added stays deleted, without an error of the server', async () => {
  const own = await world()
  const { path } = await createTeam(own, 'Gone')
  const add = { body: { add: [own.people.edit.id] } }
  const [added, gone] = await Promise.all([own.call('PUT', `${path}/members`, add), own.call('DELETE', path)])
  assert.equal(gone.status, 204)
  assert.ok([204, 404].includes(added.status), added.text)
  assert.equal((await own.call('GET', path)).status, 404)
})
