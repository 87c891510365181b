// Permissions over HTTP, at both of their places.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PersonName, world } from '../../../test/support/world.ts'
import type { GrantedRole } from '../../access/roles.ts'
import { newId } from '../../base/ids.ts'
import { createUser, issueToken } from '../accounts/actions.ts'
import { insertMember } from '../members/rows.ts'
import { beginOrganization } from '../organizations/actions.ts'
import { changePermission, deletePermission, invite } from './actions.ts'
import { INVITED_MAX } from './schema.ts'

const w = await world()
const { services, people, organizationId } = w
const other = await services.transaction(trx =>
  beginOrganization(trx, services.events, people.stranger.id, { title: 'Another' }),
)

async function newTeam(title: string, members: readonly string[] = [], organization = organizationId) {
  const id = newId()
  await services.transaction(async trx => {
    await trx.insertInto('teams').values({ id, organization_id: organization, title }).execute()
    for (const user_id of members)
      await trx
        .insertInto('team_members')
        .values({ team_id: id, organization_id: organization, user_id })
        .execute()
  })
  return id
}

async function newCollection(
  columns: { title?: string; default_level?: GrantedRole | 'inherit'; parent_id?: string } = {},
) {
  const id = newId()
  await services.transaction(trx =>
    trx
      .insertInto('collections')
      .values({ id, organization_id: organizationId, position: id, title: 'Guides', ...columns })
      .execute(),
  )
  return id
}

/** A space of which nobody but admins has anything by default. */
async function newSpace(
  columns: {
    default_level?: GrantedRole | 'inherit'
    parent_id?: string
    visibility?: 'public' | 'unlisted' | 'share-link' | 'in-collection'
  } = {},
) {
  const { id } = await w.createSpace({ title: 'Private' })
  await services.transaction(trx =>
    trx
      .updateTable('spaces')
      .set({ default_level: 'none', ...columns })
      .where('id', '=', id)
      .execute(),
  )
  return id
}

async function newMember(name: string, organization = organizationId, role: 'read' | null = 'read') {
  return services.transaction(async trx => {
    const { id } = await createUser(trx, `${newId()}@people.test`)
    await trx.updateTable('users').set({ display_name: name }).where('id', '=', id).execute()
    await insertMember(trx, { organization_id: organization, user_id: id, role })
    const { secret } = await issueToken(trx, { userId: id, label: 'test' })
    return { id, token: secret }
  })
}

const PLACES = {
  space: async () => `/spaces/${await newSpace()}`,
  collection: async () => `/collections/${await newCollection({ default_level: 'none' })}`,
}

const lastEvent = async () =>
  services.db
    .selectFrom('events')
    .select(['type', 'payload', 'space_id', 'organization_id', 'actor_id', 'address'])
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const countEvents = async () =>
  (await services.db.selectFrom('events').select('id').where('type', 'like', '%permission_changed').execute())
    .length

for (const [kind, newPlace] of Object.entries(PLACES)) {
  /** What the person may see of the resource: through a request, so through every cache. */
  const roleOf = async (path: string, as: PersonName | { token: string }) => {
    const { status, body } = await w.call('GET', `${path}/permissions/explain`, { as })
    return status === 404 ? null : body.role
  }

  test(`${kind}: a role that a user is given, changed and taken back counts with the next request`, async () => {
    const path = await newPlace()
    const entry = `${path}/permissions/users/${people.guest.id}`
    assert.equal(await roleOf(path, 'guest'), null)
    assert.equal((await w.call('PATCH', entry, { body: { role: 'edit' } })).status, 204)
    assert.equal(await roleOf(path, 'guest'), 'edit')
    assert.equal((await w.call('PATCH', entry, { body: { role: 'comment' } })).status, 204)
    assert.equal(await roleOf(path, 'guest'), 'comment')
    const { body: list } = await w.call('GET', `${path}/permissions/users`)
    assert.equal(list.count, 1)
    assert.equal(list.items[0].permission, 'comment')
    assert.equal(list.items[0].user.id, people.guest.id)
    assert.equal((await w.call('DELETE', entry)).status, 204)
    assert.equal(await roleOf(path, 'guest'), null)
    assert.equal((await w.call('DELETE', entry)).status, 204)
    assert.deepEqual((await w.call('GET', `${path}/permissions/users`)).body, { items: [], count: 0 })
  })

  test(`${kind}: a role that a team is given counts for its members`, async () => {
    const path = await newPlace()
    const team = await newTeam('Writers', [people.read.id])
    const entry = `${path}/permissions/teams/${team}`
    assert.equal((await w.call('PATCH', entry, { body: { role: 'review' } })).status, 204)
    assert.equal(await roleOf(path, 'read'), 'review')
    assert.equal(await roleOf(path, 'comment'), null)
    const { body: list } = await w.call('GET', `${path}/permissions/teams`, { as: 'read' })
    assert.deepEqual(
      list.items.map(
        (item: { permission: string; team: { id: string; members: number; permissions: object } }) => [
          item.permission,
          item.team.id,
          item.team.members,
          item.team.permissions,
        ],
      ),
      [['review', team, 1, { admin: false, view: true }]],
    )
    assert.equal((await w.call('DELETE', entry)).status, 204)
    assert.equal(await roleOf(path, 'read'), null)
    assert.equal((await w.call('DELETE', entry)).status, 204)
  })

  test(`${kind}: null keeps out whom a default level lets in, and is listed only when asked for`, async () => {
    const path = await newPlace()
    const table = kind === 'space' ? 'spaces' : 'collections'
    await services.transaction(trx =>
      trx
        .updateTable(table)
        .set({ default_level: 'edit' })
        .where('id', '=', path.split('/').at(-1) as string)
        .execute(),
    )
    assert.equal(await roleOf(path, 'create'), 'edit')
    const entry = `${path}/permissions/users/${people.create.id}`
    assert.equal((await w.call('PATCH', entry, { body: { role: null } })).status, 204)
    assert.equal(await roleOf(path, 'create'), null)
    assert.equal((await w.call('GET', `${path}/permissions/users`)).body.count, 0)
    const { body: kept } = await w.call('GET', `${path}/permissions/users?role=none`)
    assert.deepEqual(
      kept.items.map((item: { permission: null; user: { id: string } }) => [item.permission, item.user.id]),
      [[null, people.create.id]],
    )
    await w.call('DELETE', entry)
    assert.equal(await roleOf(path, 'create'), 'edit')
  })

  test(`${kind}: users and teams are given one role in one call`, async () => {
    const path = await newPlace()
    const team = await newTeam('Readers', [people.comment.id])
    const before = await countEvents()
    const body = { role: 'read', users: [people.guest.id, people.edit.id, people.guest.id], teams: [team] }
    assert.equal((await w.call('POST', `${path}/permissions`, { body })).status, 204)
    for (const name of ['guest', 'edit', 'comment'] as const) assert.equal(await roleOf(path, name), 'read')
    assert.equal(await countEvents(), before + 1)
    // no event without a change
    assert.equal((await w.call('POST', `${path}/permissions`, { body })).status, 204)
    assert.equal(await countEvents(), before + 1)
  })

  test(`${kind}: a grantee outside of the organization is refused by field, and nothing is written`, async () => {
    const path = await newPlace()
    const foreignTeam = await newTeam('Foreign', [], other.id)
    const users = [people.guest.id]
    for (const [body, message] of [
      [{ role: 'read', users: [people.guest.id, people.stranger.id] }, /^body\.users\.1: .* not a member/],
      [{ role: 'read', users: ['nobody'] }, /^body\.users\.0: nobody is not a member/],
      [{ role: 'read', users, teams: [foreignTeam] }, /^body\.teams\.0: .* not a team/],
      [{ role: 'read', users: ['\u0000'] }, /^body\.users\.0/],
      [{ role: 'read' }, /^body: send the users or teams/],
      [{ role: 'read', users: [] }, /^body\.users/],
      [{ users }, /^body\.role/],
      [{ role: null, users }, /^body\.role/],
      [{ role: 'owner', users }, /^body\.role/],
      [{ role: 'read', users: [1] }, /^body\.users/],
    ] as const) {
      const reply = await w.call('POST', `${path}/permissions`, { body })
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.match(reply.body.error.message, message)
    }
    assert.equal((await w.call('GET', `${path}/permissions/users`)).body.count, 0)
  })

  test(`${kind}: ten thousand in one call are refused, and as many as are taken are given`, async () => {
    const path = await newPlace()
    for (const field of ['users', 'teams']) {
      const all = Array.from({ length: 10_000 }, () => newId())
      const reply = await w.call('POST', `${path}/permissions`, { body: { role: 'read', [field]: all } })
      assert.equal(reply.status, 400)
      assert.match(reply.body.error.message, new RegExp(`^body\\.${field}`))
      assert.match(reply.body.error.message, new RegExp(String(INVITED_MAX)))
      const most = Array.from({ length: INVITED_MAX }, () => people.guest.id)
      const fits = await w.call('POST', `${path}/permissions`, { body: { role: 'read', users: most } })
      assert.equal(fits.status, 204)
    }
  })

  test(`${kind}: an entry of a foreigner is 404, a bad role 400`, async () => {
    const path = await newPlace()
    const foreignTeam = await newTeam('Foreign', [], other.id)
    for (const entry of [
      `users/${people.stranger.id}`,
      'users/nobody',
      `teams/${foreignTeam}`,
      'teams/nothing',
    ]) {
      const { status } = await w.call('PATCH', `${path}/permissions/${entry}`, { body: { role: 'read' } })
      assert.equal(status, 404, entry)
      assert.equal((await w.call('DELETE', `${path}/permissions/${entry}`)).status, 204, entry)
    }
    for (const entry of [`users/${people.guest.id}`, `teams/${await newTeam('Own')}`])
      for (const body of [{}, { role: 'owner' }, { role: 'none' }, { role: 1 }]) {
        const reply = await w.call('PATCH', `${path}/permissions/${entry}`, { body })
        assert.equal(reply.status, 400)
        assert.match(reply.body.error.message, /^body\.role/)
      }
  })

  test(`${kind}: members list, only admins of it change, and strangers learn nothing`, async () => {
    const path = await newPlace()
    await w.call('PATCH', `${path}/permissions/users/${people.read.id}`, { body: { role: 'create' } })
    await w.call('PATCH', `${path}/permissions/users/${people.guest.id}`, { body: { role: 'admin' } })
    for (const list of ['users', 'teams', 'aggregate', 'explain']) {
      assert.equal((await w.call('GET', `${path}/permissions/${list}`, { as: 'read' })).status, 200)
      assert.equal((await w.call('GET', `${path}/permissions/${list}`, { as: 'comment' })).status, 404)
      assert.equal((await w.call('GET', `${path}/permissions/${list}`, { as: null })).status, 401)
    }
    const entry = `${path}/permissions/users/${people.comment.id}`
    const body = { role: 'read' }
    assert.equal((await w.call('PATCH', entry, { as: 'read', body })).status, 403)
    assert.equal((await w.call('DELETE', entry, { as: 'read' })).status, 403)
    // an admin of the resource gives any role, admin included, whatever they are in the organization
    assert.equal((await w.call('PATCH', entry, { as: 'guest', body: { role: 'admin' } })).status, 204)
    assert.equal(await roleOf(path, 'comment'), 'admin')
  })

  test(`${kind}: who has access is listed whole, by name, with the role it comes to`, async () => {
    const path = await newPlace()
    const team = await newTeam('Some', [people.read.id])
    await w.call('POST', `${path}/permissions`, { body: { role: 'comment', teams: [team] } })
    await w.call('POST', `${path}/permissions`, { body: { role: 'edit', users: [people.guest.id] } })
    const expected = new Map([
      [people.admin.id, 'admin'],
      [people.read.id, 'comment'],
      [people.guest.id, 'edit'],
    ])
    const seen = new Map<string, string>()
    let page = ''
    let pages = 0
    do {
      const { body } = await w.call('GET', `${path}/permissions/aggregate?limit=2${page}`)
      assert.equal(body.count, 3)
      for (const { permission, user } of body.items) seen.set(user.id, permission)
      page = body.next === undefined ? '' : `&page=${body.next.page}`
      pages += 1
    } while (page !== '')
    assert.equal(pages, 2)
    assert.deepEqual(seen, expected)
    const { body: editors } = await w.call('GET', `${path}/permissions/aggregate?role=edit`)
    assert.deepEqual([editors.count, editors.items[0].user.id], [1, people.guest.id])
    assert.equal((await w.call('GET', `${path}/permissions/aggregate?role=none`)).status, 400)
    assert.equal((await w.call('GET', `${path}/permissions/aggregate?page=x`)).status, 400)
  })

  test(`${kind}: changes tell who, what it was and what it is`, async () => {
    const path = await newPlace()
    const entry = `${path}/permissions/users/${people.guest.id}`
    const user = people.guest.id
    await w.call('PATCH', entry, { body: { role: 'edit' } })
    await w.call('PATCH', entry, { body: { role: null } })
    const told = await lastEvent()
    assert.equal(told.type, `${kind}.permission_changed`)
    assert.deepEqual((told.payload as { changes: unknown }).changes, [
      { user, before: 'edit', after: 'none' },
    ])
    assert.equal(told.organization_id, organizationId)
    assert.equal(told.actor_id, people.admin.id)
    assert.equal(told.address, '127.0.0.1')
    if (kind === 'space') assert.equal(told.space_id, path.split('/').at(-1))
    await w.call('DELETE', entry)
    assert.deepEqual(((await lastEvent()).payload as { changes: unknown }).changes, [
      { user, before: 'none', after: null },
    ])
  })

  test(`${kind}: many who give one role at once leave one entry`, async () => {
    const path = await newPlace()
    const entry = `${path}/permissions/users/${people.guest.id}`
    const before = await countEvents()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => w.call('PATCH', entry, { body: { role: 'edit' } })),
    )
    for (const { status } of replies) assert.equal(status, 204)
    assert.equal((await w.call('GET', `${path}/permissions/users`)).body.count, 1)
    assert.equal(await countEvents(), before + 1)
  })

  test(`${kind}: a resource that ended meanwhile is 404`, async () => {
    const path = await newPlace()
    const id = path.split('/').at(-1) as string
    await services.transaction(async trx => {
      if (kind === 'space')
        await trx.updateTable('spaces').set({ deleted_at: new Date() }).where('id', '=', id).execute()
      else await trx.deleteFrom('collections').where('id', '=', id).execute()
    })
    const body = { role: 'read' }
    const entry = `${path}/permissions/users/${people.guest.id}`
    assert.equal((await w.call('PATCH', entry, { body })).status, 404)
    assert.equal((await w.call('GET', `${path}/permissions/aggregate`)).status, 404)
  })

  test(`${kind}: a token for reading permissions does not write them`, async () => {
    const path = await newPlace()
    const { body: token } = await w.call('POST', '/user/tokens', {
      body: { label: 'reads', scopes: ['space:permissions:read'] },
    })
    assert.equal((await w.call('GET', `${path}/permissions/users`, { as: token })).status, 200)
    const entry = `${path}/permissions/users/${people.guest.id}`
    assert.equal((await w.call('PATCH', entry, { as: token, body: { role: 'read' } })).status, 403)
  })
}

test('a guest who administers a space grants roles to teams that they may see: their own, and those with a role there', async () => {
  const { id: space } = await w.createSpace()
  const path = `/spaces/${space}/permissions`
  await w.call('PATCH', `${path}/users/${people.guest.id}`, { body: { role: 'admin' } })
  const [own, granted, hidden] = [
    await newTeam('Own', [people.guest.id]),
    await newTeam('Granted'),
    await newTeam('Hidden'),
  ]
  await w.call('PATCH', `${path}/teams/${granted}`, { body: { role: 'read' } })
  const asGuest = async (team: string) => [
    (await w.call('PATCH', `${path}/teams/${team}`, { as: 'guest', body: { role: 'edit' } })).status,
    (await w.call('POST', path, { as: 'guest', body: { role: 'edit', teams: [team] } })).status,
  ]
  for (const team of [own, granted]) assert.deepEqual(await asGuest(team), [204, 204])
  for (const team of [hidden, newId()]) assert.deepEqual(await asGuest(team), [404, 400])
  const { body } = await w.call('GET', `${path}/teams`)
  assert.deepEqual(
    body.items.map(({ team }: { team: { title: string } }) => team.title),
    ['Granted', 'Own'],
  )
})

test('a space or collection that ended, or left, between admission and writing is 404 and gets no entry', async () => {
  const principal = await w.principalOf('admin')
  const space = await newSpace()
  const collection = await newCollection()
  const grantee = { kind: 'user', id: people.guest.id } as const
  for (const [resource, organization] of [
    [{ kind: 'space', id: space }, other.id],
    [{ kind: 'collection', id: collection }, other.id],
    [{ kind: 'space', id: 'gone' }, organizationId],
    [{ kind: 'collection', id: 'gone' }, organizationId],
  ] as const) {
    const at = { resource, organizationId: organization, visibility: null, role: 'admin' } as const
    for (const write of [
      () => changePermission({ ...services, principal }, at, grantee, 'read'),
      () => deletePermission({ ...services, principal }, at, grantee),
      () => invite({ ...services, principal }, at, { role: 'read', users: [grantee.id] }),
    ])
      await assert.rejects(write, { kind: 'missing', code: `${resource.kind}_missing` })
  }
})

const explain = async (path: string, user: string, as: PersonName = 'admin') =>
  w.call('GET', `${path}/permissions/explain?user=${user}`, { as })

test('why: a team on the collection above goes before the role in the organization', async () => {
  const parent = await newCollection({ title: 'Handbook' })
  const id = await newSpace({ default_level: 'inherit', parent_id: parent })
  const weak = await newTeam('Weak', [people.read.id])
  const strong = await newTeam('Strong', [people.read.id])
  await w.call('PATCH', `/collections/${parent}/permissions/teams/${weak}`, { body: { role: null } })
  await w.call('PATCH', `/collections/${parent}/permissions/teams/${strong}`, { body: { role: 'edit' } })
  const { body } = await explain(`/spaces/${id}`, people.read.id)
  assert.equal(body.role, 'edit')
  assert.equal(body.because, 'team')
  assert.deepEqual(body.decidedAt, { object: 'collection', id: parent })
  assert.deepEqual(body.teams, [strong])
  assert.equal(body.organizationRole, 'read')
  assert.equal(body.visitor, false)
  assert.match(
    body.text,
    /has the role edit: it was given to their team “Strong” on the collection “Handbook”\.$/,
  )
  assert.equal(body.way.length, 2)
  assert.deepEqual(body.way[0], { object: 'space', id, title: 'Private', defaultLevel: 'inherit', teams: [] })
  assert.deepEqual(
    new Map(body.way[1].teams.map((team: { id: string; role: string | null }) => [team.id, team.role])),
    new Map([
      [weak, null],
      [strong, 'edit'],
    ]),
  )
})

test('why: each of the other reasons', async () => {
  const id = await newSpace({ default_level: 'comment' })
  const path = `/spaces/${id}`
  const because = async (user: string) => {
    const { status, body } = await explain(path, user)
    assert.equal(status, 200)
    return [body.role, body.because]
  }
  assert.deepEqual(await because(people.admin.id), ['admin', 'organization-admin'])
  assert.deepEqual(await because(people.create.id), ['comment', 'default-level'])
  assert.deepEqual(await because(people.guest.id), [null, 'default-level'])
  await w.call('PATCH', `${path}/permissions/users/${people.guest.id}`, { body: { role: null } })
  assert.deepEqual(await because(people.guest.id), [null, 'user'])
  assert.deepEqual(await because(people.stranger.id), [null, 'stranger'])
  assert.deepEqual(await because('nobody'), [null, 'stranger'])
  const open = await newSpace({ default_level: 'inherit', visibility: 'public' })
  const { body } = await explain(`/spaces/${open}`, people.review.id)
  assert.deepEqual([body.role, body.because, body.visitor], ['review', 'organization-role', true])
  assert.equal(body.decidedAt, undefined)
  const gone = await newMember('Disabled')
  await services.transaction(trx =>
    trx.updateTable('members').set({ disabled: true }).where('user_id', '=', gone.id).execute(),
  )
  assert.deepEqual(await because(gone.id), [null, 'disabled'])
  assert.equal((await explain(path, '')).status, 400)
  assert.equal((await explain(path, 'x'.repeat(200))).status, 400)
})

test('why: whether a person could visit without a role follows the visibility, and for in-collection the role on the collection', async () => {
  const parent_id = await newCollection({ default_level: 'none' })
  const visits = async (columns: Parameters<typeof newSpace>[0]) =>
    (await explain(`/spaces/${await newSpace(columns)}`, people.read.id)).body.visitor
  assert.equal(await visits({ visibility: 'unlisted' }), true)
  assert.equal(await visits({ visibility: 'share-link' }), false)
  assert.equal(await visits({ visibility: 'in-collection', parent_id }), false)
  await w.call('PATCH', `/collections/${parent_id}/permissions/users/${people.read.id}`, {
    body: { role: 'read' },
  })
  assert.equal(await visits({ visibility: 'in-collection', parent_id }), true)
  const own = await newSpace({ visibility: 'in-collection' })
  await w.call('PATCH', `/spaces/${own}/permissions/users/${people.read.id}`, { body: { role: 'read' } })
  assert.equal(
    (await explain(`/spaces/${own}`, people.read.id)).body.visitor,
    false,
    'it is in no collection',
  )
})

test('why: the team on a collection that the caller may not see is not named', async () => {
  const hidden = await newCollection({ title: 'Hidden plans', default_level: 'none' })
  const id = await newSpace({ default_level: 'inherit', parent_id: hidden })
  const team = await newTeam('Secret circle', [people.read.id])
  await w.call('PATCH', `/collections/${hidden}/permissions/teams/${team}`, { body: { role: 'edit' } })
  await w.call('PATCH', `/spaces/${id}/permissions/users/${people.edit.id}`, { body: { role: 'admin' } })
  const { body } = await explain(`/spaces/${id}`, people.read.id, 'edit')
  assert.match(body.text, /has the role edit: it was given to a team of theirs on a collection\.$/)
  const seen = await explain(`/spaces/${id}`, people.read.id)
  assert.match(seen.body.text, /their team “Secret circle” on the collection “Hidden plans”\.$/)
})

test('why: a guest whom the default level gives nothing is told so', async () => {
  const { body } = await explain(`/spaces/${await newSpace({ default_level: 'comment' })}`, people.guest.id)
  assert.match(
    body.text,
    /guests have what they were given, and the default level of the space “Private” gives them nothing\.$/,
  )
  const closed = await explain(`/spaces/${await newSpace()}`, people.read.id)
  assert.match(closed.body.text, /has no access: it is the default level of the space “Private”\.$/)
})

test('why: oneself for everybody, others for admins of the resource', async () => {
  const path = `/spaces/${await newSpace({ default_level: 'inherit' })}`
  assert.equal((await explain(path, people.create.id, 'create')).status, 200)
  const { status, body } = await explain(path, people.read.id, 'create')
  assert.equal(status, 403)
  assert.match(body.error.message, /^query\.user: .*admin/)
})

test('why: a collection above that the caller may not see is listed by id alone', async () => {
  const hidden = await newCollection({ title: 'Hidden plans', default_level: 'none' })
  const id = await newSpace({ default_level: 'inherit', parent_id: hidden })
  await w.call('PATCH', `/spaces/${id}/permissions/users/${people.edit.id}`, { body: { role: 'admin' } })
  for (const user of [people.edit.id, people.read.id]) {
    const { body, text } = await explain(`/spaces/${id}`, user, 'edit')
    assert.deepEqual(body.way[1], { object: 'collection', id: hidden })
    assert.doesNotMatch(text, /Hidden/)
  }
  const { text } = await explain(`/spaces/${id}`, people.read.id)
  assert.match(text, /Hidden plans/)
})

test('spaces of a member: with their role, only those that the caller may see', async () => {
  const member = await newMember('Grace')
  const shared = await newSpace()
  const hers = await newSpace()
  for (const id of [shared, hers])
    await w.call('PATCH', `/spaces/${id}/permissions/users/${member.id}`, { body: { role: 'review' } })
  await w.call('PATCH', `/spaces/${shared}/permissions/users/${people.read.id}`, { body: { role: 'read' } })
  const list = (as: PersonName | { token: string }, query = '') =>
    w.call('GET', `/orgs/${organizationId}/members/${member.id}/spaces${query}`, { as })
  const roles = async (as: PersonName | { token: string }) => {
    const { body } = await list(as)
    const known = new Set([shared, hers])
    const items: { permission: string; space: { id: string } }[] = body.items
    return new Map(
      items.filter(({ space }) => known.has(space.id)).map(item => [item.space.id, item.permission]),
    )
  }
  const both = new Map([
    [hers, 'review'],
    [shared, 'review'],
  ])
  assert.deepEqual(await roles('admin'), both)
  assert.deepEqual(await roles(member), both)
  assert.deepEqual(await roles('read'), new Map([[shared, 'review']]))
  assert.equal((await list('guest')).status, 404)
  assert.equal((await list('stranger')).status, 404)
  const nobody = await w.call('GET', `/orgs/${organizationId}/members/${people.stranger.id}/spaces`)
  assert.equal(nobody.status, 404)
  const down = (await list('admin')).body.items.map((item: { space: { id: string } }) => item.space.id)
  const up = (await list('admin', '?order=asc')).body.items.map(
    (item: { space: { id: string } }) => item.space.id,
  )
  assert.deepEqual(up, down.toReversed())
  const first = await list('admin', '?limit=1')
  assert.equal(first.body.count, down.length)
  const second = await list('admin', `?limit=1&page=${first.body.next.page}`)
  assert.equal(second.body.items[0].space.id, down[1])
  assert.equal((await list('admin', `?limit=1&order=asc&page=${first.body.next.page}`)).status, 400)
  assert.equal((await list('admin', '?order=up')).status, 400)
})

test('spaces of a guest are those they were granted; a disabled member has none', async () => {
  const guest = await newMember('Guest', organizationId, null)
  const id = await newSpace({ visibility: 'public' })
  const list = async () => (await w.call('GET', `/orgs/${organizationId}/members/${guest.id}/spaces`)).body
  assert.deepEqual(await list(), { items: [], count: 0 })
  await w.call('PATCH', `/spaces/${id}/permissions/users/${guest.id}`, { body: { role: 'edit' } })
  assert.equal((await list()).items[0].permission, 'edit')
  await services.transaction(trx =>
    trx.updateTable('members').set({ disabled: true }).where('user_id', '=', guest.id).execute(),
  )
  assert.deepEqual(await list(), { items: [], count: 0 })
})

test('grants of a deleted collection go to the contents that inherit from it, and not to those with a level of their own', async () => {
  const parent_id = await newCollection({ default_level: 'none' })
  const inheriting = await newSpace({ default_level: 'inherit', parent_id })
  const closed = await newSpace({ default_level: 'none', parent_id })
  const collections = {
    inheriting: await newCollection({ default_level: 'inherit', parent_id }),
    closed: await newCollection({ default_level: 'none', parent_id }),
  }
  const person = await newMember('Keeps')
  const entry = `/collections/${parent_id}/permissions/users/${person.id}`
  assert.equal((await w.call('PATCH', entry, { body: { role: 'edit' } })).status, 204)
  assert.equal((await w.call('DELETE', `/collections/${parent_id}`)).status, 204)
  const statusOf = async (path: string) => (await w.call('GET', path, { as: { token: person.token } })).status
  assert.equal(await statusOf(`/spaces/${inheriting}`), 200)
  assert.equal(await statusOf(`/spaces/${closed}`), 404)
  assert.equal(await statusOf(`/collections/${collections.inheriting}`), 200)
  assert.equal(await statusOf(`/collections/${collections.closed}`), 404)
  const granted = await services.db
    .selectFrom('grants')
    .select(['space_id', 'collection_id'])
    .where('user_id', '=', person.id)
    .execute()
  assert.deepEqual(
    granted.map(row => row.space_id ?? row.collection_id).sort(),
    [inheriting, collections.inheriting].sort(),
  )
})
