import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'

const w = await world()

test('the creator of an organization is its admin at once', async () => {
  const made = await w.call('POST', '/orgs', {
    as: 'stranger',
    body: { title: 'Second', emailDomains: ['second.test'] },
  })
  assert.equal(made.status, 201)
  assert.equal(made.headers.location, made.body.urls.location)
  assert.equal(made.body.permissions.admin, true)
  const read = await w.call('GET', `/orgs/${made.body.id}`, { as: 'stranger' })
  assert.deepEqual(read.body, made.body)
  const list = await w.call('GET', '/orgs', { as: 'stranger' })
  assert.deepEqual(
    list.body.items.map((item: { id: string }) => item.id),
    [made.body.id],
  )
})

test('each role sees what it may do', async () => {
  const path = `/orgs/${w.organizationId}`
  const permissions = async (as: 'guest' | 'read' | 'create' | 'admin') =>
    (await w.call('GET', path, { as })).body.permissions
  assert.deepEqual(
    Object.entries(await permissions('guest')).filter(([, may]) => may),
    [['view', true]],
  )
  assert.equal((await permissions('read')).listMembers, true)
  assert.equal((await permissions('read')).createContent, false)
  assert.equal((await permissions('create')).createContent, true)
  assert.equal((await permissions('create')).admin, false)
  assert.ok(Object.values(await permissions('admin')).every(may => may))
})

test('an admin changes every setting, and omitted ones stay', async () => {
  const path = `/orgs/${w.organizationId}`
  const hostname = `world-${w.organizationId.toLowerCase().slice(0, 10)}`
  const settings = {
    title: 'Changed',
    emailDomains: ['a.test', 'b.test'],
    hostname,
    defaultRole: 'read',
    defaultContent: { type: 'site', site: 's1' },
    logo: 'https://pictures.test/logo.png',
    sso: true,
    ai: false,
    inviteLinks: false,
    mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
  }
  const { body } = await w.call('PATCH', path, { body: settings })
  const { logo, ...shown } = settings
  assert.deepEqual(
    { ...shown, urls: body.urls },
    Object.fromEntries(Object.keys({ ...shown, urls: 1 }).map(key => [key, body[key]])),
  )
  assert.equal(body.urls.logo, logo)
  const { body: after } = await w.call('PATCH', path, { body: { logo: null, defaultContent: null } })
  assert.equal(after.urls.logo, undefined)
  assert.equal(after.defaultContent, undefined)
  assert.equal(after.title, 'Changed')
})

test('two organizations cannot have one hostname', async () => {
  const hostname = `taken-${w.organizationId.toLowerCase().slice(0, 10)}`
  const other = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  assert.equal((await w.call('PATCH', `/orgs/${other.body.id}`, { body: { hostname } })).status, 200)
  const { status, body } = await w.call('PATCH', `/orgs/${w.organizationId}`, { body: { hostname } })
  assert.equal(status, 409)
  assert.match(body.error.message, /hostname/)
})

test('settings that break a rule are refused by name', async () => {
  for (const [body, message] of [
    [{ title: 'x' }, /body\.title/],
    [{ hostname: 'NO' }, /body\.hostname/],
    [{ defaultRole: 'owner' }, /body\.defaultRole/],
    [{ mergeRules: { type: 'inherit' } }, /body\.mergeRules/],
    [{ emailDomains: ['not a domain'] }, /body\.emailDomains\.0/],
    [{ title: 'a\u0000b' }, /character/],
  ] as const) {
    const answer = await w.call('PATCH', `/orgs/${w.organizationId}`, { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
})
