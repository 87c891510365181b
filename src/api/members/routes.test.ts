import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type PersonName, type World, world } from '../../../test/support/world.ts'
import type { Failure } from '../../base/errors.ts'
import { findOrganization } from '../organizations/rows.ts'
import { changeMember, deleteMember, SEEN_SECONDS } from './actions.ts'
import { findMember } from './rows.ts'
import { SEARCH_CHARACTERS_MAX } from './schema.ts'

const w = await world()
const membersOf = (own: World) => `/orgs/${own.organizationId}/members`
const memberOf = (own: World, name: PersonName) => `${membersOf(own)}/${own.people[name].id}`
const MEMBERS = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const

const listed = async (own: World, query: string) => {
  const { status, body } = await own.call('GET', `${membersOf(own)}?${query}`)
  assert.equal(status, 200, body.error?.message)
  const names = new Map(Object.entries(own.people).map(([name, { id }]) => [id, name]))
  return { ...body, names: body.items.map(({ id }: { id: string }) => names.get(id)) }
}

const eventsOf = (own: World, type: string) =>
  own.services.db
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', own.organizationId)
    .where('type', '=', type)
    .orderBy('occurred_at')
    .execute()

/** What actions are given for a member: as the place finds it. */
async function at(own: World, name: PersonName) {
  const { db } = own.services
  const organization = await findOrganization(db, own.organizationId)
  const member = await findMember(db, own.organizationId, own.people[name].id)
  assert.ok(organization !== undefined && member !== undefined)
  return { organization, member }
}

test('members are listed with how far they reach, guests among them', async () => {
  const own = await world()
  await own.createSpace()
  await own.createSpace({ visibility: 'public' })
  await own.call('PUT', `/orgs/${own.organizationId}/teams`, {
    body: { title: 'One', members: [own.people.guest.id] },
  })
  const { body } = await own.call('GET', membersOf(own), { as: 'read' })
  assert.equal(body.count, 7)
  assert.equal(body.next, undefined)
  const of = (name: PersonName) => body.items.find(({ id }: { id: string }) => id === own.people[name].id)
  const { joinedAt, user, ...rest } = of('edit')
  assert.ok(Date.parse(joinedAt) > 0)
  assert.equal(user.email, own.people.edit.email)
  assert.deepEqual(rest, {
    object: 'member',
    id: own.people.edit.id,
    role: 'edit',
    disabled: false,
    sso: false,
    spaces: 2,
    teams: 0,
  })
  assert.equal(of('guest').role, null)
  assert.equal(of('guest').spaces, 1)
  assert.equal(of('guest').teams, 1)
  assert.equal(of('stranger'), undefined)
})

test('a guest may not list members; they read themselves and nobody else', async () => {
  assert.equal((await w.call('GET', membersOf(w), { as: 'guest' })).status, 403)
  const { status, body } = await w.call('GET', memberOf(w, 'guest'), { as: 'guest' })
  assert.equal(status, 200)
  assert.equal(body.role, null)
  assert.equal((await w.call('GET', memberOf(w, 'read'), { as: 'guest' })).status, 404)
  assert.equal((await w.call('GET', memberOf(w, 'guest'), { as: 'read' })).status, 200)
})

test('somebody of another organization is no member of this one', async () => {
  const other = await world()
  const path = `${membersOf(w)}/${other.people.read.id}`
  assert.equal((await w.call('GET', path)).status, 404)
  assert.equal((await w.call('PATCH', path, { body: { role: 'admin' } })).status, 404)
  assert.equal((await w.call('POST', `${path}/sso`)).status, 404)
  assert.equal((await w.call('GET', `${path}/teams`)).status, 404)
  assert.equal((await w.call('DELETE', path)).status, 204)
  assert.equal((await other.call('GET', memberOf(other, 'read'))).status, 200)
})

test('members are sorted by when they came, either way, a page at a time', async () => {
  const own = await world()
  for (const [index, name] of MEMBERS.entries())
    await sql`update members set joined_at = now() - make_interval(days => ${MEMBERS.length - index})
      where user_id = ${own.people[name].id}`.execute(own.services.db)
  const first = await listed(own, 'limit=4&role=read&order=asc')
  assert.deepEqual(first.names, ['read'])
  const up = await listed(own, 'order=asc&limit=4')
  const more = await listed(own, `order=asc&limit=4&page=${up.next.page}`)
  assert.deepEqual([...up.names, ...more.names], [...MEMBERS, 'guest'])
  assert.equal(more.count, 7)
  assert.equal(more.next, undefined)
  assert.deepEqual((await listed(own, '')).names, ['guest', ...MEMBERS.toReversed()])
  const { status } = await own.call('GET', `${membersOf(own)}?order=desc&limit=4&page=${up.next.page}`)
  assert.equal(status, 400, 'a token of another question')
})

test('members are found by role, name and email address, and the search text is no pattern', async () => {
  const own = await world()
  await own.call('PATCH', `/users/${own.people.edit.id}`, {
    as: 'edit',
    body: { displayName: '100% Ädä_Lovelace' },
  })
  const found = async (search: string) => (await listed(own, `search=${encodeURIComponent(search)}`)).names
  assert.deepEqual((await listed(own, 'role=guest')).names, ['guest'])
  assert.deepEqual((await listed(own, 'role=guest&search=lovelace')).names, [])
  assert.deepEqual((await listed(own, 'role=edit&search=lovelace')).names, ['edit'])
  assert.deepEqual(await found('LOVE'), ['edit'])
  assert.deepEqual(await found('0% '), ['edit'])
  assert.deepEqual(await found('a_L'), [])
  assert.deepEqual(await found('ä_L'), ['edit'])
  assert.deepEqual(await found('%'), ['edit'])
  assert.deepEqual(await found(own.people.read.email.toUpperCase()), ['read'])
  assert.equal((await listed(own, 'search=')).count, 7)
})

test('filters that cannot be are refused by name', async () => {
  for (const [query, message] of [
    ['role=owner', /query\.role/],
    ['sort=name', /query\.sort/],
    ['order=up', /query\.order/],
    [`search=${'x'.repeat(SEARCH_CHARACTERS_MAX + 1)}`, /query\.search/],
    ['search=%00', /U\+0000/],
    ['limit=1001', /limit/],
    ['page=x', /page/],
  ] as const) {
    const { status, body } = await w.call('GET', `${membersOf(w)}?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.error.message, message)
  }
})

test('by when they were last seen, only active members are listed that were', async () => {
  const own = await world()
  for (const as of ['guest', 'edit', 'review'] as const)
    await own.call('POST', `/orgs/${own.organizationId}/ping`, { as })
  await own.call('PATCH', memberOf(own, 'review'), { body: { disabled: true } })
  const down = await listed(own, 'sort=lastSeenAt')
  assert.deepEqual(down.names, ['edit', 'guest'])
  assert.equal(down.count, 2)
  assert.deepEqual((await listed(own, 'sort=lastSeenAt&order=asc')).names, ['guest', 'edit'])
  const first = await listed(own, 'sort=lastSeenAt&limit=1')
  assert.deepEqual((await listed(own, `sort=lastSeenAt&limit=1&page=${first.next.page}`)).names, ['guest'])
  assert.equal((await listed(own, 'sort=joinedAt')).count, 7)
})

test('a change of role takes effect at once, for everything', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const may = async () => (await own.call('GET', `/spaces/${id}`, { as: 'read' })).body.permissions?.edit
  assert.equal(await may(), false)
  const { status, body } = await own.call('PATCH', memberOf(own, 'read'), { body: { role: 'edit' } })
  assert.equal(status, 200)
  assert.equal(body.role, 'edit')
  assert.equal(await may(), true)
  const guest = await own.call('PATCH', memberOf(own, 'read'), { body: { role: null } })
  assert.equal(guest.body.role, null)
  assert.equal(guest.body.spaces, 0)
  assert.equal(await may(), undefined)
  assert.deepEqual(
    (await eventsOf(own, 'member.changed')).map(({ payload }) => payload),
    [
      { user: own.people.read.id, before: { role: 'read' }, after: { role: 'edit' } },
      { user: own.people.read.id, before: { role: 'edit' }, after: { role: null } },
    ],
  )
})

test('a change without effect appends no event', async () => {
  const own = await world()
  for (const body of [{}, { role: 'read' }, { disabled: false, sso: false }, { role: 'read', nickname: 'x' }])
    assert.equal((await own.call('PATCH', memberOf(own, 'read'), { body })).status, 200)
  assert.deepEqual(await eventsOf(own, 'member.changed'), [])
})

test('only admins change members, themselves included', async () => {
  for (const as of ['create', 'read'] as const) {
    const { status } = await w.call('PATCH', memberOf(w, 'read'), { as, body: { role: 'admin' } })
    assert.equal(status, 403)
    assert.equal((await w.call('POST', `${memberOf(w, 'read')}/sso`, { as })).status, 403)
  }
  assert.equal(
    (await w.call('PATCH', memberOf(w, 'read'), { as: 'guest', body: { role: 'admin' } })).status,
    404,
  )
  assert.equal((await w.call('GET', memberOf(w, 'read'))).body.role, 'read')
})

test('an unknown setting is refused by name, and nothing of the body is applied', async () => {
  for (const [body, message] of [
    [{ role: 'owner', disabled: true }, /^body\.role/],
    [{ role: 'none' }, /^body\.role/],
    [{ role: 'edit', disabled: 'yes' }, /^body\.disabled/],
    [{ role: 'edit', sso: null }, /^body\.sso/],
    [[], /^body/],
  ] as const) {
    const answer = await w.call('PATCH', memberOf(w, 'comment'), { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
  const { body } = await w.call('GET', memberOf(w, 'comment'))
  assert.equal(body.role, 'comment')
  assert.equal(body.disabled, false)
})

test('a disabled member has no access and keeps their roles', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  await own.call('PUT', `/orgs/${own.organizationId}/teams`, {
    body: { title: 'One', members: [own.people.edit.id] },
  })
  const statuses = async () => {
    const paths = [`/spaces/${id}`, `/orgs/${own.organizationId}`, memberOf(own, 'edit')]
    return Promise.all(paths.map(async path => (await own.call('GET', path, { as: 'edit' })).status))
  }
  assert.deepEqual(await statuses(), [200, 200, 200])
  const { body } = await own.call('PATCH', memberOf(own, 'edit'), { body: { disabled: true } })
  assert.equal(body.disabled, true)
  assert.equal(body.role, 'edit')
  assert.equal(body.teams, 1)
  assert.equal(body.spaces, 0)
  assert.deepEqual(await statuses(), [404, 404, 404])
  assert.equal((await own.call('POST', `/orgs/${own.organizationId}/ping`, { as: 'edit' })).status, 404)
  assert.equal((await own.call('DELETE', memberOf(own, 'edit'), { as: 'edit' })).status, 204)
  assert.equal((await own.call('GET', memberOf(own, 'edit'))).status, 200, 'and they are still there')
  await own.call('PATCH', memberOf(own, 'edit'), { body: { disabled: false } })
  assert.deepEqual(await statuses(), [200, 200, 200])
})

test('the last admin can be neither demoted nor disabled nor removed', async () => {
  const own = await world()
  const me = memberOf(own, 'admin')
  const refuse = async (method: string, body?: object) => {
    const answer = await own.call(method, me, body === undefined ? {} : { body })
    assert.equal(answer.status, 409, method + JSON.stringify(body))
    assert.match(answer.body.error.message, /last admin/)
  }
  const refused = async () => {
    for (const body of [
      { role: 'create' },
      { role: null },
      { disabled: true },
      { role: 'admin', disabled: true },
    ])
      await refuse('PATCH', body)
    await refuse('DELETE')
  }
  await refused()
  await own.call('PATCH', memberOf(own, 'create'), { body: { role: 'admin', disabled: true } })
  await refused()
  assert.equal((await own.call('PATCH', me, { body: { sso: true } })).status, 200, 'they stay an admin')
  await own.call('PATCH', memberOf(own, 'create'), { body: { disabled: false } })
  assert.equal((await own.call('PATCH', me, { body: { role: 'read' } })).status, 200)
  assert.equal((await own.call('PATCH', me, { body: { role: 'admin' } })).status, 403)
  assert.equal((await own.call('DELETE', memberOf(own, 'create'), { as: 'create' })).status, 409)
})

test('when two admins remove each other at once, one of them stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const own = await world()
    await own.call('PATCH', memberOf(own, 'create'), { body: { role: 'admin' } })
    const [one, other] = [await own.principalOf('admin'), await own.principalOf('create')]
    const ends = await Promise.allSettled([
      changeMember({ ...own.services, principal: one }, await at(own, 'create'), { role: 'read' }),
      round % 2 === 0
        ? changeMember({ ...own.services, principal: other }, await at(own, 'admin'), { disabled: true })
        : deleteMember({ ...own.services, principal: other }, await at(own, 'admin')),
    ])
    const refused = ends.filter(end => end.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => (reason as Failure).code),
      ['last_admin'],
    )
    const admins = await own.services.db
      .selectFrom('members')
      .select('user_id')
      .where('organization_id', '=', own.organizationId)
      .where('role', '=', 'admin')
      .where('disabled', '=', false)
      .execute()
    assert.equal(admins.length, 1)
  }
})

test('a removed member is a stranger at once, there and nowhere else', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const { body: elsewhere } = await own.call('POST', '/orgs', { as: 'edit', body: { title: 'Elsewhere' } })
  const { body: team } = await own.call('PUT', `/orgs/${own.organizationId}/teams`, {
    body: { title: 'One', members: [own.people.edit.id, own.people.read.id] },
  })
  await own.services.db
    .insertInto('grants')
    .values({
      id: `grant-of-${own.people.edit.id}`,
      organization_id: own.organizationId,
      space_id: id,
      user_id: own.people.edit.id,
      role: 'admin',
    })
    .execute()
  const { body: comment } = await own.call('POST', `/spaces/${id}/comments`, {
    as: 'edit',
    body: { body: { markdown: 'Said before.' } },
  })
  const see = async (path: string) => (await own.call('GET', path, { as: 'edit' })).status
  assert.equal(await see(`/spaces/${id}`), 200)
  assert.equal((await own.call('DELETE', memberOf(own, 'edit'))).status, 204)
  assert.equal(await see(`/spaces/${id}`), 404)
  assert.equal(await see(`/orgs/${own.organizationId}`), 404)
  assert.equal(await see(memberOf(own, 'edit')), 404)
  assert.equal(await see(`/orgs/${elsewhere.id}`), 200)
  assert.equal((await own.call('GET', memberOf(own, 'edit'))).status, 404)
  const { body: after } = await own.call('GET', `/orgs/${own.organizationId}/teams/${team.id}`)
  assert.equal(after.members, 1)
  const grants = await own.services.db
    .selectFrom('grants')
    .select('id')
    .where('user_id', '=', own.people.edit.id)
    .execute()
  assert.deepEqual(grants, [])
  const said = await own.call('GET', `/spaces/${id}/comments/${comment.id}`)
  assert.equal(said.body.postedBy.id, own.people.edit.id)
  assert.equal(
    (await own.call('DELETE', memberOf(own, 'edit'))).status,
    204,
    'and it is done when it is done',
  )
  const told = await eventsOf(own, 'member.removed')
  assert.deepEqual(
    told.map(({ payload, actor_id }) => ({ payload, actor_id })),
    [{ payload: { user: own.people.edit.id, role: 'edit' }, actor_id: own.people.admin.id }],
  )
})

test('every member and guest can leave, and only admins can remove others', async () => {
  const own = await world()
  assert.equal((await own.call('DELETE', memberOf(own, 'read'), { as: 'create' })).status, 403)
  assert.equal((await own.call('DELETE', memberOf(own, 'read'), { as: 'guest' })).status, 204)
  assert.equal((await own.call('GET', memberOf(own, 'read'))).status, 200, 'a guest sees nobody to remove')
  for (const as of ['read', 'guest'] as const) {
    assert.equal((await own.call('DELETE', memberOf(own, as), { as })).status, 204)
    assert.equal((await own.call('GET', memberOf(own, as))).status, 404)
  }
})

test('review requests to a member who leaves are withdrawn, in this organization', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const asked = async (user: string) => {
    const { body } = await own.call('POST', `/spaces/${id}/change-requests`)
    const path = `/spaces/${id}/change-requests/${body.id}/requested-reviewers`
    const users = [user, own.people.admin.id]
    assert.equal((await own.call('POST', path, { body: { users } })).status, 200)
    return path
  }
  const paths = [await asked(own.people.review.id), await asked(own.people.review.id)]
  await own.call('DELETE', memberOf(own, 'review'), { as: 'review' })
  for (const path of paths) {
    const { body } = await own.call('GET', path)
    assert.deepEqual(
      body.items.map(({ user }: { user: { id: string } }) => user.id),
      [own.people.admin.id],
    )
  }
  const told = await eventsOf(own, 'change_request.review_request_withdrawn')
  assert.equal(told.length, 2)
  for (const { payload, space_id, actor_id } of told) {
    assert.deepEqual((payload as { users: string[] }).users, [own.people.review.id])
    assert.equal(space_id, id)
    assert.equal(actor_id, own.people.review.id)
  }
  const { status } = await own.call('POST', paths[0] as string, { body: { users: [own.people.review.id] } })
  assert.equal(status, 400)
})

test('a member who is asked for a review while they leave is not asked in the end', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const { body } = await own.call('POST', `/spaces/${id}/change-requests`)
  const path = `/spaces/${id}/change-requests/${body.id}/requested-reviewers`
  const [asked, left] = await Promise.all([
    own.call('POST', path, { body: { users: [own.people.review.id] } }),
    own.call('DELETE', memberOf(own, 'review')),
  ])
  assert.equal(left.status, 204)
  assert.ok([200, 400].includes(asked.status), asked.text)
  assert.deepEqual((await own.call('GET', path)).body.items, [])
})

test('a ping says when a member was last seen, and writes it once a minute', async () => {
  const own = await world()
  const ping = (as: PersonName, headers = {}) =>
    own.call('POST', `/orgs/${own.organizationId}/ping`, { as, headers })
  const seen = async (name: PersonName) => (await own.call('GET', memberOf(own, name))).body.lastSeenAt
  assert.equal(await seen('guest'), undefined)
  for (const as of ['guest', 'read', 'admin'] as const) {
    const { status, body } = await ping(as)
    assert.equal(status, 200)
    assert.deepEqual(body, {})
  }
  const first = await seen('guest')
  assert.ok(Math.abs(Date.now() - Date.parse(first)) < 60_000)
  await ping('guest')
  assert.equal(await seen('guest'), first)
  await sql`update members set last_seen_at = last_seen_at - make_interval(secs => ${SEEN_SECONDS + 1})
    where user_id = ${own.people.guest.id}`.execute(own.services.db)
  await ping('guest', { 'idempotency-key': 'again' })
  assert.ok(Date.parse(await seen('guest')) >= Date.parse(first))
  assert.equal((await ping('stranger')).status, 404)
  assert.equal((await own.call('POST', `/orgs/${own.organizationId}/ping`, { as: null })).status, 401)
  assert.equal(await seen('edit'), undefined)
})

test('a ping leaves what the process keeps in memory as it is', async () => {
  const own = await world()
  const ping = (as: PersonName) => own.call('POST', `/orgs/${own.organizationId}/ping`, { as })
  // Jobs commit at any time, and an id that may be any drops everything: only what names the organization or its
  // people is of the ping.
  const ids = [own.organizationId, ...Object.values(own.people).map(({ id }) => id)]
  let cleared = 0
  own.services.changes.subscribe(changed => {
    if (ids.some(id => changed?.has(id))) cleared += 1
  })
  assert.equal((await ping('edit')).status, 200)
  assert.equal((await ping('edit')).status, 200)
  // Notifications of other processes arrive a moment later.
  await sleep(300)
  assert.equal(cleared, 0)
  await own.call('PATCH', memberOf(own, 'read'), { body: { role: 'review' } })
  assert.ok(cleared > 0, 'a role is told of')
})

test('a member is bound to an identity provider, and let go again', async () => {
  const own = await world()
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await own.call('POST', `${memberOf(own, 'read')}/sso`)
    assert.equal(status, 200)
    assert.equal(body.sso, true)
  }
  assert.equal((await eventsOf(own, 'member.sso_set')).length, 1)
  const { body } = await own.call('PATCH', memberOf(own, 'read'), { body: { sso: false } })
  assert.equal(body.sso, false)
})
