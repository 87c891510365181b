// How a server goes that others stand beside: it says so first, and answers on.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { anyInstallation, isPostgres, newInstallation } from '../support/own-database.ts'
import { appears, octavo, serve } from '../support/process.ts'

type Answer = {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One agent has one connection. */
function ask(agent: Agent, url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent })
    outgoing.once('error', reject)
    outgoing.once('response', async response => {
      let body = ''
      for await (const part of response.setEncoding('utf8')) body += part
      resolve({ status: response.statusCode, headers: response.headers, body })
    })
    outgoing.end()
  })
}

const agentOfOne = () => new Agent({ keepAlive: true, maxSockets: 1 })

describe('a server that gets SIGTERM', () => {
  test('says at /readyz that it stops, answers on, and ends each connection with its answer; a second SIGTERM ends it at once', async () => {
    const { home, env } = await anyInstallation()
    const server = await serve(home, { env: { ...env, OCTAVO_DRAIN_SECONDS: '600' } })
    const agent = agentOfOne()
    const before = await ask(agent, `${server.url}/healthz`)
    assert.equal(before.headers.connection, 'keep-alive')

    server.signal('SIGTERM')
    await server.says(/"msg":"stopping"/, 'stderr')
    const ready = await ask(agentOfOne(), `${server.url}/readyz`)
    assert.deepEqual([ready.status, JSON.parse(ready.body)], [503, { status: 'stopping' }])
    const kept = await ask(agent, `${server.url}/healthz`)
    assert.deepEqual([kept.status, kept.headers.connection], [200, 'close'])
    assert.equal((await server.call('GET', '/user')).status, 200)
    const refused = await server.call('GET', '/spaces/none', { token: null })
    assert.deepEqual([refused.status, refused.body.error.code], [401, 401])

    let ended = false
    void server.ended.then(() => {
      ended = true
    })
    // One right behind the first may be the same, passed on by npm: it is sent until it counts.
    while (!ended) {
      server.signal('SIGTERM')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    assert.equal((await server.ended).code, 143)
    const again = await serve(home, { env })
    assert.equal((await again.call('GET', '/user')).status, 200)
    await again.end('SIGINT')
  })

  test('answers a request whose head is complete after the listener has closed, in the shape of the API', async () => {
    const { home, env } = await anyInstallation()
    const server = await serve(home, { env: { ...env, OCTAVO_DRAIN_SECONDS: '0' } })
    const port = Number(new URL(server.url).port)
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /v1/nowhere HTTP/1.1\r\nHost: localhost\r\n')
    // Its head has arrived when a later request is answered.
    await server.call('GET', '/user')
    server.signal('SIGTERM')
    while (await isListening(port));
    socket.write('\r\n')
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 404 /)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    assert.deepEqual([body.error.code, typeof body.error.message], [404, 'string'])
    assert.equal((await server.ended).code, 0)
  })
})

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

describe('a signal while the database is migrated', () => {
  test('leaves whole migrations, and the next start does the others', {
    skip: !isPostgres && 'another session has to hold the migrations up; with PostgreSQL this runs',
  }, async () => {
    const { home, env } = await newInstallation()
    const holder = new Client({ connectionString: env.DATABASE_URL })
    await holder.connect()
    // The key of the lock in platform/db/migrate.ts.
    const LOCK = 0x6f63_7461_766f
    await holder.query('select pg_advisory_lock($1)', [LOCK])
    const starting = octavo(['serve'], { env: { OCTAVO_HOME: home, PORT: '0', ...env } })
    await appears(home, 'lock')
    const isWaiting = `select from pg_stat_activity
      where datname = current_database() and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`
    while ((await holder.query(isWaiting)).rowCount === 0);
    const { code, stderr } = await starting.end('SIGTERM')
    assert.equal(code, 0, stderr)
    await holder.end()
    const server = await serve(home, { env })
    assert.equal((await server.get('/readyz')).status, 200)
    await server.end('SIGINT')
  })
})

test('a server whose lock is removed ends at once, and the next one has what was acknowledged', async () => {
  const { home, env } = await anyInstallation()
  const server = await serve(home, { env })
  const organization = (await server.call('GET', '/orgs')).body.items[0].id
  const path = `/orgs/${organization}/spaces`
  assert.equal((await server.call('POST', path, { body: { title: 'Kept' } })).status, 201)
  rmSync(join(home, 'lock'))
  const { code, stderr } = await server.ended
  assert.equal(code, 1)
  assert.match(stderr, /^octavo: The lock of .* was removed/m)
  const next = await serve(home, { env })
  const { body } = await next.call('GET', path)
  assert.ok(body.items.some((space: { title: string }) => space.title === 'Kept'))
  await next.end('SIGINT')
})
