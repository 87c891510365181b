// `octavo token`: a token on standard output and nothing else, whether a server runs or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newHome, startedHome } from '../support/home.ts'
import { appears, type Environment, octavo, run, type Server, serve } from '../support/process.ts'

const TOKEN_LINE = /^octv_[\w-]{40,}\n$/

const statusOf = async (server: Server, method: string, path: string, token: string): Promise<number> =>
  (await server.call(method, path, { token })).status

test('the token is printed alone and is enforced, with the server stopped, starting and running', async () => {
  const home = await startedHome()
  const env = { OCTAVO_HOME: home, OCTAVO_SOMETHING: 'unknown' }
  await assertRefused(env)
  const stopped = await run(['token', 'Admin@LocalHost'], { env })
  assert.match(stopped.stdout, TOKEN_LINE)
  assert.equal(stopped.code, 0)

  const starting = serve(home, { env })
  await appears(home, 'lock')
  const narrow = await run(['token', 'admin@localhost', '--scopes', 'space:read, organization:read'], { env })
  assert.match(narrow.stdout, TOKEN_LINE)
  const server = await starting

  const expiresAt = new Date(Date.now() + 60_000)
  const brief = await run(['token', 'admin@localhost', '--expires', expiresAt.toISOString()], { env })
  assert.match(brief.stdout, TOKEN_LINE)
  assert.equal(brief.stderr, '')

  const [whole = '', narrowed = '', expiring = ''] = [stopped, narrow, brief].map(({ stdout }) =>
    stdout.trim(),
  )
  assert.equal(await statusOf(server, 'GET', '/user', expiring), 200)
  assert.equal(await statusOf(server, 'GET', '/user/tokens', whole), 200)
  const { body: organizations } = await server.call('GET', '/orgs', { token: narrowed })
  const spaces = `/orgs/${organizations.items[0].id}/spaces`
  assert.equal(await statusOf(server, 'GET', spaces, narrowed), 200)
  assert.equal(await statusOf(server, 'POST', spaces, narrowed), 403)
  assert.equal(await statusOf(server, 'GET', '/user/tokens', narrowed), 403)
  const { body: tokens } = await server.call('GET', '/user/tokens')
  const expiries = tokens.items.map((token: { expiresAt: string | null }) => token.expiresAt)
  assert.deepEqual(expiries.filter(Boolean), [expiresAt.toISOString()])

  await assertRefused(env)
  const { body: made } = await server.call('GET', '/user/tokens')
  assert.equal(made.items.length, 1 + [stopped, narrow, brief].length, 'none was made where it was refused')

  const { stdout } = await run(['token', 'admin@localhost', '--may', 'propose'], { env })
  assert.match(stdout, TOKEN_LINE)
  await assertMayOnlyPropose(server, stdout.trim())
})

/** With nothing on standard output. What else is refused, and in which words: src/cli/token.test.ts. */
async function assertRefused(env: Environment): Promise<void> {
  const { code, stdout, stderr } = await run(['token', 'nobody@localhost'], { env })
  assert.match(stderr, /no user with the address nobody@localhost/)
  assert.doesNotMatch(stderr, /\n {4}at /)
  assert.deepEqual([code, stdout], [1, ''])
}

/** One line makes a token that may propose and not merge. */
async function assertMayOnlyPropose(server: Server, token: string): Promise<void> {
  const { body: organizations } = await server.call('GET', '/orgs', { token })
  const { body: spaces } = await server.call('GET', `/orgs/${organizations.items[0].id}/spaces`, { token })
  const s = `/spaces/${spaces.items[0].id}`
  const made = await server.call('POST', `${s}/change-requests`, { token })
  assert.equal(made.status, 201)
  assert.equal(await statusOf(server, 'POST', `${s}/change-requests/${made.body.id}/merge`, token), 403)
  assert.equal(await statusOf(server, 'POST', `${s}/content`, token), 403)
}

test('`octavo migrate` brings an empty folder to a shape that `token` and `serve` find, and says so', async () => {
  const home = await newHome()
  const { code, stdout, stderr } = await octavo(['migrate'], { env: { OCTAVO_HOME: home } }).ended
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(stderr, /up to date/)
})
