import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { createPrincipals } from '../../access/principals.ts'
import { newId } from '../../base/ids.ts'
import { purgeExpiredTokens } from './jobs.ts'
import { insertToken } from './rows.ts'

const w = await world()

test('GET / says which version answers, without a token', async () => {
  const { status, body } = await w.call('GET', '/', { as: null })
  assert.equal(status, 200)
  assert.match(body.version, /^\d+\.\d+\.\d+/)
})

test('GET /user is the owner of the token', async () => {
  const { body } = await w.call('GET', '/user', { as: 'edit' })
  assert.equal(body.id, w.people.edit.id)
  assert.equal(body.object, 'user')
  assert.equal(body.urls.location, `http://octavo.test/v1/users/${body.id}`)
})

test('colleagues see a profile, strangers do not, and only its owner can change it', async () => {
  const path = `/users/${w.people.read.id}`
  assert.equal((await w.call('GET', path, { as: 'edit' })).body.email, w.people.read.email)
  assert.equal((await w.call('GET', path, { as: 'stranger' })).status, 404)
  assert.equal((await w.call('PATCH', path, { as: 'admin', body: { displayName: 'Not me' } })).status, 403)
  const changed = await w.call('PATCH', path, {
    as: 'read',
    body: { displayName: 'Rea Der', photoURL: 'https://pictures.test/1.png' },
  })
  assert.equal(changed.body.displayName, 'Rea Der')
  assert.equal((await w.call('GET', '/user', { as: 'read' })).body.photoURL, 'https://pictures.test/1.png')
})

test('a profile refuses invalid names and addresses', async () => {
  const path = `/users/${w.people.read.id}`
  for (const body of [
    { displayName: '' },
    { displayName: 'x'.repeat(65) },
    { photoURL: 'no address' },
    { displayName: 'a\u0000b' },
  ]) {
    const { status, body: answer } = await w.call('PATCH', path, { as: 'read', body })
    assert.equal(status, 400, JSON.stringify(body))
    assert.ok(answer.error.message.length > 10)
  }
})

test('a token is shown once, works, and is refused after it was revoked', async () => {
  const made = await w.call('POST', '/user/tokens', { as: 'comment', body: { label: 'ci' } })
  assert.equal(made.status, 201)
  assert.equal(made.headers.location, `http://octavo.test/v1/user/tokens/${made.body.id}`)
  const { token, id } = made.body
  assert.equal((await w.call('GET', '/user', { as: { token } })).body.id, w.people.comment.id)
  const list = await w.call('GET', '/user/tokens', { as: 'comment' })
  assert.equal(list.body.items[0].id, id)
  assert.ok(!list.text.includes(token), 'the secret is not listed')
  assert.equal((await w.call('DELETE', `/user/tokens/${id}`, { as: 'comment' })).status, 204)
  assert.equal((await w.call('GET', '/user', { as: { token } })).status, 401)
  assert.equal((await w.call('DELETE', `/user/tokens/${id}`, { as: 'comment' })).status, 204)
})

test('nobody revokes the token of somebody else', async () => {
  const { body } = await w.call('POST', '/user/tokens', { as: 'comment', body: { label: 'mine' } })
  assert.equal((await w.call('DELETE', `/user/tokens/${body.id}`, { as: 'admin' })).status, 204)
  assert.equal((await w.call('GET', '/user', { as: { token: body.token } })).status, 200)
})

test('a narrowed token does what its scopes say and cannot make itself wider', async () => {
  const { body } = await w.call('POST', '/user/tokens', {
    body: { label: 'reader', scopes: ['space:read', 'space:read'] },
  })
  assert.deepEqual(body.scopes, ['space:read'])
  const as = { token: body.token }
  assert.equal((await w.call('GET', `/orgs/${w.organizationId}/spaces`, { as })).status, 200)
  const refused = await w.call('POST', `/orgs/${w.organizationId}/spaces`, { as, body: {} })
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /space:write/)
  assert.equal((await w.call('POST', '/user/tokens', { as, body: { label: 'wider' } })).status, 403)
})

test('a token expires on time, although nothing is written at that moment', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { body } = await w.call('POST', '/user/tokens', { body: { label: 'short', expiresAt } })
  assert.equal(body.expiresAt, expiresAt.toISOString())
  let time = new Date(expiresAt.getTime() - 1)
  const principals = createPrincipals(w.services.db, w.services.changes, () => time)
  assert.equal((await principals.find(body.token))?.kind, 'user')
  time = expiresAt
  assert.equal(await principals.find(body.token), undefined)
})

test('an expired token gives no access', async () => {
  const { body } = await w.call('POST', '/user/tokens', { body: { label: 'short' } })
  assert.equal((await w.call('GET', '/user', { as: body })).status, 200)
  await w.services.transaction(trx =>
    trx.updateTable('tokens').set({ expires_at: new Date() }).where('id', '=', body.id).execute(),
  )
  assert.equal((await w.call('GET', '/user', { as: body })).status, 401)
})

test('tokens with unknown scopes, past or impossible dates are refused by name', async () => {
  const cases = [
    [{ label: 'x', scopes: ['root'] }, /body\.scopes\.0/],
    [{ label: 'x', scopes: [] }, /body\.scopes/],
    [{ label: 'x', scopes: Array(100).fill('space:read') }, /body\.scopes/],
    [{ label: 'x', may: 'everything' }, /body\.may/],
    [{ label: 'x', may: 'read', scopes: ['space:write'] }, /body\.may: it is a set of scopes/],
    [{ label: 'x', organization: 'unknown' }, /body\.organization/],
    [{ label: 'x'.repeat(51) }, /body\.label/],
    [{ label: 'x', expiresAt: '2001-01-01T00:00:00Z' }, /expiresAt/],
    [{ label: 'x', expiresAt: 'tomorrow' }, /expiresAt/],
    [{ label: '' }, /body\.label/],
    [{}, /body\.label/],
  ] as const
  for (const [body, message] of cases) {
    const answer = await w.call('POST', '/user/tokens', { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
})

test('invalid credentials are answered 401, with what to send instead', async () => {
  for (const authorization of [
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer unknown',
    `Bearer ${'x'.repeat(600)}`,
    'Bearer a b',
  ]) {
    const { status, body } = await w.call('GET', '/user', { as: null, headers: { authorization } })
    assert.equal(status, 401, authorization)
    assert.ok(body.error.message.length > 10)
  }
})

test('the list of tokens is paged newest first', async () => {
  for (let index = 0; index < 3; index++)
    await w.call('POST', '/user/tokens', { as: 'create', body: { label: `t${index}` } })
  const first = await w.call('GET', '/user/tokens?limit=2', { as: 'create' })
  assert.equal(first.body.count, 4)
  assert.deepEqual(
    first.body.items.map((item: { label: string }) => item.label),
    ['t2', 't1'],
  )
  const second = await w.call('GET', `/user/tokens?limit=2&page=${first.body.next.page}`, { as: 'create' })
  assert.deepEqual(
    second.body.items.map((item: { label: string }) => item.label),
    ['t0', 'test'],
  )
  assert.equal(second.body.next, undefined)
  assert.equal(
    (await w.call('GET', `/user/tokens?page=${first.body.next.page}`)).status,
    400,
    'a token of another list',
  )
})

test('the last use of a token is recorded', async () => {
  const { flushTokenUses } = await import('./jobs.ts')
  const { body } = await w.call('POST', '/user/tokens', { body: { label: 'used' } })
  const before = Date.now()
  await w.call('GET', '/user', { as: { token: body.token } })
  await flushTokenUses(w.services)
  const { body: list } = await w.call('GET', '/user/tokens')
  const listed = list.items.find((item: { id: string }) => item.id === body.id)
  const usedAt = Date.parse(listed.lastUsedAt)
  assert.ok(usedAt >= before && usedAt <= Date.now())
})

test('a disabled member sees nobody through the organization that disabled them', async () => {
  const other = await world()
  const path = `/users/${other.people.edit.id}`
  assert.equal((await other.call('GET', path, { as: 'comment' })).status, 200)
  await other.services.transaction(trx =>
    trx
      .updateTable('members')
      .set({ disabled: true })
      .where('user_id', '=', other.people.comment.id)
      .execute(),
  )
  assert.equal((await other.call('GET', path, { as: 'comment' })).status, 404)
  assert.equal((await other.call('GET', `/orgs/${other.organizationId}`, { as: 'comment' })).status, 404)
  const disabled = `/users/${other.people.comment.id}`
  assert.equal((await other.call('GET', disabled, { as: 'edit' })).status, 200, 'authors keep their name')
})

test('changes of profiles and tokens append events', async () => {
  const other = await world()
  const { id } = other.people.read
  await other.call('PATCH', `/users/${id}`, { as: 'read', body: { displayName: 'Reader' } })
  const token = (await other.call('POST', '/user/tokens', { as: 'read', body: { label: 'ci' } })).body
  await other.call('DELETE', `/user/tokens/${token.id}`, { as: 'read' })
  await other.call('DELETE', `/user/tokens/${token.id}`, { as: 'read' })
  const events = await other.services.db
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('actor_id', '=', id)
    .orderBy('occurred_at')
    .execute()
  assert.deepEqual(events, [
    { type: 'user.changed', payload: { fields: ['displayName'] } },
    { type: 'token.created', payload: { token: token.id, user: id, label: 'ci' } },
    { type: 'token.deleted', payload: { token: token.id, user: id, label: 'ci' } },
  ])
})

test('a token created with a token expires no later than that token', async () => {
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const { body: as } = await w.call('POST', '/user/tokens', { body: { label: 'maker', expiresAt: end } })
  const make = (expiresAt?: string | null) =>
    w.call('POST', '/user/tokens', { as, body: { label: 'made', expiresAt } })
  assert.equal((await make()).body.expiresAt, end)
  assert.equal((await make(null)).body.expiresAt, end)
  const sooner = new Date(Date.now() + 60_000).toISOString()
  assert.equal((await make(sooner)).body.expiresAt, sooner)
  const beyond = await make(new Date(Date.parse(end) + 1).toISOString())
  assert.equal(beyond.status, 400)
  assert.match(beyond.body.error.message, /body\.expiresAt: your own token ends at/)
})

test('a token for one organization gives access to no other, and neither do tokens created with it', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const { body: elsewhere } = await w.call('POST', `/orgs/${other.id}/spaces`, { body: {} })
  const { body: as } = await w.call('POST', '/user/tokens', {
    body: { label: 'one', organization: w.organizationId },
  })
  assert.equal(as.organization, w.organizationId)
  const { body: made } = await w.call('POST', '/user/tokens', { as, body: { label: 'from one' } })
  assert.equal(made.organization, w.organizationId)
  for (const token of [as, made]) {
    assert.equal((await w.call('GET', `/orgs/${w.organizationId}`, { as: token })).status, 200)
    assert.equal((await w.call('GET', `/orgs/${other.id}`, { as: token })).status, 404)
    assert.equal((await w.call('GET', `/spaces/${elsewhere.id}`, { as: token })).status, 404)
    const { body: list } = await w.call('GET', '/orgs', { as: token })
    assert.deepEqual(
      list.items.map(({ id }: { id: string }) => id),
      [w.organizationId],
    )
    assert.equal(list.count, 1)
  }
  const wide = await w.call('POST', '/user/tokens', { as, body: { label: 'x', organization: other.id } })
  assert.equal(wide.status, 400)
  assert.match(wide.body.error.message, /^body\.organization/)
  assert.equal((await w.call('POST', '/orgs', { as, body: { title: 'Third' } })).status, 403)
  const { body: seen } = await w.call('GET', '/user/tokens', { as })
  assert.deepEqual(
    seen.items.map(({ label }: { label: string }) => label),
    ['from one', 'one'],
  )
  const { body: apart } = await w.call('POST', '/user/tokens', { body: { label: 'apart' } })
  await w.call('DELETE', `/user/tokens/${apart.id}`, { as })
  assert.equal((await w.call('GET', '/user', { as: apart })).status, 200, 'not within its organization')
})

test('expired tokens of installations and visitors are removed, those of people stay listed', async () => {
  const past = new Date(Date.now() - 1000)
  const space = await w.createSpace()
  const { body: kept } = await w.call('POST', '/user/tokens', { body: { label: 'over' } })
  const ids = [newId(), newId()] as const
  await w.services.transaction(async trx => {
    await trx.updateTable('tokens').set({ expires_at: past }).where('id', '=', kept.id).execute()
    const maker = { created_by: w.people.admin.id }
    const content = { label: 'visitor', kind: 'content', space_id: space.id, ...maker } as const
    await insertToken(trx, { ...content, id: ids[0], expires_at: past }, 'a')
    await insertToken(trx, { ...content, id: ids[1], expires_at: new Date(Date.now() + 60_000) }, 'b')
  })
  await purgeExpiredTokens(w.services)
  const left = await w.services.db
    .selectFrom('tokens')
    .select('id')
    .where('id', 'in', [...ids, kept.id])
    .execute()
  assert.deepEqual(left.map(({ id }) => id).sort(), [ids[1], kept.id].sort())
})
