// How a server ends: requests in flight are finished or fail clearly, and nothing is left in the way of the next.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { startedHome } from '../support/home.ts'
import type { Calls, Server } from '../support/process.ts'
import {
  ADMIN_TOKEN,
  appears,
  callsTo,
  octavo,
  ROOT,
  run,
  serve,
  start,
  temporaryFolder,
} from '../support/process.ts'
import { createRepository } from '../support/repositories.ts'

const PAGES = 100
// About 350 are what it takes. With V8's own budget for the embedded database it is 800.
const START_MEGABYTES_MAX = 600
const noPeak = !existsSync('/proc/self/status') && 'only Linux reports the memory of another process'

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

const organizationOf = async (server: Pick<Calls, 'call'>): Promise<string> =>
  (await server.call('GET', '/orgs')).body.items[0].id

const titlesOf = async (server: Pick<Calls, 'call'>): Promise<string[]> => {
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
  let imported: { readonly space: string; readonly operation: string }
  let hanging = ''

  before(async () => {
    home = await startedHome()
  })

  test('a stop during startup ends the server too, and the next start works as usual', async () => {
    const env = { OCTAVO_HOME: home, PORT: '0', OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN }
    const starting = octavo(['serve'], { env })
    await appears(home, 'lock')
    const { code } = await starting.end('SIGINT')
    assert.equal(code, 0)
    assertNothingIsLeft(home)
    server = await serve(home)
    assert.equal((await server.get('/readyz')).status, 200)
  })

  test('a start takes no memory to optimize what it runs once', { skip: noPeak }, () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    const peakMegabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
    assert.ok(peakMegabytes < START_MEGABYTES_MAX, `${peakMegabytes} MB`)
  })

  test('a second process on the folder is refused by the number of the first, which goes on', async () => {
    const { code, stdout, stderr } = await run(['migrate'], { env: { OCTAVO_HOME: home } })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, new RegExp(`^octavo: ${home} is in use by process ${server.pid}\\.[^\n]*\n$`))
    assert.ok(existsSync(`${home}/lock`))
    assert.equal((await server.get('/readyz')).status, 200)
  })

  test('a stop answers the requests in flight and brings an import to its end; what takes too long is cut off, and a command says so; the exit code is 0', async () => {
    const organization = await organizationOf(server)
    const hangingHost = await openHost()
    hangingHost.misbehave({ kind: 'hang', onlyPacks: true })
    hanging = await createSpace(server, 'Hanging')
    const command = octavo(['import', hangingHost.urlOf('docs.git'), '--space', hanging], {
      env: { OCTAVO_HOME: home },
    })
    await command.says(/^fetching$/m, 'stderr')
    const quick = await createSpace(server, 'Imported')
    imported = { space: quick, operation: await startImport(server, await openHost(), quick) }
    const [slow, slower, endless] = [
      await beginPost(server, `/orgs/${organization}/spaces`, '{"title":"Slow"}'),
      await beginPost(server, `/orgs/${organization}/spaces`, '{"title":"Slower"}'),
      await beginPost(server, `/orgs/${organization}/spaces`, '{"title":"Endless"}'),
    ]

    server.signal('SIGTERM')
    await server.says(/"msg":"stopping"/, 'stderr')
    slow.finish()
    assert.equal(await slow.answer, 201)
    // Were it to wait for a connection that the client keeps, it would cut off this one and the other together.
    await slow.isClosed
    slower.finish()
    assert.equal(await slower.answer, 201)
    assert.equal(await endless.answer, 'ECONNRESET')
    const told = await command.ended
    assert.match(told.stderr, /^octavo: The server stopped before this was done/m)
    assert.deepEqual([told.code, told.stdout], [1, ''])
    assert.equal((await server.ended).code, 0)
    assertNothingIsLeft(home)
  })

  // npm passes a signal to the shell that it starts; unless that has made way for the server, the server outlives both.
  test('what was acknowledged is there and what was cut off says so, as `npm start` serves it, and a signal to that reaches the server', async () => {
    const env = { OCTAVO_HOME: home, PORT: '0', OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN }
    const npm = start('npm', ['start'], { cwd: ROOT, env })
    const [, url = ''] = await npm.says(/^Octavo is ready at (\S+)$/m)
    const { call } = callsTo(url, ADMIN_TOKEN)
    assert.deepEqual((await titlesOf({ call })).sort(), ['Hanging', 'Imported', 'Octavo', 'Slow', 'Slower'])
    const { body } = await call('GET', imported.operation)
    const { body: content } = await call('GET', `/spaces/${imported.space}/content/pages`)
    // So few pages fit into what a stop waits, unless the machine is busy.
    if (body.state === 'success') assert.equal(content.pages.length, PAGES)
    else assert.deepEqual([body.state, body.errorCode, content.pages], ['failure', 'interrupted', []])
    const { body: operations } = await call('GET', `/spaces/${hanging}/git/operations`)
    const [cut] = operations.items
    assert.deepEqual([operations.items.length, cut.state, cut.errorCode], [1, 'failure', 'interrupted'])
    assert.match(cut.error, /stopped before this was done/)

    const { code, stderr } = await npm.end('SIGTERM')
    assert.equal(code, 0)
    assert.match(stderr, /"msg":"stopping"/)
    assertNothingIsLeft(home)
  })
})
