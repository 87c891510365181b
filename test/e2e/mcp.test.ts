// `octavo mcp`: the official client starts it and speaks with it over standard input and output.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { startedHome } from '../support/home.ts'
import { clientOver } from '../support/mcp-client.ts'
import { commandOf, type Environment, run, serve } from '../support/process.ts'

const clientOf = (args: readonly string[], env: Environment) =>
  clientOver(new StdioClientTransport(commandOf(['mcp', ...args], env)))

test('with a token it reads and proposes; with --space it reads that space', async () => {
  const server = await serve(await startedHome())
  const { body: organizations } = await server.call('GET', '/orgs')
  const organization = organizations.items[0].id
  const { body: spaces } = await server.call('GET', `/orgs/${organization}/spaces`)
  const space = spaces.items[0].id
  assert.equal(
    (
      await server.call('PATCH', `/spaces/${space}`, {
        body: { visibility: 'public', searchScope: 'organization' },
      })
    ).status,
    200,
  )

  const [workspace, reader] = await Promise.all([
    clientOf(['--url', `${server.url}/`], { OCTAVO_TOKEN: server.token }),
    clientOf(['--url', server.url, '--space', space], {}),
  ])
  const found = await workspace.use('search', { query: 'change request' })
  assert.match(found.text, new RegExp(`space ${space}`))
  const opened = await workspace.use('create_change_request', { space, subject: 'Over stdio' })
  assert.deepEqual([opened.isError, /#\d+ was opened/.test(opened.text)], [false, true], opened.text)

  const { tools } = await reader.client.listTools()
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['list_pages', 'read_page', 'search'])
  const pages = await reader.use('list_pages')
  const [, page = ''] = /\(page (\S+),/.exec(pages.text) ?? []
  assert.match((await reader.use('read_page', { page })).text, /\n# /)
  const { resources } = await reader.client.listResources()
  assert.ok(resources.some(({ uri }) => uri === `octavo://spaces/${space}/pages/${page}`))
  await assert.rejects(reader.client.readResource({ uri: 'octavo://spaces/other/pages/other' }), {
    code: -32002,
  })

  await server.end('SIGTERM')
  const lost = await workspace.use('list_spaces')
  assert.deepEqual(
    [lost.isError, /does not answer like an Octavo server/.test(lost.text)],
    [true, true],
    lost.text,
  )
})

test('without a token and a space it says what it needs', async () => {
  const { code, stdout, stderr } = await run(['mcp'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /OCTAVO_TOKEN is needed/)
})
