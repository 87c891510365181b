import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieOf } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { bundleWeb } from '../../../tools/web.ts'

await bundleWeb()
const w = await world()

const SHELL_BYTES_MAX = 8 * 1024

const get = async (url: string, headers: Record<string, string> = {}) =>
  w.app.inject({ method: 'GET', url, headers })

test('GET /w without a session → the sign-in page, which leads back', async () => {
  const answer = await get('/w/s/abc/c?x=1')
  assert.equal(answer.statusCode, 302)
  assert.equal(answer.headers.location, '/sign-in?next=%2Fw%2Fs%2Fabc%2Fc%3Fx%3D1')
})

test('GET /w/… with a session → one small shell that is not stored, with a nonce of its own each time', async () => {
  const cookie = await cookieOf(w, 'read')
  const [one, other] = [await get('/w', { cookie }), await get('/w/s/abc/c/1', { cookie })]
  for (const answer of [one, other]) {
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.ok(answer.payload.length <= SHELL_BYTES_MAX)
    assert.doesNotMatch(answer.payload, /<script(?![^>]* src=)/)
  }
  const nonceOf = (html: string) => /nonce="([^"]+)"/.exec(html)?.[1]
  assert.notEqual(nonceOf(one.payload), nonceOf(other.payload))
  assert.match(String(one.headers['content-security-policy']), new RegExp(`'nonce-${nonceOf(one.payload)}'`))
})

test('the policy of the workspace → no inline script, no frame around it, Trusted Types', async () => {
  const { headers } = await get('/w', { cookie: await cookieOf(w, 'read') })
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /script-src [^;']*\/assets\//)
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types octavo/)
})

test('the shell says where drawings of icons are, at an address that is kept until they change', async () => {
  const shell = await get('/w', { cookie: await cookieOf(w, 'read') })
  const sheet = /<meta property="icon-sheet" content="([^"]+)">/.exec(shell.payload)?.[1] ?? ''
  const { headers, payload } = await get(`${sheet.replaceAll('&amp;', '&')}rocket,book`)
  assert.match(String(headers['cache-control']), /immutable/)
  assert.match(payload, /\.fa-rocket\{.*\.fa-book\{/s)
})

test('the files of the workspace → kept forever, compressed as the browser accepts; others → 404', async () => {
  const shell = await get('/w', { cookie: await cookieOf(w, 'read') })
  const script = /<script type="module" src="([^"]+)"/.exec(shell.payload)?.[1] ?? ''
  const plain = await get(script)
  assert.equal(plain.statusCode, 200)
  assert.match(String(plain.headers['content-type']), /^text\/javascript/)
  assert.match(String(plain.headers['cache-control']), /immutable/)
  const small = await get(script, { 'accept-encoding': 'br' })
  assert.equal(small.headers['content-encoding'], 'br')
  assert.ok(small.rawPayload.length < plain.rawPayload.length)
  for (const name of ['manifest.json', 'nothing.js', '..%2f..%2fpackage.json'])
    assert.equal((await get(`/assets/w/${name}`)).statusCode, 404)
})

test('GET / → the workspace for members, the reader for visitors, strangers, and members who ask for it', async () => {
  const ask = async (url: string, cookie = '') => get(url, cookie === '' ? {} : { cookie })
  const member = await ask('/', await cookieOf(w, 'read'))
  assert.deepEqual([member.statusCode, member.headers.location], [302, '/w'])
  assert.equal((await ask('/?reader', await cookieOf(w, 'read'))).statusCode, 200)
  for (const cookie of ['', await cookieOf(w, 'stranger')])
    assert.equal((await ask('/', cookie)).statusCode, 200)
})
