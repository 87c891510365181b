// Teams by SCIM, with the requests that Entra and Okta send (see users.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryOf, patchOf } from '../../../test/support/scim.ts'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { MEMBERS_MAX } from './group-draft.ts'

const w = await world()
const directory = await directoryOf(w)
const { call, person } = directory
const org = `/orgs/${w.organizationId}`

const membersOf = async (id: string): Promise<string[]> => {
  const { body } = await call('GET', `/Groups/${id}`)
  return (body.members ?? []).map(({ value }: { value: string }) => value).sort()
}
const group = async (displayName: string, members: readonly string[] = []) => {
  const { status, body } = await call('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName,
    members: members.map(value => ({ value })),
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const people = async (count: number) => {
  const made: string[] = []
  for (let n = 0; n < count; n += 1) made.push((await person()).id)
  return made.sort()
}

test('a group is a team of the organization', async () => {
  const [a, b] = await people(2)
  const { status, body, headers } = await call('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Writers',
    members: [{ value: a, display: 'x' }, { value: b }],
    meta: { resourceType: 'Group' },
  })
  assert.equal(status, 201)
  assert.equal(body.externalId, '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159')
  assert.equal(headers.location, `http://octavo.test${directory.base}/Groups/${body.id}`)
  assert.deepEqual(await membersOf(body.id), [a, b])
  const { body: team } = await w.call('GET', `${org}/teams/${body.id}`)
  assert.deepEqual([team.title, team.members], ['Writers', 2])
  const { body: user } = await call('GET', `/Users/${a}`)
  assert.deepEqual(
    user.groups.map(({ value, display }: { value: string; display: string }) => [value, display]),
    [[body.id, 'Writers']],
  )
  assert.equal((await call('DELETE', `/Groups/${body.id}`)).status, 204)
  assert.equal((await w.call('GET', `${org}/teams/${body.id}`)).status, 404)
  assert.equal((await call('DELETE', `/Groups/${body.id}`)).status, 404)
  assert.equal((await call('GET', `/Users/${a}`)).status, 200, 'members stay')
})

test('Entra adds and removes members', async () => {
  const [a = '', b = '', c = ''] = await people(3)
  const { id } = await group('Entra', [a])
  const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: b }, { value: c }] }
  assert.equal((await call('PATCH', `/Groups/${id}`, patchOf(add))).status, 204)
  assert.deepEqual(await membersOf(id), [a, b, c].sort())
  const remove = { op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] }
  await call('PATCH', `/Groups/${id}`, patchOf(remove))
  assert.deepEqual(await membersOf(id), [b, c].sort())
  await call('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: `members[value eq "${b}"]` }))
  assert.deepEqual(await membersOf(id), [c])
  await call('PATCH', `/Groups/${id}`, patchOf({ op: 'Replace', path: 'displayName', value: 'Entra 2' }))
  assert.equal((await call('GET', `/Groups/${id}`)).body.displayName, 'Entra 2')
  await call('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: 'members' }))
  assert.deepEqual(await membersOf(id), [])
})

test('Okta renames without a path, and replaces members', async () => {
  const [a = '', b = '', c = ''] = await people(3)
  const { id } = await group('Okta', [a, b])
  const rename = { op: 'replace', value: { id, displayName: 'Okta 2' } }
  assert.equal((await call('PATCH', `/Groups/${id}`, patchOf(rename))).status, 204)
  const replace = { op: 'replace', path: 'members', value: [{ value: b }, { value: c, display: 'x' }] }
  await call('PATCH', `/Groups/${id}`, patchOf(replace))
  assert.deepEqual(await membersOf(id), [b, c].sort())
  const both = [
    { op: 'remove', path: `members[value eq "${b}"]` },
    { op: 'add', path: 'members', value: [{ value: a }] },
  ]
  await call('PATCH', `/Groups/${id}`, patchOf(...both))
  assert.deepEqual(await membersOf(id), [a, c].sort())
})

test('operations on members apply in their order', async () => {
  const [a = '', b = ''] = await people(2)
  const { id } = await group('Order', [a])
  const add = (value: string) => ({ op: 'add', path: 'members', value: [{ value }] })
  const remove = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` })
  await call('PATCH', `/Groups/${id}`, patchOf(add(b), remove(b), remove(a), add(a)))
  assert.deepEqual(await membersOf(id), [a])
  await call(
    'PATCH',
    `/Groups/${id}`,
    patchOf(remove(a), { op: 'replace', path: 'members', value: [] }, add(b)),
  )
  assert.deepEqual(await membersOf(id), [b])
})

test('a PUT sets the whole group, and those who stay keep their role in the team', async () => {
  const [a = '', b = '', c = ''] = await people(3)
  const { id } = await group('Put', [a, b])
  await w.call('PUT', `${org}/teams/${id}/members/${b}`, { body: { role: 'owner' } })
  const put = await call('PUT', `/Groups/${id}`, {
    displayName: 'Put 2',
    externalId: 'put',
    members: [{ value: b }, { value: c }],
  })
  assert.equal(put.status, 200)
  assert.deepEqual([put.body.displayName, put.body.externalId], ['Put 2', 'put'])
  assert.deepEqual(await membersOf(id), [b, c].sort())
  const { body: team } = await w.call('GET', `${org}/teams/${id}/members`)
  assert.deepEqual(team.items.map((one: { team: { role: string } }) => one.team.role).sort(), [
    'member',
    'owner',
  ])
  await call('PUT', `/Groups/${id}`, { displayName: 'Put 2' })
  const { body } = await call('GET', `/Groups/${id}`)
  assert.deepEqual([body.members, body.externalId], [undefined, undefined])
})

test('a name is of one group', async () => {
  await group('Once')
  const { status, body } = await call('POST', '/Groups', { displayName: 'ONCE' })
  assert.deepEqual([status, body.scimType], [409, 'uniqueness'])
  const { id } = await group('Twice')
  const rename = patchOf({ op: 'replace', path: 'displayName', value: 'once' })
  assert.equal((await call('PATCH', `/Groups/${id}`, rename)).status, 409)
  const all = await Promise.all([1, 2, 3].map(() => call('POST', '/Groups', { displayName: 'At once' })))
  assert.deepEqual(all.map(one => one.status).sort(), [201, 409, 409])
})

test('groups are found by name, id and member', async () => {
  const [a = ''] = await people(1)
  const { id } = await group('Found here', [a])
  for (const filter of [
    'displayName eq "found HERE"',
    `id eq "${id}" and members eq "${a}"`,
    `id eq "${id}" and members[value eq "${a}"]`,
    `displayName sw "Found" and meta.created gt "2020-01-01T00:00:00Z"`,
  ]) {
    const query = new URLSearchParams({ filter, excludedAttributes: 'members' })
    const { body } = await call('GET', `/Groups?${query}`)
    assert.deepEqual(
      body.Resources.map((one: { id: string; members: unknown }) => [one.id, one.members]),
      [[id, undefined]],
      filter,
    )
  }
  const none = encodeURIComponent(`id eq "${id}" and members eq "${newId()}"`)
  assert.equal((await call('GET', `/Groups?filter=${none}`)).body.totalResults, 0)
})

test('what a group cannot have is refused, and changes nothing', async () => {
  const [a = ''] = await people(1)
  const { id } = await group('Kept')
  const add = { op: 'add', path: 'members', value: [{ value: a }] }
  for (const [operation, refusal] of [
    [{ op: 'add', path: 'members', value: [{ value: newId() }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: w.people.stranger.id }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ name: 'x' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: 7 }, 'invalidValue'],
    [{ op: 'add', path: `members[value eq "${a}"]`, value: [] }, 'invalidPath'],
    [{ op: 'remove', path: 'members[display co "a"]' }, 'invalidPath'],
    [{ op: 'replace', path: 'members.display', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'owner', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(257) }, 'invalidValue'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  ] as const) {
    const { status, body } = await call('PATCH', `/Groups/${id}`, patchOf(add, operation))
    assert.deepEqual([status, body.scimType], [400, refusal], JSON.stringify(operation).slice(0, 100))
  }
  const many = Array.from({ length: MEMBERS_MAX + 1 }, (_, n) => ({ value: `u${n}` }))
  for (const [method, path, body] of [
    ['PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: many })],
    ['PUT', `/Groups/${id}`, { displayName: 'Kept', members: many }],
    ['POST', '/Groups', { displayName: 'Many', members: many }],
  ] as const) {
    const reply = await call(method, path, body)
    assert.deepEqual([reply.status, reply.body.scimType], [400, 'invalidValue'])
    assert.match(reply.body.detail, new RegExp(`at most ${MEMBERS_MAX}`), 'before any of them is looked for')
  }
  assert.deepEqual(await membersOf(id), [])
  assert.equal((await call('POST', '/Groups', {})).body.scimType, 'invalidValue')
})

test('a group has a version of its name, its externalId and its members', async () => {
  const [a = '', b = ''] = await people(2)
  const longest = 'G'.repeat(256)
  const { id, meta } = await group(longest, [a])
  assert.equal((await w.call('GET', `${org}/teams/${id}`)).body.title, longest)
  const first = await call('GET', `/Groups/${id}`)
  assert.deepEqual([first.headers.etag, first.body.meta.version], [meta.version, meta.version])
  const known = { 'if-none-match': meta.version }
  assert.equal((await call('GET', `/Groups/${id}`, undefined, known)).status, 304)
  const { body: list } = await call('GET', `/Groups?filter=${encodeURIComponent(`id eq "${id}"`)}`)
  assert.equal(list.Resources[0].meta.version, meta.version)
  const bare = await call('GET', `/Groups/${id}?excludedAttributes=members`)
  assert.deepEqual(
    [bare.headers.etag, bare.body.meta.version],
    [undefined, undefined],
    'members were not read',
  )
  const versions = new Set([meta.version])
  for (const operation of [
    { op: 'add', path: 'members', value: [{ value: b }] },
    { op: 'replace', path: 'displayName', value: 'Versions' },
    { op: 'replace', path: 'externalId', value: 'versions' },
  ]) {
    const [current] = [...versions].slice(-1)
    const match = { 'if-match': current ?? '' }
    assert.equal((await call('PATCH', `/Groups/${id}`, patchOf(operation), match)).status, 204)
    versions.add((await call('GET', `/Groups/${id}`)).body.meta.version)
  }
  assert.equal(versions.size, 4)
  const old = { 'if-match': meta.version }
  for (const [method, body] of [
    ['PATCH', patchOf({ op: 'remove', path: 'members' })],
    ['PUT', { displayName: 'Lost' }],
    ['DELETE', undefined],
  ] as const)
    assert.equal((await call(method, `/Groups/${id}`, body, old)).status, 412, method)
  assert.deepEqual(await membersOf(id), [a, b].sort())
  const [last = ''] = [...versions].slice(-1)
  assert.equal((await call('DELETE', `/Groups/${id}`, undefined, { 'if-match': last })).status, 204)
})

test('removing a person who is in no group, or is nobody, is done', async () => {
  const { id } = await group('Nobody')
  const remove = { op: 'remove', path: `members[value eq "${newId()}"]` }
  assert.equal((await call('PATCH', `/Groups/${id}`, patchOf(remove))).status, 204)
})
