// `octavo token`: a token on standard output and nothing else, whether a server runs or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedHome } from '../support/home.ts'
import { appears, run, type Server, serve } from '../support/process.ts'

const TOKEN_LINE = /^octv_[\w-]{40,}\n$/

const statusOf = async (server: Server, method: string, path: string, token: string): Promise<number> =>
  (await server.call(method, path, { token })).status

test('the token is printed alone and is enforced, with the server stopped, starting and running', async () => {
  const home = await startedHome()
  const env = { OCTAVO_HOME: home, OCTAVO_SOMETHING: 'unknown' }
  const make = async (...options: string[]): Promise<string> => {
    const { code, stdout } = await run(['token', 'Admin@LocalHost', ...options], { env })
    assert.match(stdout, TOKEN_LINE)
    assert.equal(code, 0)
    return stdout.trim()
  }
  const whole = await make()
  const starting = serve(home, { env })
  await appears(home, 'lock')
  const narrow = await make('--scopes', 'space:read, organization:read')
  const server = await starting
  const expiresAt = new Date(Date.now() + 600_000)
  const brief = await make('--may', 'propose', '--expires', expiresAt.toISOString())

  assert.equal(await statusOf(server, 'GET', '/user/tokens', whole), 200)
  const { body: organizations } = await server.call('GET', '/orgs', { token: narrow })
  const spaces = `/orgs/${organizations.items[0].id}/spaces`
  assert.equal(await statusOf(server, 'GET', spaces, narrow), 200)
  assert.equal(await statusOf(server, 'POST', spaces, narrow), 403)
  assert.equal(await statusOf(server, 'GET', '/user/tokens', narrow), 403)
  await assertMayOnlyPropose(server, brief)

  // What else is refused, and in which words: src/cli/token.test.ts.
  const refused = await run(['token', 'nobody@localhost'], { env: { OCTAVO_HOME: home } })
  assert.match(refused.stderr, /^octavo: [^\n]*no user with the address nobody@localhost[^\n]*\n$/)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  const { body: tokens } = await server.call('GET', '/user/tokens')
  assert.equal(tokens.items.length, 1 + [whole, narrow, brief].length, 'none was made where it was refused')
  const expiries = tokens.items.map((token: { expiresAt: string | null }) => token.expiresAt)
  assert.deepEqual(expiries.filter(Boolean), [expiresAt.toISOString()])
})

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

test('`octavo migrate` brings a folder to the shape that `serve` finds, and says so', async () => {
  const home = await startedHome()
  const { code, stdout, stderr } = await run(['migrate'], { env: { OCTAVO_HOME: home } })
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(stderr, /up to date/)
})
