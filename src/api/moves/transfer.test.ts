import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standingIn } from '../../../test/support/collections.ts'
import { type PersonName, type World, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { DEPTH_MAX } from '../collections/tree.ts'
import { insertMember } from '../members/rows.ts'

const w = await world()
const there = await world()
const org = `/orgs/${w.organizationId}`

/** People of this world in the other organization. */
const join = (person: PersonName, role: 'admin' | 'create' | 'read' | 'review' | null) =>
  there.services.transaction(trx =>
    insertMember(trx, { organization_id: there.organizationId, user_id: w.people[person].id, role }),
  )
await join('admin', 'admin')
await join('create', 'read')

const collection = (title: string, parent?: string, own: World = w) =>
  standingIn(own).collection(title, parent)
const { space } = standingIn(w)
const transfer = (
  path: string,
  body: object = { organization: there.organizationId },
  as: PersonName = 'admin',
) => w.call('POST', `${path}/transfer`, { body, as })
const give = async (thing: string, as: PersonName, role: string | null) =>
  assert.equal(
    (await w.call('PATCH', `${thing}/permissions/users/${w.people[as].id}`, { body: { role } })).status,
    204,
  )
const countGrants = async (id: string): Promise<number> =>
  (
    await w.services.db
      .selectFrom('grants')
      .select('id')
      .where(({ or, eb }) => or([eb('space_id', '=', id), eb('collection_id', '=', id)]))
      .execute()
  ).length

test('a space goes over with its content, history and change requests; roles and invitations stay behind', async () => {
  const parent = await collection('Old home')
  const id = await space('Wanders', parent)
  const page = { operation: 'insert_page', title: 'Home', document: { markdown: 'Words.\n' } }
  assert.equal((await w.call('POST', `/spaces/${id}/content`, { body: { changes: [page] } })).status, 200)
  const { body: changeRequest } = await w.call('POST', `/spaces/${id}/change-requests`)
  await w.call('POST', `/spaces/${id}/comments`, { body: { body: { markdown: 'Why?' } } })
  await give(`/spaces/${id}`, 'read', 'edit')
  const invite = await w.call('POST', `${org}/link-invites`, { body: { level: 'read', space: id } })
  assert.equal(invite.status, 201, invite.text)
  const { body: content } = await w.call('POST', `/spaces/${id}/content-tokens`)
  const reads = () => w.call('GET', `/spaces/${id}`, { as: { token: content.token } })
  assert.equal((await reads()).status, 200)
  const integration = {
    name: newId().toLowerCase(),
    organization_id: w.organizationId,
    title: '',
    description: '',
  }
  const installation = newId()
  await w.services.db
    .insertInto('integrations')
    .values({ ...integration, scopes: [], manifest: '{}' })
    .execute()
  await w.services.db
    .insertInto('installations')
    .values({
      id: installation,
      integration: integration.name,
      organization_id: w.organizationId,
      scopes: [],
    })
    .execute()
  await w.services.db
    .insertInto('installation_spaces')
    .values({ installation_id: installation, space_id: id })
    .execute()
  const { status, body } = await transfer(`/spaces/${id}`)
  assert.equal(status, 200)
  assert.equal(body.organization, there.organizationId)
  assert.equal((await reads()).status, 401)
  const chosen = await w.services.db.selectFrom('installation_spaces').select('space_id').execute()
  assert.ok(!chosen.some(({ space_id }) => space_id === id))
  assert.equal(body.parent, undefined)
  assert.equal(body.permissions.admin, true)
  assert.equal((await w.call('GET', `/spaces/${id}/revisions`)).body.count, 2)
  assert.equal((await w.call('GET', `/spaces/${id}/comments`)).body.count, 1)
  assert.equal((await w.call('GET', `/spaces/${id}/change-requests/${changeRequest.id}`)).status, 200)
  assert.equal(
    (await w.call('GET', `/spaces/${id}`, { as: 'read' })).status,
    404,
    'they are not of the target',
  )
  assert.equal((await there.call('GET', `/spaces/${id}`, { as: 'read' })).status, 200)
  assert.equal(await countGrants(id), 0)
  const invites = await w.services.db
    .selectFrom('link_invites')
    .select('id')
    .where('space_id', '=', id)
    .execute()
  assert.deepEqual(invites, [])
  const { body: list } = await there.call('GET', `/orgs/${there.organizationId}/spaces`)
  assert.equal(list.items.at(-1).id, id)
})

test('a target that is not there, or not the caller’s, is 404; a role too weak there is 403', async () => {
  const id = await space('Stays')
  const foreign = await world()
  for (const organization of [newId(), foreign.organizationId]) {
    assert.equal((await transfer(`/spaces/${id}`, { organization })).status, 404)
    assert.equal((await transfer(`/collections/${await collection('c')}`, { organization })).status, 404)
  }
  await give(`/spaces/${id}`, 'create', 'admin')
  const weak = await transfer(`/spaces/${id}`, undefined, 'create')
  assert.equal(weak.status, 403)
  assert.match(weak.body.error.message, /^body\.organization: .*role create/)
  assert.equal((await transfer(`/spaces/${id}`, undefined, 'review')).status, 403, 'no admin of the source')
  for (const [body, field] of [
    [{}, /organization/],
    [{ organization: 7 }, /^body\.organization/],
    [{ organization: '' }, /^body\.organization/],
    [{ organization: there.organizationId, collection: newId() }, /^body\.collection: there is no such/],
    [{ organization: there.organizationId, collection: await collection('here') }, /^body\.collection/],
    [{ organization: there.organizationId, collection: 7 }, /^body\.collection/],
  ] as const) {
    const reply = await transfer(`/spaces/${id}`, body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.match(reply.body.error.message, field)
  }
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.organization, w.organizationId)
})

test('the role create in a collection of the target is enough to transfer to it', async () => {
  const target = await collection('New home', undefined, there)
  const id = await space('Placed')
  await give(`/spaces/${id}`, 'create', 'admin')
  const body = { organization: there.organizationId, collection: target }
  assert.equal((await transfer(`/spaces/${id}`, body, 'create')).status, 403)
  const given = `/collections/${target}/permissions/users/${w.people.create.id}`
  assert.equal((await there.call('PATCH', given, { body: { role: 'create' } })).status, 204)
  const { status, body: moved } = await transfer(`/spaces/${id}`, body, 'create')
  assert.equal(status, 200)
  assert.deepEqual([moved.organization, moved.parent], [there.organizationId, target])
  assert.deepEqual([moved.permissions.edit, moved.permissions.admin], [true, false])
})

test('to where it is already, it is answered unchanged; to another collection there, it moves', async () => {
  const [one, two] = [await collection('one'), await collection('two')]
  const id = await space('Here', one)
  const { body: before } = await w.call('GET', `/spaces/${id}`)
  for (const body of [{}, { collection: one }]) {
    const reply = await transfer(`/spaces/${id}`, { organization: w.organizationId, ...body })
    assert.deepEqual([reply.status, reply.body], [200, before])
  }
  assert.equal(
    (await transfer(`/spaces/${id}`, { organization: w.organizationId, collection: two })).body.parent,
    two,
  )
  const inner = await collection('inner', one)
  const into = (collection: string) =>
    transfer(`/collections/${one}`, { organization: w.organizationId, collection })
  assert.equal((await into(inner)).status, 409)
  assert.equal((await into(two)).body.parent, two)
  assert.equal((await transfer(`/collections/${one}`, { organization: w.organizationId })).body.parent, two)
})

test('merge rules that name somebody outside of the target prevent a transfer', async () => {
  const parent = await collection('Ruled')
  const id = await space('Ruled', parent)
  const rule = { rule: 'require_specific_reviewers', users: [w.people.admin.id, w.people.review.id] }
  const mergeRules = { type: 'rules', rules: [{ rule: 'require_all_reviews_approved' }, rule] }
  assert.equal((await w.call('PATCH', `/spaces/${id}`, { body: { mergeRules } })).status, 200)
  for (const path of [`/spaces/${id}`, `/collections/${parent}`]) {
    const reply = await transfer(path)
    assert.equal(reply.status, 412)
    assert.match(reply.body.error.message, new RegExp(w.people.review.id))
  }
  await join('review', 'review')
  assert.equal((await transfer(`/collections/${parent}`)).status, 200)
})

test('review requests to people outside the target organization and to teams are withdrawn', async () => {
  const id = await space('Reviewed')
  const { body: changeRequest } = await w.call('POST', `/spaces/${id}/change-requests`)
  const c = `/spaces/${id}/change-requests/${changeRequest.id}`
  await join('review', 'review')
  const users = [w.people.review.id, w.people.create.id, w.people.admin.id]
  await there.services.db
    .deleteFrom('members')
    .where('user_id', '=', w.people.create.id)
    .where('organization_id', '=', there.organizationId)
    .execute()
  there.services.changes.touch()
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Editors', members: [w.people.review.id] },
  })
  const asked = await w.call('POST', `${c}/requested-reviewers`, { body: { users, teams: [team.id] } })
  assert.equal(asked.status, 200)
  assert.equal((await transfer(`/spaces/${id}`)).status, 200)
  const { body } = await w.call('GET', `${c}/requested-reviewers`)
  assert.deepEqual(
    body.items.map((one: { user: { id: string } }) => one.user.id).sort(),
    [w.people.review.id, w.people.admin.id].sort(),
  )
})

for (const direction of ['import', 'export'])
  test(`while an ${direction} runs, the space stays`, async () => {
    const id = await space('Busy')
    const operation = { id: newId(), space_id: id, direction, state: 'running', stage: 'fetch' }
    await w.services.db
      .insertInto('git_operations')
      .values({ ...operation, url: 'https://git.test/a', ref: 'main' } as never)
      .execute()
    const refused = await transfer(`/spaces/${id}`)
    assert.equal(refused.status, 409)
    assert.match(refused.body.error.message, new RegExp(`\\b${direction}\\b`))
    await w.services.db.deleteFrom('git_operations').where('id', '=', operation.id).execute()
    assert.equal((await transfer(`/spaces/${id}`)).status, 200)
  })

test('a collection is transferred with its contents, deleted ones too, in their order', async () => {
  const top = await collection('Top')
  const inner = await collection('Inner', top)
  const [a, b] = [await space('a', inner), await space('b', inner)]
  const { id: open } = await w.createSpace({ title: 'Open', parent: top, visibility: 'in-collection' })
  const gone = await space('gone', inner)
  await w.call('DELETE', `/spaces/${gone}`)
  await w.call('POST', `/spaces/${b}/move`, { body: { position: { before: { type: 'space', space: a } } } })
  await give(`/collections/${top}`, 'guest', 'read')
  await give(`/spaces/${a}`, 'guest', 'edit')
  const target = await collection('Target', undefined, there)
  const { status, body } = await transfer(`/collections/${top}`, {
    organization: there.organizationId,
    collection: target,
  })
  assert.equal(status, 200)
  assert.deepEqual([body.organization, body.parent], [there.organizationId, target])
  for (const id of [top, a]) assert.equal(await countGrants(id), 0)
  const listed = await there.call('GET', `/collections/${inner}/spaces`)
  assert.deepEqual(
    listed.body.items.map((one: { title: string }) => one.title),
    ['b', 'a'],
  )
  assert.equal((await w.call('GET', `/collections/${inner}`)).body.parent, top)
  assert.equal((await w.call('GET', `/spaces/${a}`, { as: 'guest' })).status, 404)
  assert.equal((await w.call('GET', `/spaces/${open}`)).body.visibility, 'private')
  const restored = await w.call('POST', `/spaces/${gone}/restore`)
  assert.deepEqual([restored.status, restored.body.organization], [200, there.organizationId])
})

test('nobody can transfer with a collection what they are not admin of', async () => {
  const top = await collection('Shared')
  const secret = await space('Secret', top)
  await w.call('PATCH', `/spaces/${secret}`, { body: { defaultLevel: null } })
  await give(`/collections/${top}`, 'edit', 'admin')
  await join('edit', 'admin')
  assert.equal((await w.call('GET', `/spaces/${secret}`, { as: 'edit' })).status, 404)
  const refused = await transfer(`/collections/${top}`, undefined, 'edit')
  assert.equal(refused.status, 412)
  assert.doesNotMatch(refused.text, new RegExp(secret))
  await w.call('DELETE', `/spaces/${secret}`)
  assert.equal((await transfer(`/collections/${top}`, undefined, 'edit')).status, 412, 'also of deleted ones')
  const inner = await collection('Kept', await collection('Whole'))
  await w.call('PATCH', `/collections/${inner}`, { body: { defaultLevel: 'admin' } })
  await give(`/collections/${inner}`, 'edit', 'admin')
  const locked = await collection('Locked', inner)
  await w.call('PATCH', `/collections/${locked}`, { body: { defaultLevel: 'read' } })
  assert.equal(
    (await transfer(`/collections/${inner}`, undefined, 'edit')).status,
    412,
    'also of collections',
  )
  await give(`/collections/${locked}`, 'edit', 'admin')
  assert.equal(
    (await transfer(`/collections/${inner}`, undefined, 'edit')).status,
    200,
    'all of it is theirs',
  )
  assert.equal((await transfer(`/collections/${top}`)).status, 200, 'an admin of the organization may')
})

test('a target that would be too deep refuses a collection', async () => {
  let parent: string | undefined
  for (let depth = 1; depth <= DEPTH_MAX; depth += 1) parent = await collection(`${depth}`, parent, there)
  const body = { organization: there.organizationId, collection: parent }
  assert.equal((await transfer(`/collections/${await collection('Flat')}`, body)).status, 412)
  assert.equal((await transfer(`/spaces/${await space('Flat')}`, body)).status, 200)
})

test('each organization has the events of what left and of what came', async () => {
  const id = await space('Told')
  await transfer(`/spaces/${id}`)
  const rows = await w.services.db
    .selectFrom('events')
    .select(['type', 'organization_id'])
    .where('space_id', '=', id)
    .where('type', 'in', ['space.leaving', 'space.transferred'])
    .execute()
  assert.deepEqual(
    new Map(rows.map(({ type, organization_id }) => [type, organization_id])),
    new Map([
      ['space.leaving', w.organizationId],
      ['space.transferred', there.organizationId],
    ]),
  )
})

test('transfers there and back, moves and new spaces at once leave every space in one tree', async () => {
  const top = await collection('Contested')
  const id = await space('Contested', top)
  const replies = await Promise.all([
    transfer(`/collections/${top}`),
    transfer(`/spaces/${id}`),
    w.call('POST', `/spaces/${id}/move`, { body: { parent: null } }),
    w.call('POST', `${org}/spaces`, { body: { parent: top } }),
    w.call('DELETE', `/collections/${top}`),
  ])
  for (const { status, text } of replies) assert.ok(status < 500, text)
  const rows = await w.services.db
    .selectFrom('spaces')
    .leftJoin('collections', 'collections.id', 'spaces.parent_id')
    .select(['spaces.organization_id as own', 'collections.organization_id as parent', 'spaces.parent_id'])
    .execute()
  for (const { own, parent, parent_id } of rows) assert.ok(parent_id === null || own === parent)
})
