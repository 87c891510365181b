import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { publishFiles, spaceWith } from '../../test/support/pages.ts'
import { cookieOf, Tab } from '../../test/support/sessions.ts'
import { type PersonName, world } from '../../test/support/world.ts'
import { sessionSecretOf } from '../http/cookies.ts'
import { readNext, setSessionCookie } from './session.ts'

const w = await world()

test('after signing in the browser goes to a path of this server, however the address is written', () => {
  for (const path of ['/', '/s/abc', '/s/abc/page?q=1#part']) assert.equal(readNext(path), path)
  assert.equal(readNext('/s/日本'), '/s/%E6%97%A5%E6%9C%AC')
  const foreign = [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\\/evil.test',
    '/./\\/evil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    '///evil.test',
    '/\u0000/evil.test',
    'javascript:alert(1)',
    '',
    ' /',
    undefined,
    ['/s'],
  ]
  for (const text of foreign) {
    const next = readNext(text)
    assert.match(next, /^\/(?!\/)/, String(text))
    assert.equal(new URL(next, 'http://here.test').origin, 'http://here.test', String(text))
  }
  // as long as addresses are, and no longer: anybody can have it kept
  const long = `/${'x'.repeat(2047)}`
  assert.equal(readNext(long), long)
  assert.equal(readNext(`${long}x`), '/')
  assert.equal(readNext('/日'.repeat(1000)), '/')
})

test('a planted form cookie occurs in no header of ours', async () => {
  for (const value of [
    '%0d%0aset-cookie:x=1',
    'x%3B%20Domain=evil.test',
    '%00',
    'x'.repeat(43).concat('%3B'),
  ]) {
    const response = await w.app.inject({ url: '/sign-in', headers: { cookie: `octavo_form=${value}` } })
    assert.equal(response.statusCode, 200, value)
    assert.match(String(response.headers['set-cookie']), /^octavo_form=[\w-]{43}; Path=\/;/, value)
  }
})

test('signing in responds with a valid header, whatever `next` contains', async () => {
  for (const next of ['/s/日本', '/\t/evil.test', '/s/a%0d%0aset-cookie:x=1', '/\u0000']) {
    const tab = new Tab(w)
    await tab.get('/sign-in')
    const { status, location } = await tab.post('/sign-in/token', { token: w.people.read.token, next })
    assert.equal(status, 303, next)
    assert.equal(new URL(String(location), 'http://octavo.test').origin, 'http://octavo.test')
  }
})

test('the cookie alone opens the reader and not the API, and only to what its person may read', async () => {
  const id = await spaceWith(w, { 'README.md': '# Private\n' })
  const read = async (as: PersonName, url: string) =>
    (await w.app.inject({ url, headers: { cookie: await cookieOf(w, as) } })).statusCode
  assert.equal(await read('read', `/s/${id}`), 200)
  assert.equal(await read('read', `/v1/spaces/${id}`), 401)
  for (const name of ['stranger', 'guest'] as const) assert.equal(await read(name, `/s/${id}`), 404, name)
  await w.call('DELETE', `/spaces/${id}`)
  for (const path of ['', '/~/search?q=private', '/readme', '/readme.md'])
    assert.equal(await read('admin', `/s/${id}${path}`), 404, path)
})

test('by https a cookie is for this host and for https alone, and one of the other name is not looked at', async () => {
  const app = Fastify()
  app.get('/', async (request, reply) => {
    setSessionCookie({ publicUrl: 'https://octavo.test' }, reply, 'secret')
    return { secret: sessionSecretOf({ publicUrl: 'https://octavo.test' }, request) ?? null }
  })
  const ask = (cookie: string) => app.inject({ url: '/', headers: { cookie } })
  const planted = await ask('octavo_session=planted')
  assert.equal(
    planted.headers['set-cookie'],
    '__Host-octavo_session=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure',
  )
  assert.equal(planted.json().secret, null)
  assert.equal((await ask('a=b; __Host-octavo_session=own')).json().secret, 'own')
  assert.equal((await ask(`__Host-octavo_session=${'x'.repeat(200)}`)).json().secret, null)
})

test('old addresses lead on as the configuration of the newest content says', async () => {
  const files = { 'README.md': '# Start\n', 'new.md': '# New\n', 'other.md': '# Other\n' }
  const config = (to: string) => `redirects:\n  old/place: ${to}\n  missing: nowhere.md\n`
  const id = await spaceWith(w, { ...files, '.gitbook.yaml': config('new.md') }, { visibility: 'public' })
  const visit = async (path: string) => {
    const { statusCode, headers } = await w.app.inject({ url: `/s/${id}/${path}` })
    return [statusCode, headers.location]
  }
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await visit('old/place'), [301, `/s/${id}/new`])
  assert.deepEqual(await visit('missing'), [404, undefined])
  assert.deepEqual(await visit('never'), [404, undefined])
  await publishFiles(w, id, { ...files, '.gitbook.yaml': config('other.md') })
  assert.deepEqual(await visit('old/place'), [301, `/s/${id}/other`])
})
