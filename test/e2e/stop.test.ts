// How a server ends: what is in flight is finished or told that it was not, and nothing is left in the way of the next.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { startedHome } from '../support/home.ts'
import {
  ADMIN_TOKEN,
  appears,
  type Calls,
  callsTo,
  octavo,
  ROOT,
  type Running,
  run,
  type Server,
  serve,
  start,
  temporaryFolder,
} from '../support/process.ts'
import { createRepository } from '../support/repositories.ts'

const PAGES = 100

let root = ''
const hosts: GitServer[] = []

before(async () => {
  root = temporaryFolder()
  const repository = await createRepository(root)
  await repository.commit({
    changes: Array.from({ length: PAGES }, (_, index) => ({
      path: `page-${index}.md`,
      content: `# Page ${index}\n\nText.\n`,
    })),
  })
})
after(() => Promise.all(hosts.map(host => host.close())))

async function openHost(): Promise<GitServer> {
  const host = await startGitServer({ root })
  hosts.push(host)
  return host
}

const organizationOf = async (server: Calls): Promise<string> =>
  (await server.call('GET', '/orgs')).body.items[0].id

const titlesOf = async (server: Calls): Promise<string[]> => {
  const { body } = await server.call('GET', `/orgs/${await organizationOf(server)}/spaces`)
  return body.items.map((space: { title: string }) => space.title)
}

async function createSpace(server: Calls, title: string): Promise<string> {
  const { status, body } = await server.call('POST', `/orgs/${await organizationOf(server)}/spaces`, {
    body: { title },
  })
  assert.equal(status, 201)
  return body.id
}

async function startImport(server: Calls, host: GitServer, space: string): Promise<string> {
  const { status, headers } = await server.call('POST', `/spaces/${space}/git/import`, {
    body: { url: host.urlOf('docs.git'), ref: 'refs/heads/main' },
  })
  assert.equal(status, 204)
  return new URL(headers.get('location') ?? '').pathname.replace('/v1', '')
}

/** A request of which the server has seen the head and waits for the body. Its connection is kept once it is answered. */
async function beginPost(server: { readonly url: string }, path: string, body: string) {
  const outgoing = request(`${server.url}/v1${path}`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
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
  const socket = outgoing.socket ?? assert.fail('it is connected')
  const isClosed = once(socket, 'close')
  return { answer, isClosed, finish: () => outgoing.end(body) }
}

const assertNothingIsLeft = (home: string) =>
  assert.deepEqual(
    readdirSync(home).filter(name => /lock|sock/.test(name)),
    [],
  )

describe('a server that is stopped, and started again on its folder', () => {
  let home = ''
  let server: Server
  let npm: Running & Calls & { readonly url: string }
  let imported: { readonly space: string; readonly operation: string }

  before(async () => {
    home = await startedHome()
  })

  test('a stop that comes while it starts ends it too, and the next start is as ever', async () => {
    const env = { OCTAVO_HOME: home, PORT: '0', OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN }
    const starting = octavo(['serve'], { env })
    await appears(home, 'lock')
    const { code } = await starting.end('SIGTERM')
    assert.equal(code, 0)
    assertNothingIsLeft(home)
    server = await serve(home)
    assert.equal((await server.get('/readyz')).status, 200)
  })

  test('a second process on the folder is refused by the number of the first, which goes on', async () => {
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

  test('requests in flight are answered, an import comes to an end, the exit code is 0', async () => {
    const organization = await organizationOf(server)
    const space = await createSpace(server, 'Imported')
    imported = { space, operation: await startImport(server, await openHost(), space) }
    const [slow, slower] = [
      await beginPost(server, `/orgs/${organization}/spaces`, '{"title":"Slow"}'),
      await beginPost(server, `/orgs/${organization}/spaces`, '{"title":"Slower"}'),
    ]
    server.signal('SIGTERM')
    await server.says(/"msg":"stopping"/, 'stderr')
    slow.finish()
    assert.equal(await slow.answer, 201)
    // Were it to wait for a connection that the client keeps, it would cut off this one and the other together.
    await slow.isClosed
    slower.finish()
    assert.equal(await slower.answer, 201)
    assert.equal((await server.ended).code, 0)
    assertNothingIsLeft(home)
  })

  test('what was acknowledged is there, as `npm start` serves it', async () => {
    const env = {
      ...{ OCTAVO_HOME: home, PORT: '0', OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN },
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    }
    const running = start('npm', ['start'], { cwd: ROOT, env })
    const [, url = ''] = await running.says(/^Octavo is ready at (\S+)$/m)
    npm = Object.assign(running, { url, ...callsTo(url, ADMIN_TOKEN) })
    assert.deepEqual((await titlesOf(npm)).sort(), ['Imported', 'Octavo', 'Slow', 'Slower'])
    const { body } = await npm.call('GET', imported.operation)
    const { body: content } = await npm.call('GET', `/spaces/${imported.space}/content/pages`)
    // So few pages fit into what a stop waits, unless the machine is busy.
    if (body.state === 'success') assert.equal(content.pages.length, PAGES)
    else assert.deepEqual([body.state, body.errorCode, content.pages], ['failure', 'interrupted', []])
  })

  // npm passes a signal to the shell that it starts; unless that has made way for the server, the server outlives both.
  test('a signal to `npm start` reaches the server, and npm ends as it does; what does not come to an end is cut off: its operation says so, and so does the command', async () => {
    const space = await createSpace(npm, 'Hanging')
    const host = await openHost()
    host.misbehave({ kind: 'hang', onlyPacks: true })
    const operation = await startImport(npm, host, space)
    const command = octavo(['import', host.urlOf('docs.git'), '--title', 'Command'], {
      env: { OCTAVO_HOME: home },
    })
    await command.says(/^fetching$/m, 'stderr')
    const endless = await beginPost(npm, `/orgs/${await organizationOf(npm)}/spaces`, '{"title":"Endless"}')
    npm.signal('SIGTERM')
    const [stopped, told] = await Promise.all([npm.ended, command.ended])
    assert.equal(stopped.code, 0)
    assert.match(stopped.stderr, /"msg":"stopping"/)
    assert.equal(await endless.answer, 'ECONNRESET')
    assert.match(told.stderr, /^octavo: The server stopped before this was done/m)
    assert.deepEqual([told.code, told.stdout], [1, ''])
    assertNothingIsLeft(home)

    const again = await serve(home)
    assert.deepEqual((await titlesOf(again)).sort(), ['Hanging', 'Imported', 'Octavo', 'Slow', 'Slower'])
    const { body } = await again.call('GET', operation)
    assert.deepEqual([body.state, body.errorCode], ['failure', 'interrupted'])
    assert.match(body.error, /stopped before this was done/)
    assert.equal((await again.end('SIGINT')).code, 0)
    assertNothingIsLeft(home)
  })
})
