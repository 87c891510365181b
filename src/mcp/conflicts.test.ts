// A program finishes its job although others have changed the same words meanwhile, and asks people by their names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { edit, liveAt } from '../../test/support/edits.ts'
import { mcpOf } from '../../test/support/mcp.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { type World, world } from '../../test/support/world.ts'

const w = await world()

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the data should have
type Answer = { readonly text: string; readonly data: any; readonly isError: boolean }

async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as [{ text: string }]
  return { text, data: structuredContent, isError: isError === true }
}

async function clientOf(may: string): Promise<Client> {
  const { body } = await w.call('POST', '/user/tokens', { body: { label: 'test', may } })
  const { client } = await mcpOf(w, { token: body.token })
  // The client checks what tools answer against their schemas, once it knows them.
  await client.listTools()
  return client
}

/** A change request and its space that have changed the same line, and the same title. */
async function contradicting(client: Client) {
  const space = await spaceWith(w, { 'README.md': '# Rain\n\nTake the yellow umbrella.\n\nIt folds.\n' })
  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'Red' })
  const at = { space, changeRequest: opened.number }
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const page = body.pages[0].id
  const changes = [
    { operation: 'replace_text', page, old: 'yellow', new: 'red' },
    { operation: 'update_page', page, description: 'Of the change request' },
  ]
  for (const change of changes) {
    const edited = await use(client, 'edit_change_request', { ...at, changes: [change] })
    assert.equal(edited.isError, false, edited.text)
  }
  await edit(w, liveAt(space), {
    operation: 'update_page',
    page,
    description: 'Of the space',
    document: { markdown: '# Rain\n\nTake the blue umbrella.\n\nIt folds.\n' },
  })
  return { at, space, page }
}

test('a program sees what contradicts each other, settles it and merges', async () => {
  const client = await clientOf('merge')
  const { at, space, page } = await contradicting(client)
  const refused = await use(client, 'merge_change_request', at)
  assert.equal(refused.data.done, false)
  assert.match(refused.text, /read_conflicts/)
  const { data: read, text } = await use(client, 'read_conflicts', at)
  assert.equal(read.count, read.conflicts.length)
  assert.ok(read.count >= 1, text)
  const ofText = read.conflicts.find((one: { kind: string }) => one.kind === 'block')
  assert.match(ofText.ours, /red umbrella/)
  assert.match(ofText.theirs, /blue umbrella/)
  assert.match(ofText.base, /yellow umbrella/)
  assert.ok(text.includes(ofText.conflict))
  const resolutions = read.conflicts.map((one: { conflict: string; kind: string }) =>
    one.kind === 'block'
      ? { conflict: one.conflict, take: 'text', text: 'Take the purple umbrella.' }
      : { conflict: one.conflict, take: 'theirs' },
  )
  const { compared } = read
  const settled = await use(client, 'settle_conflicts', { ...at, compared, resolutions })
  assert.equal(settled.data?.done, true, settled.text)
  assert.equal((await use(client, 'read_conflicts', at)).data.count, 0)
  assert.match((await use(client, 'read_changes', at)).text, /\+ Take the purple umbrella\./)
  const merged = await use(client, 'merge_change_request', at)
  assert.equal(merged.data.done, true, merged.text)
  const { body } = await w.call('GET', `/spaces/${space}/content/page/${page}?format=markdown`)
  assert.match(body.markdown, /purple umbrella/)
  assert.equal(body.description, 'Of the space')
})

test('either side is taken as it is, and what is left over or has changed since settles nothing', async () => {
  const client = await clientOf('propose')
  for (const [take, expected] of [
    ['ours', /red umbrella/],
    ['theirs', /blue umbrella/],
    ['base', /yellow umbrella/],
  ] as const) {
    const { at, page } = await contradicting(client)
    const { data: read } = await use(client, 'read_conflicts', at)
    const [first] = read.conflicts
    const some = { ...at, compared: read.compared, resolutions: [{ conflict: first.conflict, take }] }
    if (read.count > 1) {
      const left = await use(client, 'settle_conflicts', some)
      assert.deepEqual([left.isError, left.data.done, left.data.count], [false, false, read.count - 1])
    }
    const resolutions = read.conflicts.map(({ conflict }: { conflict: string }) => ({ conflict, take }))
    const old = { ours: read.compared.theirs, theirs: read.compared.ours }
    const stale = await use(client, 'settle_conflicts', { ...at, compared: old, resolutions })
    assert.equal(stale.isError, true, stale.text)
    const done = await use(client, 'settle_conflicts', { ...at, compared: read.compared, resolutions })
    assert.equal(done.data?.done, true, done.text)
    assert.match((await use(client, 'read_page', { ...at, page })).text, expected)
  }
})

test('wrong resolutions are named all at once, and write nothing', async () => {
  const client = await clientOf('propose')
  const { at } = await contradicting(client)
  const { data: read } = await use(client, 'read_conflicts', at)
  const [{ conflict }] = read.conflicts
  const given = { ...at, compared: read.compared }
  const wrong = await use(client, 'settle_conflicts', {
    ...given,
    resolutions: [
      { conflict: 'nonsense', take: 'ours' },
      { conflict, take: 'text' },
      { conflict, take: 'ours', text: 'x' },
    ],
  })
  assert.deepEqual(
    wrong.text.split('\n').map(line => line.replace(/:.*/, '')),
    ['arguments.resolutions.0.conflict', 'arguments.resolutions.1.text', 'arguments.resolutions.2.text'],
  )
  const unknown = await use(client, 'settle_conflicts', {
    ...given,
    resolutions: [{ conflict: `${conflict}x`, take: 'ours' }],
  })
  assert.equal(unknown.isError, true)
  assert.match(unknown.text, /^arguments\.resolutions\.0/)
  const without = await use(client, 'settle_conflicts', { ...at, resolutions: [{ conflict, take: 'ours' }] })
  assert.match(without.text, /arguments\.compared/)
  assert.equal((await use(client, 'read_conflicts', at)).data.count, read.count)
})

test('a program that only reads sees the conflicts, as who settles them does, and settles none', async () => {
  const writer = await clientOf('propose')
  const { at } = await contradicting(writer)
  const reader = await clientOf('read')
  const read = await use(reader, 'read_conflicts', at)
  assert.ok(read.data.count > 0, read.text)
  assert.deepEqual(read, await use(writer, 'read_conflicts', at))
  const settled = await use(reader, 'settle_conflicts', { ...at, resolutions: [] })
  assert.deepEqual([settled.isError, /lacks the scope/.test(settled.text)], [true, true], settled.text)
})

/** Calls people of a world by other names. */
async function rename(world: World, names: Readonly<Record<string, string>>): Promise<void> {
  for (const [person, name] of Object.entries(names)) {
    const as = person as 'review'
    const { status } = await world.call('PATCH', `/users/${world.people[as].id}`, {
      as,
      body: { displayName: name },
    })
    assert.equal(status, 200)
  }
}

test('reviewers are asked by id, name or address, and teams by name; who it may be of several is named', async () => {
  const client = await (await mcpOf(w, 'admin')).client
  await client.listTools()
  await rename(w, { review: 'Ada Lovelace', create: 'Ada Byron', edit: 'Grace Hopper' })
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Writers', members: [w.people.review.id] },
  })
  assert.ok(team.id, JSON.stringify(team))
  const space = await spaceWith(w, { 'README.md': '# Rain\n' })
  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'Ask' })
  const at = { space, changeRequest: opened.number }
  const ids = (answer: Answer) => answer.data?.users.map(({ id }: { id: string }) => id)
  for (const name of [
    'ada lovelace',
    w.people.review.email.toUpperCase(),
    w.people.review.id,
    ' Lovelace ',
  ]) {
    const asked = await use(client, 'request_reviewers', { ...at, users: [name] })
    assert.deepEqual(ids(asked), [w.people.review.id], `${name}: ${asked.text}`)
    assert.match(asked.text, /Ada Lovelace/)
  }
  const ofTeam = await use(client, 'request_reviewers', { ...at, teams: ['writers'] })
  assert.deepEqual(ofTeam.data?.teams, [{ id: team.id, name: 'Writers' }], ofTeam.text)
  const unclear = await use(client, 'request_reviewers', {
    ...at,
    users: ['Ada', 'Nobody at all'],
    teams: ['Painters'],
  })
  assert.equal(unclear.isError, true)
  const lines = unclear.text.split('\n')
  assert.match(lines[0] ?? '', /^arguments\.users\.0: "Ada" may be one of several: /)
  for (const name of ['create', 'review'] as const) assert.ok(lines[0]?.includes(w.people[name].id))
  assert.match(lines[1] ?? '', /^arguments\.users\.1: there is nobody called "Nobody at all"/)
  assert.match(lines[2] ?? '', /^arguments\.teams\.0: /)
})

test('a program that may not list the people of an organization asks who may review, and learns of nobody else', async () => {
  await rename(w, { review: 'Ada Lovelace', create: 'Ada Byron', edit: 'Ada Augusta' })
  const client = await clientOf('propose')
  const space = await spaceWith(w, { 'README.md': '# Rain\n' })
  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'Ask' })
  const at = { space, changeRequest: opened.number }
  const unclear = await use(client, 'request_reviewers', { ...at, users: ['Ada'] })
  assert.match(unclear.text, /may be one of several: Ada Byron [^\n]*, Ada Lovelace /)
  assert.doesNotMatch(unclear.text, /Augusta/)
  const asked = await use(client, 'request_reviewers', { ...at, users: ['Ada Lovelace'] })
  assert.equal(asked.data?.users[0].id, w.people.review.id, asked.text)
  const { client: guest } = await mcpOf(w, 'guest')
  const { status } = await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
  assert.equal(status, 200)
  const users = [w.people.guest.id, w.people.create.id]
  await w.call('POST', `/spaces/${space}/permissions`, { body: { role: 'review', users } })
  const byGuest = await use(guest, 'request_reviewers', { ...at, users: ['Lovelace', 'Augusta'] })
  assert.match(byGuest.text, /^arguments\.users\.0: there is nobody called "Lovelace"/)
  assert.match(byGuest.text, /\narguments\.users\.1: there is nobody called "Augusta"/)
  const found = await use(guest, 'request_reviewers', { ...at, users: ['Byron'] })
  assert.equal(found.data?.users[0].id, w.people.create.id, found.text)
  const reading = await clientOf('read')
  const refused = await use(reading, 'request_reviewers', { ...at, users: ['Byron'] })
  const refusedTeams = await use(reading, 'request_reviewers', { ...at, teams: ['Byron'] })
  assert.match(refusedTeams.text, /lacks the scope change-request:write/)
  assert.match(refused.text, /lacks the scope change-request:write/)
})

test('a program that may not list teams asks those that may review, by name; a guest asks their own alone', async () => {
  const client = await clientOf('propose')
  const space = await spaceWith(w, { 'README.md': '# Rain\n' })
  const { guest, read, review } = w.people
  const newTeam = async (title: string, members: readonly string[]) =>
    (await w.call('PUT', `/orgs/${w.organizationId}/teams`, { body: { title, members } })).body.id as string
  const critics = await newTeam('Critics of the north', [review.id])
  const own = await newTeam('Critics of the south', [review.id, guest.id])
  await newTeam('Critics who only read', [read.id])
  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'Ask' })
  const at = { space, changeRequest: opened.number }
  const unclear = await use(client, 'request_reviewers', { ...at, teams: ['critics'] })
  assert.match(unclear.text, /may be one of several: Critics of the north [^\n]*, Critics of the south /)
  assert.doesNotMatch(unclear.text, /only read/)
  const asked = await use(client, 'request_reviewers', { ...at, teams: ['of the NORTH'] })
  assert.deepEqual(asked.data?.teams, [{ id: critics, name: 'Critics of the north' }], asked.text)
  const users = [guest.id]
  await w.call('POST', `/spaces/${space}/permissions`, { body: { role: 'review', users } })
  const { client: byGuest } = await mcpOf(w, 'guest')
  const theirs = await use(byGuest, 'request_reviewers', { ...at, teams: ['critics'] })
  assert.deepEqual(theirs.data?.teams, [{ id: own, name: 'Critics of the south' }], theirs.text)
  const hidden = await use(byGuest, 'request_reviewers', { ...at, teams: ['of the north'] })
  assert.match(hidden.text, /there is nobody called "of the north"/)
})
