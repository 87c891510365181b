// What a newcomer sees: an empty folder, one command, and a server that explains itself.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { isPostgres, newInstallation, ownDatabase } from '../support/own-database.ts'
import { ADMIN_TOKEN, appears, octavo, REAL, run, serve, start, temporaryFolder } from '../support/process.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

// As a newcomer starts it, on the database that a newcomer has.
const program = isPostgres ? {} : { program: REAL }

test('the first start fills an empty folder, prints its token once, and the next start keeps everything', async () => {
  const home = join(temporaryFolder(), 'new', 'home')
  const env = {
    ...(await ownDatabase()),
    OCTAVO_ADMIN_TOKEN: undefined,
    OCTAVO_ADMIN_EMAIL: 'ada@example.com',
  }
  const server = await serve(home, { env, ...program })

  const ready = await server.get('/readyz')
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }])
  assert.equal((await server.get('/healthz')).status, 200)

  const [, line = ''] = await server.says(/^ +(curl .*)$/m)
  const [, token = ''] = await server.says(/^Token +(\S+)$/m)
  assert.match(server.stdout, /^Administrator +ada@example\.com$/m)
  assert.equal(readFileSync(join(home, 'admin-token'), 'utf8'), `${token}\n`)
  assert.equal(modeOf(join(home, 'admin-token')), '600')
  assert.equal(modeOf(home), '700')

  const curl = await start('sh', ['-c', `${line} --silent --show-error --write-out '\\n%{http_code}'`]).ended
  const [body = '', status] = curl.stdout.split('\n')
  assert.equal(status, '200', curl.stderr)
  const { items: organizations } = JSON.parse(body)
  assert.deepEqual(
    organizations.map((organization: { title: string }) => organization.title),
    ['My organization'],
  )

  const { body: user } = await server.call('GET', '/user', { token })
  assert.equal(user.email, 'ada@example.com')
  const { body: spaces } = await server.call('GET', `/orgs/${organizations[0].id}/spaces`, { token })
  assert.equal(spaces.items.length, 1)
  const [space] = spaces.items
  assert.equal(space.visibility, 'public')
  const { body: pages } = await server.call('GET', `/spaces/${space.id}/content/pages`, { token })
  assert.ok(pages.pages.length > 0, 'the docs have pages')
  const page = await server.get(`/s/${space.id}`)
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1/)
  assert.equal(
    (await server.get('/')).text.includes(`/s/${space.id}`),
    true,
    'a newcomer sees the docs at once',
  )

  assert.equal((await server.end('SIGTERM')).code, 0)
  const again = await serve(home, { env, ...program })
  assert.doesNotMatch(again.stdout, /Token|curl/)
  assert.doesNotMatch(again.stdout + again.stderr, new RegExp(token))
  const { body: kept } = await again.call('GET', `/spaces/${space.id}/content/pages`, { token })
  assert.deepEqual(kept.pages, JSON.parse(JSON.stringify(pages.pages).replaceAll(server.url, again.url)))
  assert.equal((await again.end('SIGTERM')).code, 0)
})

test('a port in use is refused in one line, and nothing is begun or locked: a token and an address that the operator chose are taken by the next start, which does not print the token', {
  skip: isPostgres && 'it is refused before there is a database',
}, async () => {
  const { home, env: own } = await newInstallation()
  const env = { ...own, OCTAVO_HOME: home, OCTAVO_ADMIN_EMAIL: 'grace@example.com' }
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const refused = await run(['serve'], { env: { ...env, PORT: String(port), OCTAVO_LOG_LEVEL: 'info' } })
  taken.close()
  assert.match(refused.stderr, new RegExp(`^octavo: PORT: ${port} on 127\\.0\\.0\\.1 is in use[^\n]*\n$`))
  assert.deepEqual([refused.code, refused.stdout], [1, ''])

  const server = await serve(home, { env })
  const { status, body } = await server.call('GET', '/user', { token: ADMIN_TOKEN })
  assert.deepEqual([status, body?.email], [200, 'grace@example.com'])
  assert.match(server.stdout, /^ +curl .*\$OCTAVO_ADMIN_TOKEN/m)
  const { stdout, stderr, code } = await server.end('SIGTERM')
  assert.equal(code, 0)
  assert.doesNotMatch(stdout + stderr, new RegExp(ADMIN_TOKEN))
  assert.equal(statSync(join(home, 'admin-token'), { throwIfNoEntry: false }), undefined)
})

test('a first start that is killed half way leaves its token to the next one', async () => {
  const installation = await newInstallation()
  const { home } = installation
  const env = { ...installation.env, OCTAVO_ADMIN_TOKEN: undefined }
  const first = octavo(['serve'], { env: { ...env, OCTAVO_HOME: home, PORT: '0' } })
  await appears(home, 'admin-token')
  // Its database knows the token, and the files of the docs come in.
  await appears(join(home, 'blobs'), name => name !== 'temporary')
  const killed = await first.end('SIGKILL')
  const second = await serve(home, { env })
  await second.says(/^API reference/m)
  // The machine may have been slow to kill it: then the first one has printed it.
  const [, token = ''] = /^Token +(\S+)$/m.exec(killed.stdout) ?? (await second.says(/^Token +(\S+)$/m))
  assert.equal(readFileSync(join(home, 'admin-token'), 'utf8'), `${token}\n`)
  const { body } = await second.call('GET', '/orgs', { token })
  assert.equal(body.items.length, 1, 'it was begun once')
  const { body: spaces } = await second.call('GET', `/orgs/${body.items[0].id}/spaces`, { token })
  assert.equal(spaces.items.length, 1)
  const { body: pages } = await second.call('GET', `/spaces/${spaces.items[0].id}/content/pages`, { token })
  assert.ok(pages.pages.length > 0, 'the docs came with the second start')
})
