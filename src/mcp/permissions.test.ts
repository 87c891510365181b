// What a tool may do is what the token of its caller may do, at that moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, liveAt } from '../../test/support/edits.ts'
import { mcpOf } from '../../test/support/mcp.ts'
import type { McpClient } from '../../test/support/mcp-client.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { serverWith } from '../../test/support/server.ts'
import { type World, world } from '../../test/support/world.ts'
import type { Config } from '../platform/config.ts'

const SECRET = 'The zeppelin lands at midnight behind the old brewery'
const FILES = { 'README.md': `# Flights\n\n${SECRET}.\n`, 'other.md': '# Other\n\nNothing.\n' }

async function tokenWith(w: World, body: object): Promise<string> {
  const { body: made } = await w.call('POST', '/user/tokens', { body: { label: 'test', ...body } })
  return made.token
}

/** Everything that any tool or resource says, asked in every way that could lead to the secret. */
async function everythingSaid({ client, use }: McpClient, args: Record<string, string>): Promise<string> {
  const { space, page, changeRequest, revision } = args
  const answers = await Promise.all([
    use('list_spaces'),
    use('search', { query: 'zeppelin' }),
    use('search', { query: `"${SECRET}"`, space }),
    use('ask', { question: 'Where does the zeppelin land at midnight?' }),
    use('list_pages', { space }),
    use('list_pages', { space, changeRequest }),
    use('read_page', { space, page }),
    use('read_page', { space, changeRequest, page }),
    use('list_change_requests', { space, status: 'all' }),
    use('list_change_requests', { status: 'all' }),
    use('read_changes', { space, changeRequest }),
    use('read_changes', { space, revision }),
    use('create_change_request', { space, subject: 'x' }),
    use('edit_change_request', { space, changeRequest, changes: [{ operation: 'delete_page', page }] }),
    use('comment', { space, text: 'x' }),
    use('read_page', { address: `https://octavo.test/s/${space}` }),
    use('read_page', { address: `octavo://spaces/${space}/pages/${page}` }),
    use('read_change_request', { space, changeRequest }),
    use('read_comments', { space, changeRequest, status: 'all' }),
    use('edit_change_request', {
      ...{ space, changeRequest },
      changes: [{ operation: 'replace_text', page, old: 'e', new: 'x' }],
    }),
    use('submit_change_request', { space, changeRequest }),
    use('request_reviewers', { space, changeRequest, users: [page] }),
    use('request_reviewers', { space, changeRequest, users: ['admin'], teams: ['a'] }),
    use('read_conflicts', { space, changeRequest }),
    use('settle_conflicts', { space, changeRequest, resolutions: [] }),
    use('review_change_request', { space, changeRequest, verdict: 'approved' }),
    use('merge_change_request', { space, changeRequest }),
    use('undo', { space, revision }),
    use('undo', { space, changeRequest, how: 'now' }),
  ])
  const said = answers.map(({ text }) => text)
  let cursor: string | undefined
  do {
    const list = await client.listResources(cursor === undefined ? {} : { cursor })
    said.push(JSON.stringify(list))
    cursor = list.nextCursor
  } while (cursor !== undefined)
  const uri = `octavo://spaces/${space}/pages/${page}`
  said.push(await client.readResource({ uri }).then(JSON.stringify, String))
  return said.join('\n')
}

test('a secret is in no answer right after the permission to read it went', async () => {
  const w = await world()
  const space = await spaceWith(w, FILES, { title: 'Zeppelins' })
  await spaceWith(w, { 'README.md': '# Trains\n' })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, { body: { subject: 'Airships' } })
  const at = { spaceId: space, id: body.id, path: `/spaces/${space}/change-requests/${body.id}` }
  await edit(w, at, { operation: 'insert_page', document: { markdown: `# More\n\n${SECRET}, again.\n` } })
  const { body: pages } = await w.call('GET', `/spaces/${space}/content/pages`)
  const { changes } = await edit(w, liveAt(space), {
    operation: 'insert_page',
    title: 'Airport',
    document: {},
  })
  assert.equal(changes.length, 1)
  const { body: now } = await w.call('GET', `/spaces/${space}`)
  const args = { space, page: pages.pages[0].id, changeRequest: String(body.number), revision: now.revision }

  const mcp = await mcpOf(w, 'read')
  const before = await everythingSaid(mcp, args)
  assert.equal(before.split(SECRET).length > 5, true, before)
  assert.match(before, /Zeppelins/)
  await w.call('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } })
  const after = await everythingSaid(mcp, args)
  assert.doesNotMatch(after, /zeppelins?\b(?!")|midnight|brewery|Airships|Airport/i, after)
  const { body: unchanged } = await w.call('GET', `/spaces/${space}/change-requests?status=all`)
  assert.equal(unchanged.count, 1)
})

test('a token that only reads cannot write, and one that proposes changes nothing that readers see', async () => {
  const w = await world()
  const space = await spaceWith(w, FILES)
  const { body: pages } = await w.call('GET', `/spaces/${space}/content/pages`)
  const page = pages.pages[0].id
  const { revision } = (await w.call('GET', `/spaces/${space}`)).body
  const write = async ({ use }: McpClient) => {
    const opened = await use('create_change_request', { space, subject: 'A change request' })
    const changeRequest = /#(\d+)/.exec(opened.text)?.[1] ?? '1'
    const edited = await use('edit_change_request', {
      ...{ space, changeRequest },
      changes: [{ operation: 'delete_page', page }],
    })
    const commented = await use('comment', { space, text: 'Hello.' })
    return [opened, edited, commented]
  }
  const reader = await mcpOf(w, { token: await tokenWith(w, { may: 'read' }) })
  for (const { isError, text } of await write(reader)) {
    assert.equal(isError, true, text)
    assert.match(text, /lacks the scope/)
  }
  const listed = await w.call('GET', `/spaces/${space}/change-requests?status=all`)
  assert.equal(listed.body.count, 0)
  assert.match((await reader.use('read_page', { space, page })).text, /zeppelin/)

  const proposer = await mcpOf(w, { token: await tokenWith(w, { may: 'propose' }) })
  for (const { isError, text } of await write(proposer)) assert.equal(isError, false, text)
  assert.equal((await w.call('GET', `/spaces/${space}`)).body.revision, revision)
})

/** Calls a tool through a server with other settings. */
async function callThrough(w: World, settings: Partial<Config>, name: string, args: object) {
  const app = serverWith(w, settings)
  const { payload } = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${w.people.edit.token}`,
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': '203.0.113.9',
      'x-request-id': 'request-of-a-program',
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })
  await app.close()
  return JSON.parse(payload).result
}

test('what is written is in the audit as if the caller had sent it: who, from where, and in which request', async () => {
  const w = await world()
  const space = await spaceWith(w, FILES)
  await callThrough(w, { trustProxy: true }, 'create_change_request', { space, subject: 'Seen' })
  const events = `/orgs/${w.organizationId}/audit-events`
  const { body: listed } = await w.call('GET', `${events}?action=change_request.created`)
  const { body: event } = await w.call('GET', `${events}/${listed.items[0].id}`)
  assert.deepEqual(
    [event.actor.id, event.source, event.address, event.correlationId],
    [w.people.edit.id, 'api', '203.0.113.9', 'request-of-a-program'],
  )
})

test('each request of a tool counts against the limit of its caller', async () => {
  const w = await world()
  const { isError, content } = await callThrough(w, { requestsPerMinute: 1 }, 'list_spaces', {})
  assert.equal(isError, true)
  assert.match(content[0].text, /More than 1 requests in a minute/)
})

test('who belongs to several organizations is asked which one', async () => {
  const w = await world()
  await spaceWith(w, FILES)
  const { body } = await w.call('POST', '/orgs', { body: { title: 'Second' } })
  const { use } = await mcpOf(w, 'admin')
  const { isError, text } = await use('search', { query: 'zeppelin' })
  assert.equal(isError, true)
  assert.match(text, new RegExp(`Name one of .*${body.id} \\(Second\\)`))
  const named = await use('search', { query: 'zeppelin', organization: w.organizationId })
  assert.match(named.text, /Flights/)
  const foreign = await mcpOf(w, 'stranger')
  const refused = await foreign.use('search', { query: 'zeppelin', organization: w.organizationId })
  assert.deepEqual([refused.isError, /zeppelin/i.test(refused.text)], [true, false])
})
