// How a server ends: what is in flight is finished or told that it was not, and nothing is left in the way of the next.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { newHome } from '../support/home.ts'
import {
  ADMIN_TOKEN,
  appears,
  octavo,
  ROOT,
  run,
  type Server,
  serve,
  slowness,
  start,
  temporaryFolder,
} from '../support/process.ts'
import { createRepository } from '../support/repositories.ts'

const PAGES = 100
// As long as Node's client keeps the connection of an answered request, on a machine that does things at once.
const KEPT_MS = 4_500 * slowness

let host: GitServer

before(async () => {
  const root = temporaryFolder()
  const repository = await createRepository(root)
  await repository.commit({
    changes: Array.from({ length: PAGES }, (_, index) => ({
      path: `page-${index}.md`,
      content: `# Page ${index}\n\nText.\n`,
    })),
  })
  host = await startGitServer({ root })
})
after(() => host?.close())

const organizationOf = async (server: Server): Promise<string> =>
  (await server.call('GET', '/orgs')).body.items[0].id

const titlesOf = async (server: Server): Promise<string[]> => {
  const { body } = await server.call('GET', `/orgs/${await organizationOf(server)}/spaces`)
  return body.items.map((space: { title: string }) => space.title)
}

async function createSpace(server: Server, title: string): Promise<string> {
  const { status, body } = await server.call('POST', `/orgs/${await organizationOf(server)}/spaces`, {
    body: { title },
  })
  assert.equal(status, 201)
  return body.id
}

async function startImport(server: Server, space: string): Promise<string> {
  const { status, headers } = await server.call('POST', `/spaces/${space}/git/import`, {
    body: { url: host.urlOf('docs.git'), ref: 'refs/heads/main' },
  })
  assert.equal(status, 204)
  return new URL(headers.get('location') ?? '').pathname.replace('/v1', '')
}

/** A request of which the server has seen the head and waits for the body. */
async function beginPost(server: Server, path: string, body: string) {
  const outgoing = request(`${server.url}/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  })
  const answer = new Promise<number | string | undefined>(resolve => {
    outgoing.once('response', response => resolve(response.resume().statusCode))
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  await new Promise(resolve => outgoing.once('continue', resolve).flushHeaders())
  return { answer, finish: () => outgoing.end(body) }
}

const assertNothingIsLeft = (home: string) =>
  assert.deepEqual(
    readdirSync(home).filter(name => /lock|sock/.test(name)),
    [],
  )

test('a request in flight is answered, an import comes to an end, the exit code is 0, for SIGTERM and SIGINT', async () => {
  const home = await newHome()
  const server = await serve(home)
  const organization = await organizationOf(server)
  const space = await createSpace(server, 'Imported')
  const operation = await startImport(server, space)
  const slow = await beginPost(server, `/orgs/${organization}/spaces`, '{"title":"Slow"}')
  server.signal('SIGTERM')
  await server.says(/"msg":"stopping"/, 'stderr')
  slow.finish()
  assert.equal(await slow.answer, 201)
  const { code } = await server.ended
  assert.equal(code, 0)
  assertNothingIsLeft(home)
  const endedAt = Date.now()

  const again = await serve(home)
  assert.ok((await titlesOf(again)).includes('Slow'), 'what was acknowledged is there')
  const { body } = await again.call('GET', operation)
  const { body: content } = await again.call('GET', `/spaces/${space}/content/pages`)
  // So few pages fit into what a stop waits, unless the machine is busy.
  if (body.state === 'success') {
    assert.equal(content.pages.length, PAGES)
    const waited = endedAt - Date.parse(body.completedAt)
    assert.ok(waited < KEPT_MS, `${waited} ms: it waited for a connection that the client keeps`)
  } else assert.deepEqual([body.state, body.errorCode, content.pages], ['failure', 'interrupted', []])
  assert.equal((await again.end('SIGINT')).code, 0)
  assertNothingIsLeft(home)
})

test('what does not come to an end is cut off: its operation says so, and so does the command', async () => {
  const home = await newHome()
  const server = await serve(home)
  const space = await createSpace(server, 'Hanging')
  host.misbehave({ kind: 'hang', onlyPacks: true })
  const operation = await startImport(server, space)
  const command = octavo(['import', host.urlOf('docs.git'), '--title', 'Command'], {
    env: { OCTAVO_HOME: home },
  })
  await command.says(/^fetching$/m, 'stderr')
  const endless = await beginPost(
    server,
    `/orgs/${await organizationOf(server)}/spaces`,
    '{"title":"Endless"}',
  )
  server.signal('SIGTERM')
  const [stopped, told] = await Promise.all([server.ended, command.ended])
  assert.equal(stopped.code, 0)
  assert.equal(await endless.answer, 'ECONNRESET')
  assert.match(told.stderr, /^octavo: The server stopped before this was done/m)
  assert.deepEqual([told.code, told.stdout], [1, ''])
  assertNothingIsLeft(home)

  host.misbehave(undefined)
  const again = await serve(home)
  assert.deepEqual((await titlesOf(again)).sort(), ['Hanging', 'Octavo'])
  const { body } = await again.call('GET', operation)
  assert.deepEqual([body.state, body.errorCode], ['failure', 'interrupted'])
  assert.match(body.error, /stopped before this was done/)
})

// npm passes a signal to the shell that it starts; unless that has made way for the server, the server outlives both.
test('a signal to `npm start` reaches the server, and npm ends as the server does', async () => {
  const home = await newHome()
  const npm = start('npm', ['start'], { cwd: ROOT, env: { OCTAVO_HOME: home, PORT: '0' } })
  await npm.says(/^Octavo is ready at/m)
  const { code, stderr } = await npm.end('SIGTERM')
  assert.equal(code, 0)
  assert.match(stderr, /"msg":"stopping"/)
  assertNothingIsLeft(home)
})

test('a stop that comes while it starts ends it too', async () => {
  const home = await newHome()
  const starting = octavo(['serve'], { env: { OCTAVO_HOME: home, PORT: '0' } })
  await appears(home, 'lock')
  const { code } = await starting.end('SIGTERM')
  assert.equal(code, 0)
  assertNothingIsLeft(home)
  const server = await serve(home)
  assert.equal((await server.get('/readyz')).status, 200)
})

test('a second process on the folder is refused by the number of the first, which goes on', async () => {
  const home = await newHome()
  const server = await serve(home)
  const [second, migrate] = await Promise.all([
    run(['serve'], { env: { OCTAVO_HOME: home, PORT: new URL(server.url).port } }),
    run(['migrate'], { env: { OCTAVO_HOME: home } }),
  ])
  for (const { code, stdout, stderr } of [second, migrate]) {
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, new RegExp(`^octavo: ${home} is in use by process ${server.pid}\\.[^\n]*\n$`))
  }
  assert.ok(existsSync(`${home}/lock`))
  assert.equal((await server.get('/readyz')).status, 200)
  assert.equal((await run(['token', 'admin@localhost'], { env: { OCTAVO_HOME: home } })).code, 0)
})
