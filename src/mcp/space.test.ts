// `/s/{space}/~mcp`: one space, read-only, for everybody who may read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mcpOfSpace } from '../../test/support/mcp.ts'
import type { McpClient } from '../../test/support/mcp-client.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { shareLinkOf, visitorTokenOf } from '../../test/support/visitors.ts'
import { type World, world } from '../../test/support/world.ts'

const FILES = { 'README.md': '# Guide\n\nThe lighthouse is green.\n' }
const OTHER = { 'README.md': '# Vault\n\nThe lighthouse keeper hides a key.\n' }

const spaceOf = (w: World, visibility: string) => spaceWith(w, FILES, { visibility })

async function pageOf({ use }: McpClient): Promise<string> {
  const [, page = ''] = /\(page (\S+),/.exec((await use('list_pages')).text) ?? []
  return page
}

test('a public space is searched, listed and read without a token, and nothing is written', async () => {
  const w = await world()
  const space = await spaceOf(w, 'public')
  const door = await mcpOfSpace(w, space)
  const { tools } = await door.client.listTools()
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    [
      ['search', true],
      ['list_pages', true],
      ['read_page', true],
    ],
  )
  assert.match((await door.use('search', { query: 'lighthouse' })).text, /The lighthouse is green\./)
  const page = await pageOf(door)
  assert.match((await door.use('read_page', { page })).text, /\n# Guide\n/)
  const { resources } = await door.client.listResources()
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    [`octavo://spaces/${space}/pages/${page}`],
  )
  const { contents } = await door.client.readResource({ uri: resources[0]?.uri ?? '' })
  assert.equal((contents[0] as { text: string }).text, FILES['README.md'])
})

test('hidden pages, and pages that robots should leave out, are in no list', async () => {
  const w = await world()
  const space = await spaceWith(
    w,
    {
      'SUMMARY.md':
        '* [Top](README.md)\n* [Drawer](drawer.md)\n  * [Below](below.md)\n* [Quiet](quiet.md)\n* [Shy](shy.md)\n  * [Seen](seen.md)\n',
      'README.md': '# Top\n',
      'drawer.md': '---\nhidden: true\n---\n\n# Drawer\n',
      'below.md': '# Below\n',
      'quiet.md': '---\nnoIndex: true\n---\n\n# Quiet\n',
      'shy.md': '---\nnoRobotsIndex: true\n---\n\n# Shy\n',
      'seen.md': '# Seen\n',
    },
    { visibility: 'public' },
  )
  const { client, use } = await mcpOfSpace(w, space)
  const { text } = await use('list_pages')
  assert.match(text, /^2 pages,/)
  assert.deepEqual(
    [...text.matchAll(/- (\w+) \(page/g)].map(([, title]) => title),
    ['Top', 'Seen'],
  )
  const { resources } = await client.listResources()
  assert.deepEqual(
    resources.map(({ name }) => name),
    ['Top', 'Seen'],
  )
})

test('a long list comes in parts, each page once', async () => {
  const w = await world()
  const names = Array.from({ length: 520 }, (_, index) => `p${index}`)
  const files = Object.fromEntries(names.map(name => [`${name}.md`, `# ${name}\n`]))
  const space = await spaceWith(w, { ...files, 'README.md': '# Top\n' }, { visibility: 'public' })
  const { client, use } = await mcpOfSpace(w, space)
  const first = (await use('list_pages')).text
  assert.match(first, /^521 pages,/)
  const [, from = ''] = /call list_pages again with from (\d+)/.exec(first) ?? []
  const rest = (await use('list_pages', { from: Number(from) })).text
  const listed = [first, rest].flatMap(text => [...text.matchAll(/\(page (\S+),/g)].map(([, id]) => id))
  const start = await client.listResources()
  assert.ok(start.nextCursor !== undefined)
  const end = await client.listResources({ cursor: start.nextCursor })
  assert.equal(end.nextCursor, undefined)
  const resources = [...start.resources, ...end.resources].map(({ uri }) => uri.split('/').at(-1))
  assert.deepEqual([new Set(listed).size, listed.length, resources], [521, 521, listed])
})

test('no tool of the workspace runs there, for an administrator neither', async () => {
  const w = await world()
  const space = await spaceOf(w, 'public')
  const door = await mcpOfSpace(w, space, '', w.people.admin.token)
  for (const name of ['create_change_request', 'edit_change_request', 'comment', 'ask', 'list_spaces'])
    await assert.rejects(door.use(name, { space, subject: 'x', text: 'x' }), { code: -32602 })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests?status=all`)
  assert.equal(body.count, 0)
})

test('it reveals nothing of other spaces, to any caller', async () => {
  const w = await world()
  const space = await spaceOf(w, 'public')
  const other = await spaceWith(w, OTHER, { visibility: 'public' })
  const foreign = await pageOf(await mcpOfSpace(w, other))
  const door = await mcpOfSpace(w, space, '', w.people.admin.token)
  const found = await door.use('search', { query: 'lighthouse' })
  assert.doesNotMatch(found.text, /keeper|Vault/)
  const attempts = [
    { page: foreign },
    { page: `../../../${other}/content/page/${foreign}` },
    { page: '..' },
    { path: `../../../${other}/content/page/${foreign}` },
    { path: '../..' },
    { path: '%2e%2e/%2e%2e' },
    { page: foreign, space: other },
  ]
  for (const args of attempts) {
    const { isError, text } = await door.use('read_page', args)
    assert.equal(isError, true, JSON.stringify(args))
    assert.doesNotMatch(text, /keeper|Vault/)
  }
  for (const uri of [
    `octavo://spaces/${other}/pages/${foreign}`,
    `octavo://spaces/${space}/pages/..%2F..%2F..%2F${other}%2Fcontent%2Fpage%2F${foreign}`,
    `octavo://spaces/${space}/pages/${foreign}`,
    `octavo://spaces/${space}/pages/%2e%2e`,
    `octavo://spaces/${other}/pages/${await pageOf(door)}`,
  ])
    await assert.rejects(door.client.readResource({ uri }), { code: -32002 }, uri)
})

test('a space that is not open asks for what its visitors bring', async () => {
  const w = await world()
  const [closed, shared, vouched] = await Promise.all(
    ['private', 'share-link', 'visitor-auth'].map(visibility => spaceOf(w, visibility)),
  )
  assert.ok(closed !== undefined && shared !== undefined && vouched !== undefined)
  for (const space of [closed, shared, vouched, 'nowhere'])
    await assert.rejects(mcpOfSpace(w, space), { code: 401 }, space)
  const { key } = await shareLinkOf(w, shared)
  const token = await visitorTokenOf(w, vouched)
  const reads = async (door: Promise<McpClient>) => {
    const client = await door
    return (await client.use('read_page', { page: await pageOf(client) })).text
  }
  for (const door of [
    mcpOfSpace(w, shared, `?shareKey=${key}`),
    mcpOfSpace(w, vouched, `?jwt_token=${token}`),
    mcpOfSpace(w, vouched, '', token),
    mcpOfSpace(w, closed, '', w.people.read.token),
  ])
    assert.match(await reads(door), /The lighthouse is green\./)
  for (const door of [
    mcpOfSpace(w, shared, `?shareKey=${key}x`),
    mcpOfSpace(w, closed, `?shareKey=${key}`),
    mcpOfSpace(w, closed, `?jwt_token=${token}`),
  ])
    await assert.rejects(door, { code: 401 })
  await assert.rejects(mcpOfSpace(w, closed, '', w.people.stranger.token), { code: 404 })
})

test('pages of other sites are refused', async () => {
  const w = await world()
  const space = await spaceOf(w, 'public')
  const { statusCode } = await w.app.inject({
    method: 'POST',
    url: `/s/${space}/~mcp`,
    headers: { origin: 'https://evil.example', accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
  })
  assert.equal(statusCode, 403)
})

test('closing the space ends access, even for clients that are connected', async () => {
  const w = await world()
  const space = await spaceOf(w, 'public')
  const door = await mcpOfSpace(w, space)
  const page = await pageOf(door)
  await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'private' } })
  await assert.rejects(door.use('read_page', { page }), { code: 401 })
  await assert.rejects(door.use('search', { query: 'lighthouse' }), { code: 401 })
  await assert.rejects(door.client.listResources(), { code: 401 })
})
