// People by SCIM, with the requests that Entra and Okta send
// (https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups,
// https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryOf, patchOf } from '../../../test/support/scim.ts'
import { world } from '../../../test/support/world.ts'
import { OPERATIONS_MAX } from '../../engines/scim/patch.ts'
import { TOKENS_MAX } from './tokens.ts'

const w = await world()
const directory = await directoryOf(w)
const { call, person } = directory
const org = `/orgs/${w.organizationId}`
const member = async (id: string) => (await w.call('GET', `${org}/members/${id}`)).body
const address = (name: string) => `${name}-${w.organizationId.toLowerCase()}@people.test`

test('a person that Entra creates is a member who signs in by single sign-on alone', async () => {
  const userName = address('Test_User_ab6490ee')
  const { status, body, headers } = await call('POST', '/Users', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: true,
    emails: [{ primary: true, type: 'work', value: userName }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'R&D' },
  })
  assert.equal(status, 201)
  assert.equal(body.userName, userName)
  assert.equal(body.externalId, '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef')
  assert.equal(body.displayName, 'givenName familyName')
  assert.deepEqual(body.name, {
    formatted: 'givenName familyName',
    givenName: 'givenName',
    familyName: 'familyName',
  })
  assert.deepEqual(body.emails, [{ value: userName, type: 'work', primary: true }])
  assert.equal(body.active, true)
  assert.equal(body.meta.location, `http://octavo.test${directory.base}/Users/${body.id}`)
  assert.equal(headers.location, body.meta.location)
  assert.equal(headers.etag, body.meta.version)
  assert.deepEqual((await call('GET', `/Users/${body.id}`)).body, body)
  const { sso, disabled, role, user } = await member(body.id)
  assert.deepEqual([sso, disabled, role, user.displayName], [true, false, null, 'givenName familyName'])
})

test('a person that Okta creates is found by their name, in any case', async () => {
  const userName = address('Test.User')
  const { status, body } = await call('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  })
  assert.equal(status, 201)
  assert.equal(body.password, undefined)
  const query = new URLSearchParams({
    filter: `userName eq "${userName.toUpperCase()}"`,
    startIndex: '1',
    count: '100',
  })
  const { body: list } = await call('GET', `/Users?${query}`)
  assert.deepEqual([list.totalResults, list.startIndex, list.itemsPerPage, list.Resources], [1, 1, 1, [body]])
})

test('the name of a new person is taken once: 409 uniqueness', async () => {
  const { userName } = await person()
  for (const again of [userName, userName.toUpperCase()]) {
    const { status, body } = await call('POST', '/Users', { userName: again })
    assert.deepEqual([status, body.scimType], [409, 'uniqueness'])
  }
  const member = await call('POST', '/Users', { userName: w.people.read.email })
  assert.equal(member.status, 409)
  const renamed = await person()
  const taken = { op: 'replace', path: 'userName', value: userName }
  assert.equal((await call('PATCH', `/Users/${renamed.id}`, patchOf(taken))).status, 409)
})

test('people created at once with one name are one person', async () => {
  const userName = address('at-once')
  const all = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', '/Users', { userName, externalId: 'at-once' })),
  )
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('a disabled person has no access at once, and has it again when enabled', async () => {
  const { id } = w.people.comment
  const sees = async () => (await w.call('GET', org, { as: 'comment' })).status
  assert.equal(await sees(), 200)
  // Okta: without a path. Entra: text, and a capital letter.
  const okta = await call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))
  assert.deepEqual([okta.status, okta.body.active], [200, false])
  assert.equal(await sees(), 404)
  const entra = { op: 'Replace', path: 'active', value: 'True' }
  assert.equal((await call('PATCH', `/Users/${id}`, patchOf(entra))).body.active, true)
  assert.equal(await sees(), 200)
  // A PUT that says nothing of it leaves them disabled.
  await call('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
  const put = await call('PUT', `/Users/${id}`, { userName: w.people.comment.email })
  assert.deepEqual([put.status, put.body.active], [200, false])
  assert.equal(await sees(), 404)
})

test("Entra's paths reach the parts of a person", async () => {
  const { id } = await person({ displayName: 'Before', externalId: 'entra-paths' })
  const email = address('after')
  const { status, body } = await call(
    'PATCH',
    `/Users/${id}`,
    patchOf(
      { op: 'Add', path: 'emails[type eq "work"].value', value: email },
      { op: 'Replace', path: 'name.givenName', value: 'Ada' },
      { op: 'Add', path: 'name.familyName', value: 'Lovelace' },
      { op: 'Replace', path: 'displayName', value: 'Ada Lovelace' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Engines',
      },
      { op: 'Remove', path: 'externalId' },
    ),
  )
  assert.equal(status, 200)
  assert.deepEqual(
    [body.emails[0].value, body.name.formatted, body.displayName, body.externalId],
    [email, 'Ada Lovelace', 'Ada Lovelace', undefined],
  )
  assert.equal((await member(id)).user.displayName, 'Ada Lovelace')
})

test("Entra's values without a path have paths as names", async () => {
  const { id } = await person()
  const { status, body } = await call(
    'PATCH',
    `/Users/${id}`,
    patchOf({
      op: 'Replace',
      value: {
        displayName: 'Grace Hopper',
        'name.givenName': 'Grace',
        'emails[type eq "work"].value': address('grace'),
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': { value: 'x' },
      },
    }),
  )
  assert.equal(status, 200)
  assert.deepEqual(
    [body.displayName, body.name.givenName, body.emails[0].value],
    ['Grace Hopper', 'Grace', address('grace')],
  )
})

test('a PUT replaces what it names, and clears what it leaves out', async () => {
  const { id, userName } = await person({ externalId: 'put', name: { givenName: 'A', familyName: 'B' } })
  const { status, body } = await call('PUT', `/Users/${id}`, { userName, displayName: 'C' })
  assert.equal(status, 200)
  assert.deepEqual([body.externalId, body.name, body.displayName], [undefined, undefined, 'C'])
  const { body: bad } = await call('PUT', `/Users/${id}`, { displayName: 'C' })
  assert.equal(bad.scimType, 'invalidValue')
})

test('the last admin is neither disabled nor removed, whatever else the request has', async () => {
  const { id } = w.people.admin
  const disable = patchOf({ op: 'replace', value: { active: false, displayName: 'Gone' } })
  for (const [reply, keyword] of [
    [await call('PATCH', `/Users/${id}`, disable), 'mutability'],
    [await call('PUT', `/Users/${id}`, { userName: w.people.admin.email, active: 'False' }), 'mutability'],
    // Keywords are for what changes an attribute (RFC 7644 §3.12, table 9).
    [await call('DELETE', `/Users/${id}`), undefined],
  ] as const) {
    assert.deepEqual([reply.status, reply.body.scimType], [409, keyword])
    assert.match(reply.body.detail, /the last admin/)
  }
  const { body } = await call('GET', `/Users/${id}`)
  assert.equal(body.active, true)
  assert.notEqual(body.displayName, 'Gone', 'nothing is half done')
})

test('of two admins who are disabled or removed at once, one stays', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Two admins' } })
  const there = await directoryOf(w, other.id, 'admins')
  const { id } = await there.person()
  await w.call('PATCH', `/orgs/${other.id}/members/${id}`, { body: { role: 'admin' } })
  const disable = patchOf({ op: 'replace', path: 'active', value: false })
  const replies = await Promise.all([
    there.call('PATCH', `/Users/${id}`, disable),
    there.call('DELETE', `/Users/${w.people.admin.id}`),
  ])
  assert.equal(replies.filter(({ status }) => status === 409).length, 1, JSON.stringify(replies))
})

test('of several addresses the primary one is kept, and the others are no mistake', async () => {
  const [work, home] = [address('several-work'), address('several-home')]
  const { status, body } = await call('POST', '/Users', {
    userName: address('several'),
    emails: [
      { value: 'not looked at', type: 'other' },
      { value: home, type: 'home', primary: true },
      { value: work, type: 'work', primary: false },
    ],
  })
  assert.deepEqual([status, body.emails], [201, [{ value: home, type: 'work', primary: true }]])
  const empty = [{ value: '', type: 'home', primary: true }, { type: 'other' }, { value: work, type: 'work' }]
  const replaced = await call(
    'PATCH',
    `/Users/${body.id}`,
    patchOf({ op: 'replace', path: 'emails', value: empty }),
  )
  assert.deepEqual([replaced.status, replaced.body.emails[0].value], [200, work])
  const second = { op: 'add', path: 'emails', value: [{ value: home, type: 'home' }] }
  const added = await call('PATCH', `/Users/${body.id}`, patchOf(second))
  assert.deepEqual([added.status, added.body.emails.length, added.body.emails[0].value], [200, 1, work])
})

test('who is removed keeps the account and other organizations', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const there = await directoryOf(w, other.id)
  const { id, userName } = await person()
  assert.equal((await there.call('POST', '/Users', { userName })).body.id, id)
  assert.equal((await call('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await call('GET', `/Users/${id}`)).status, 404)
  assert.equal((await call('DELETE', `/Users/${id}`)).status, 404)
  assert.equal((await there.call('GET', `/Users/${id}`)).body.active, true)
})

test('a directory gives an account of elsewhere the membership, and neither renames nor reads it', async () => {
  const { id, email } = w.people.stranger
  await w.call('PATCH', `/users/${id}`, { as: 'stranger', body: { displayName: 'Secret Name' } })
  const { status, body } = await call('POST', '/Users', { userName: email })
  assert.deepEqual([status, body.id, body.displayName], [201, id, email.split('@')[0]])
  await call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'displayName', value: 'Renamed' }))
  const { body: account } = await w.call('GET', '/user', { as: 'stranger' })
  assert.equal(account.displayName, 'Secret Name')
})

test('an account that the directory made is not renamed once it belongs to another organization', async () => {
  const { id, userName } = await person({ displayName: 'Mine' })
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  await (await directoryOf(w, other.id)).call('POST', '/Users', { userName })
  const rename = { op: 'replace', path: 'displayName', value: 'Renamed' }
  assert.equal((await call('PATCH', `/Users/${id}`, patchOf(rename))).body.displayName, 'Renamed')
  assert.equal((await member(id)).user.displayName, 'Mine')
})

test('the address of somebody who has left gives their account to nobody else of the directory', async () => {
  const { id, userName } = await person({ externalId: 'first' })
  await call('DELETE', `/Users/${id}`)
  const { status, body } = await call('POST', '/Users', { userName, externalId: 'second' })
  assert.deepEqual([status, body.scimType], [409, 'uniqueness'])
  assert.match(body.detail, /octavo unbind/)
  const { body: same } = await call('POST', '/Users', { userName, externalId: 'first' })
  assert.equal(same.id, id, 'who comes back has their account')
})

test('a directory sees and changes nobody of another organization', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const there = await directoryOf(w, other.id)
  const { id } = await person()
  const { id: teamId } = (await call('POST', '/Groups', { displayName: 'Hidden' })).body
  const renaming = patchOf({ op: 'replace', path: 'displayName', value: 'x' })
  for (const [method, path, body] of [
    ['GET', `/Users/${id}`],
    ['PUT', `/Users/${id}`, { userName: address('x') }],
    ['PATCH', `/Users/${id}`, renaming],
    ['DELETE', `/Users/${id}`],
    ['GET', `/Groups/${teamId}`],
    ['PUT', `/Groups/${teamId}`, { displayName: 'x' }],
    ['PATCH', `/Groups/${teamId}`, renaming],
    ['DELETE', `/Groups/${teamId}`],
  ] as const)
    assert.equal((await there.call(method, path, body)).status, 404, `${method} ${path}`)
  const { body: list } = await there.call('GET', `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`)
  assert.equal(list.totalResults, 0)
  const stranger = await there.call('POST', '/Groups', { displayName: 'Mine', members: [{ value: id }] })
  assert.deepEqual([stranger.status, stranger.body.scimType], [400, 'invalidValue'])
  const mine = { authorization: `Bearer ${directory.token}` }
  const wrong = await there.call('GET', '/Users', undefined, mine)
  assert.equal(wrong.status, 404, 'the address of another organization')
})

test('only a SCIM token of the organization opens SCIM, until it is revoked', async () => {
  const { body: token } = await w.call('POST', `${org}/scim/tokens`, { body: { label: 'Short' } })
  const headers = { authorization: `Bearer ${token.token}` }
  const { token: _secret, baseURL, ...shown } = token
  assert.equal((await call('GET', '/Users?count=0', undefined, headers)).status, 200)
  for (const authorization of ['', 'Bearer x', `Bearer ${w.people.admin.token}`, 'Basic eDp5']) {
    const reply = await call('GET', '/Users', undefined, { authorization })
    assert.equal(reply.status, 401)
    assert.match(String(reply.headers['www-authenticate']), /^Bearer/)
  }
  const { body: list } = await w.call('GET', `${org}/scim/tokens`)
  assert.deepEqual(
    list.items.find((one: { id: string }) => one.id === token.id),
    shown,
  )
  assert.equal(baseURL, `http://octavo.test${directory.base}`)
  await w.call('DELETE', `${org}/scim/tokens/${token.id}`)
  assert.equal((await call('GET', '/Users', undefined, headers)).status, 401)
})

test('an organization has so many tokens, and none is of another one', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Full' } })
  const path = `/orgs/${other.id}/scim/tokens`
  const made: string[] = []
  for (let n = 0; n < TOKENS_MAX; n += 1)
    made.push((await w.call('POST', path, { body: { label: `Token ${n}` } })).body.id)
  assert.equal((await w.call('POST', path, { body: { label: 'One more' } })).status, 409)
  assert.equal((await w.call('DELETE', `${org}/scim/tokens/${made[0]}`)).status, 204)
  assert.equal((await w.call('GET', path)).body.count, TOKENS_MAX, 'it is named in another organization')
  await w.call('DELETE', `${path}/${made[0]}`)
  assert.equal((await w.call('POST', path, { body: { label: 'One more' } })).status, 201)
})

test('a version that has changed is refused, and a known one is not sent again', async () => {
  const { id, meta } = await person()
  const known = await call('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })
  assert.equal(known.status, 304)
  const rename = patchOf({ op: 'replace', path: 'displayName', value: 'New' })
  const first = await call('PATCH', `/Users/${id}`, rename, { 'if-match': meta.version })
  assert.equal(first.status, 200)
  assert.notEqual(first.body.meta.version, meta.version)
  for (const [method, body] of [
    ['PATCH', rename],
    ['PUT', { userName: address('z') }],
    ['DELETE', undefined],
  ] as const)
    assert.equal((await call(method, `/Users/${id}`, body, { 'if-match': meta.version })).status, 412)
})

test('an answer has the attributes that were asked for', async () => {
  const { id, userName } = await person({ name: { givenName: 'A', familyName: 'B' } })
  const get = async (query: string) => (await call('GET', `/Users/${id}?${query}`)).body
  assert.deepEqual(Object.keys(await get('attributes=userName')), ['schemas', 'id', 'userName'])
  assert.deepEqual((await get('attributes=name.givenName')).name, { givenName: 'A' })
  const uri = 'urn:ietf:params:scim:schemas:core:2.0:User:USERNAME'
  assert.equal((await get(`attributes=${uri}`)).userName, userName)
  const without = await get('excludedAttributes=emails,name.familyName,id')
  assert.deepEqual(
    [without.emails, without.name, without.id],
    [undefined, { formatted: 'A B', givenName: 'A' }, id],
  )
})

test('pages are bounded, and count from 1', async () => {
  for (let n = 0; n < 3; n += 1) await person({ name: { familyName: 'Paged' } })
  const filter = encodeURIComponent('name.familyName eq "paged"')
  const page = async (query: string) => (await call('GET', `/Users?filter=${filter}&${query}`)).body
  const all = (await page('')).Resources
  assert.equal(all.length, 3)
  const second = await page('startIndex=2&count=1')
  assert.deepEqual(
    [second.totalResults, second.startIndex, second.itemsPerPage, second.Resources],
    [3, 2, 1, [all[1]]],
  )
  assert.deepEqual((await page('startIndex=-5&count=-1')).Resources, [])
  assert.deepEqual((await page('startIndex=100')).Resources, [])
  assert.equal((await page('count=100000')).Resources.length, 3)
  assert.equal((await call('GET', '/Users?count=many')).body.scimType, 'invalidValue')
})

test('a search by POST reaches people and groups', async () => {
  const { id } = await person({ externalId: 'searched' })
  const search = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'externalId eq "searched"',
    attributes: ['userName'],
  }
  const { status, body } = await call('POST', '/Users/.search', search)
  assert.deepEqual([status, body.Resources[0].id, body.Resources[0].active], [200, id, undefined])
  await call('POST', '/Groups', { displayName: 'Searched', externalId: 'searched' })
  const { body: both } = await call('POST', '/.search', { filter: 'externalId eq "searched"' })
  assert.deepEqual(
    both.Resources.map((one: { meta: { resourceType: string } }) => one.meta.resourceType),
    ['User', 'Group'],
  )
  const { body: second } = await call('POST', '/.search', { ...search, startIndex: 2, count: 5 })
  assert.deepEqual([second.totalResults, second.Resources.length], [2, 1])
  // Groups have no userName.
  assert.equal((await call('POST', '/.search', { filter: 'userName pr', count: 0 })).status, 200)
  assert.equal((await call('POST', '/.search', { filter: 'shoeSize pr' })).body.scimType, 'invalidFilter')
})

test('the audit names the token that a change was made with', async () => {
  const { id } = await person()
  const { body } = await w.call('GET', `${org}/audit-events?target=${id}`)
  const [event] = body.items
  assert.deepEqual([event.action, event.actor.type], ['member.joined', 'system'])
  const { body: details } = await w.call('GET', `${org}/audit-events/${event.id}`)
  assert.equal(details.token, directory.tokenId)
  assert.equal(details.payload.how, 'scim')
})

test('what cannot be done is refused in words, and changes nothing', async () => {
  const { id, displayName } = await person({ displayName: 'Kept' })
  const patch = async (...operations: unknown[]) => {
    const { status, body } = await call('PATCH', `/Users/${id}`, patchOf(...operations))
    return `${status} ${body.scimType}`
  }
  const rename = { op: 'replace', path: 'displayName', value: 'Lost' }
  for (const [operation, refusal] of [
    [{ op: 'move', path: 'x' }, '400 invalidSyntax'],
    [{ op: 'replace', path: 'shoeSize', value: 1 }, '400 invalidPath'],
    [{ op: 'replace', path: 'emails[type eq', value: 1 }, '400 invalidPath'],
    [{ op: 'replace', path: 'displayName[a eq 1]', value: 'x' }, '400 invalidPath'],
    [{ op: 'replace', path: 'id', value: 'x' }, '400 mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, '400 mutability'],
    [{ op: 'remove' }, '400 noTarget'],
    [{ op: 'replace', path: 'emails[value eq "no@people.test"].value', value: 'x@y.test' }, '400 noTarget'],
    [{ op: 'remove', path: 'userName' }, '400 invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, '400 invalidValue'],
    [{ op: 'replace', path: 'displayName' }, '400 invalidValue'],
    [{ op: 'replace', path: 'displayName', value: { a: 1 } }, '400 invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(300) }, '400 invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'a\u0000b' }, '400 invalidValue'],
    [{ op: 'replace', path: 'emails', value: [{ value: 'no address' }] }, '400 invalidValue'],
    [{ op: 'replace', path: 'emails', value: ['x', null] }, '400 invalidValue'],
    ['replace', '400 invalidSyntax'],
    [null, '400 invalidSyntax'],
  ] as const)
    assert.equal(await patch(rename, operation), refusal, JSON.stringify(operation))
  assert.equal((await call('GET', `/Users/${id}`)).body.displayName, displayName)
  for (const body of ['{', '[]', 'null', '"x"', '{"Operations": 1}', '{"Operations": {"op": "add"}}'])
    assert.equal((await call('PATCH', `/Users/${id}`, body)).body.scimType, 'invalidSyntax', body)
  const many = patchOf(...Array.from({ length: OPERATIONS_MAX + 1 }, () => rename))
  assert.equal((await call('PATCH', `/Users/${id}`, many)).status, 400)
  assert.equal((await call('POST', '/Users', { userName: 'no-address' })).body.scimType, 'invalidValue')
  assert.equal((await call('POST', '/Bulk', {})).status, 404)
  const text = await call('POST', '/Users', 'x', { 'content-type': 'application/xml' })
  assert.equal(text.status, 415)
  const json = await call(
    'POST',
    '/Users',
    { userName: address('json') },
    { 'content-type': 'application/json' },
  )
  assert.equal(json.status, 201)
})

test('the description of the service is that of the service', async () => {
  const { body: config } = await call('GET', '/ServiceProviderConfig')
  assert.deepEqual(
    [config.patch, config.bulk, config.filter, config.sort, config.etag].map(({ supported }) => supported),
    [true, false, true, false, true],
  )
  const { body: types } = await call('GET', '/ResourceTypes')
  assert.deepEqual(
    types.Resources.map((type: { endpoint: string }) => type.endpoint),
    ['/Users', '/Groups'],
  )
  assert.deepEqual((await call('GET', '/ResourceTypes/User')).body, types.Resources[0])
  const { body: schemas } = await call('GET', '/Schemas')
  for (const schema of schemas.Resources)
    assert.deepEqual((await call('GET', `/Schemas/${schema.id}`)).body, schema)
  const { body: user } = await call('GET', `/Users/${w.people.admin.id}`)
  const known = new Set(schemas.Resources[0].attributes.map(({ name }: { name: string }) => name))
  for (const name of Object.keys(user))
    assert.ok(known.has(name) || ['schemas', 'id', 'meta'].includes(name), name)
  assert.equal((await call('GET', '/Schemas/urn:none')).status, 404)
})
